// Opens the local source of a run, once per run, and caches it while the run goes on.

import type { LocalFiles, LocalSource } from '../../fetch/port.ts';
import type { RunId } from '../../core/model/run.ts';
import type { Store } from '../../store/port.ts';

/** Null for a run that crawls the web. Rejects if the folder cannot be read. */
export type OpenLocalSource = (run: RunId) => Promise<LocalSource | null>;

/** An open archive is held in memory. */
const MAX_OPEN_SOURCES = 4;
const MAX_CACHE_ENTRIES = 200;

export function createLocalSourceOpener(store: Store, local: LocalFiles): OpenLocalSource {
  const cache = new Map<RunId, Promise<LocalSource | null>>();
  const openRuns: RunId[] = [];

  async function open(run: RunId): Promise<LocalSource | null> {
    const source = (await store.runs.byId(run))?.source;
    const definition = (await store.sources.list()).find(({ id }) => id === source);
    if (definition?.kind !== 'folder') return null;
    openRuns.push(run);
    const oldest = openRuns.length > MAX_OPEN_SOURCES ? openRuns.shift() : undefined;
    if (oldest !== undefined) cache.delete(oldest);
    return local.open(definition.start);
  }

  return (run) => {
    let source = cache.get(run);
    if (source === undefined) {
      if (cache.size >= MAX_CACHE_ENTRIES) cache.clear();
      source = open(run);
      cache.set(run, source);
      source.catch(() => cache.delete(run));
    }
    return source;
  };
}
