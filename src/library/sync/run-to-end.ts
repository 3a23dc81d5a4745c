// Waits for a run of a sync.

import type { SearchIndex } from '../../index/port.ts';
import { createIdleSleep } from '../../crawl/loop/idle-sleep.ts';
import { sleepOrAbort } from '../../platform/clock.ts';
import type { Store } from '../../store/port.ts';
import type { Run } from '../../store/port/runs.ts';

export interface RunDeps {
  readonly store: Store;
  readonly index: Pick<SearchIndex, 'isIndexed'>;
  readonly signal: AbortSignal;
}

export const POLL_MS = 50;
/** An announcement may be lost. */
const MAX_POLL_MS = 500;

/** Waits until the run has ended and its pages can be found. */
export async function runToEnd({ id }: Run, { store, index, signal }: RunDeps): Promise<Run> {
  const idle = createIdleSleep(store.wakeups, 'runs', POLL_MS);
  for (;;) {
    signal.throwIfAborted();
    const run = await store.runs.byId(id);
    if (run === null) throw new Error(`run ${id} was removed`);
    if (run.endedAt !== null && (await index.isIndexed(run.version))) return run;
    // Its end is announced; that its pages are indexed is not.
    if (run.endedAt === null) await idle.sleep(signal, MAX_POLL_MS);
    else await sleepOrAbort(POLL_MS, signal);
  }
}

/** The source too, if it has no other version. */
export async function removeEmpty(store: Store, name: string, version: Run['version']): Promise<void> {
  const source = await store.sources.byName(name);
  if (source?.versions.length === 1) await store.sources.remove(source.id);
  else await store.sources.removeVersion(version);
}
