// Which runs read local content, and from where. A source is opened once for a run and remembered while it goes on.

import type { LocalFiles, LocalSource } from '../../fetch/port.ts';
import type { RunId } from '../../core/model/run.ts';
import type { Store } from '../../store/port.ts';

/** Null for a run that crawls the web. Rejects where the folder cannot be read. */
export type LocalSourceOf = (run: RunId) => Promise<LocalSource | null>;

/** An archive lies in memory while it is remembered. */
const REMEMBERED_LOCAL = 4;
const REMEMBERED = 200;

export function createLocalSourceOf(store: Store, local: LocalFiles): LocalSourceOf {
  const known = new Map<RunId, Promise<LocalSource | null>>();
  const opened: RunId[] = [];

  async function open(run: RunId): Promise<LocalSource | null> {
    const source = (await store.runs.byId(run))?.source;
    const definition = (await store.sources.list()).find(({ id }) => id === source);
    if (definition?.kind !== 'folder') return null;
    opened.push(run);
    const oldest = opened.length > REMEMBERED_LOCAL ? opened.shift() : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return local.open(definition.start);
  }

  return (run) => {
    let source = known.get(run);
    if (source === undefined) {
      if (known.size >= REMEMBERED) known.clear();
      source = open(run);
      known.set(run, source);
      source.catch(() => known.delete(run));
    }
    return source;
  };
}
