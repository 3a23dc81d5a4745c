// Opens the local source of a run, once per run, and caches it while the run goes on.

import { cacheLoads } from '../../core/model/lru-cache.ts';
import type { LocalFiles, LocalSource } from '../../fetch/port.ts';
import type { RunId } from '../../core/model/run.ts';
import type { Store } from '../../store/port.ts';

/** Null for a run that crawls the web. Rejects if the folder cannot be read. */
export type OpenLocalSource = (run: RunId) => Promise<LocalSource | null>;

/** An open archive is held in memory. */
const MAX_OPEN_SOURCES = 4;
const MAX_CACHE_ENTRIES = 200;

export function createLocalSourceOpener(store: Store, local: LocalFiles): OpenLocalSource {
  const folderOf = cacheLoads(MAX_CACHE_ENTRIES, async (run: RunId): Promise<string | null> => {
    const source = (await store.runs.byId(run))?.source;
    const definition = (await store.sources.list()).find(({ id }) => id === source);
    return definition?.kind === 'folder' ? definition.start : null;
  });
  const open = cacheLoads(MAX_OPEN_SOURCES, (_run: RunId, folder: string) => local.open(folder));
  return async (run) => {
    const folder = await folderOf(run);
    return folder === null ? null : open(run, folder);
  };
}
