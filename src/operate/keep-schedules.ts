// Starts the runs of sources that are due. Any number of processes may look: the store lets one of them start each.

import { intervalMs, nextRunAfterMs } from '../core/model/interval.ts';
import type { Log } from '../platform/log.ts';
import type { Source, Store } from '../store/port.ts';
import { restFor } from '../crawl/context/retry.ts';

const LOOK_MS = 2000;
/** After a long pause every source is due at once; they take turns. */
const LIVE_AT_MOST = 4;

export interface ScheduleDeps {
  readonly store: Pick<Store, 'sources' | 'runs'>;
  readonly log: Log;
  readonly random: () => number;
}

export async function keepSchedules({ store, log, random }: ScheduleDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const source of await store.sources.due(LIVE_AT_MOST)) {
      if ((await store.runs.live()).length >= LIVE_AT_MOST) break;
      const run = await startDue(source, store, random());
      if (run !== null) log.info('a run was due and starts', { source: source.name, run });
    }
    await restFor(LOOK_MS, signal);
  }
}

async function startDue(source: Source, { runs }: ScheduleDeps['store'], chance: number): Promise<number | null> {
  const { every } = source.settings;
  const version = source.versions.at(-1);
  const everyMs = typeof every === 'string' ? intervalMs(every) : null;
  if (version === undefined || everyMs === null) return null;
  return (await runs.startDue(version.id, nextRunAfterMs(everyMs, chance)))?.id ?? null;
}
