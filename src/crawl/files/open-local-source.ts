// Opens the local source of a run, once per run, and caches it until the run ends.

import { cacheLoads } from '../../core/lru-cache.ts';
import type { RunId } from '../../core/model/run.ts';
import { readPackageRun, type PackageRun } from '../../core/project/package-run.ts';
import type { LocalSource } from '../../fetch/port.ts';
import type { CrawlPorts } from '../context/ports.ts';
import { openPackageSource } from './package-source.ts';

/** Null for a run that crawls the web. Rejects if the folder cannot be read. */
export type OpenLocalSource = (run: RunId) => Promise<LocalSource | null>;

/** An open archive is held in memory, and so are the pages of a package. */
export const MAX_OPEN_SOURCES = 4;
const MAX_CACHE_ENTRIES = 200;

type OpenerPorts = Pick<CrawlPorts, 'store' | 'local' | 'parser'>;

type LocalContent =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'package'; readonly installed: PackageRun };

export function createLocalSourceOpener({ store, local, parser }: OpenerPorts): OpenLocalSource {
  const contentOf = cacheLoads(MAX_CACHE_ENTRIES, async (id: RunId): Promise<LocalContent | null> => {
    const run = await store.runs.byId(id);
    const installed = run === null ? null : readPackageRun(run.settings);
    if (installed !== null) return { kind: 'package', installed };
    const definition = run === null ? null : await store.sources.byId(run.source);
    return definition?.kind === 'folder' ? { kind: 'folder', path: definition.startUrl } : null;
  });
  const open = cacheLoads(MAX_OPEN_SOURCES, (_run: RunId, content: LocalContent) =>
    content.kind === 'package' ? openPackageSource(content.installed, { local, parser }) : local.open(content.path),
  );
  return async (run) => {
    const content = await contentOf(run);
    return content === null ? null : open(run, content);
  };
}
