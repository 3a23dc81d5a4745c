// Opens the local source of a run, once per run, and caches it until the run ends.

import { readBundleRun } from '../../core/catalog/bundle-run.ts';
import { cacheLoads } from '../../core/lru-cache.ts';
import { pinakesError } from '../../core/model/errors.ts';
import type { RunId, VersionId } from '../../core/model/run.ts';
import { readPackageRun, type PackageRun } from '../../core/project/package-run.ts';
import type { LocalSource } from '../../fetch/port.ts';
import { openArchiveSource } from '../archives/archive-source.ts';
import type { PrepareDeps, PreparedRun } from '../archives/prepare-archive.ts';
import { loadFiles, referenceOf, storedArchive } from '../archives/stored-archive.ts';
import { openPackageSource } from './package-source.ts';

/** Null for a run that crawls the web. Rejects if the folder cannot be read, or the archive cannot be fetched. */
export type OpenLocalSource = (run: RunId, signal: AbortSignal) => Promise<LocalSource | null>;

/** An open archive is held in memory, and so are the pages of a package. */
export const MAX_OPEN_SOURCES = 4;
const MAX_CACHE_ENTRIES = 200;

type LocalContent =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'package'; readonly installed: PackageRun }
  | { readonly kind: 'bundle'; readonly version: VersionId }
  | { readonly kind: 'archive'; readonly about: PreparedRun };

export function createLocalSourceOpener(deps: PrepareDeps): OpenLocalSource {
  const { store, local, parser } = deps.ports;
  const contentOf = cacheLoads(MAX_CACHE_ENTRIES, async (id: RunId): Promise<LocalContent | null> => {
    const run = await store.runs.byId(id);
    const installed = run === null ? null : readPackageRun(run.settings);
    if (installed !== null) return { kind: 'package', installed };
    if (run !== null && readBundleRun(run.settings) !== null) return { kind: 'bundle', version: run.version };
    const source = run === null ? null : await store.sources.byId(run.source);
    if (run === null || source === null || source.kind === 'web') return null;
    const stored = await storedArchive(store, run.version);
    const reference = referenceOf(source, stored);
    if (reference !== null) return { kind: 'archive', about: { run, source, reference, stored } };
    return { kind: 'folder', path: source.startUrl };
  });
  const open = cacheLoads(MAX_OPEN_SOURCES, async (_run: RunId, content: LocalContent, signal: AbortSignal) => {
    switch (content.kind) {
      case 'folder':
        return local.open(content.path);
      case 'package':
        return openPackageSource(content.installed, { local, parser });
      case 'bundle': {
        const bundle = await loadFiles(store, content.version);
        if (bundle === null) throw pinakesError('bundle.corrupt', { name: 'of the run', reason: 'it is gone' });
        return local.openBundle(bundle, 'bundle');
      }
      case 'archive': {
        const { about } = content;
        return openArchiveSource({ ...about, stored: await storedArchive(store, about.run.version) }, deps, signal);
      }
    }
  });
  return async (run, signal) => {
    const content = await contentOf(run);
    return content === null ? null : open(run, content, signal);
  };
}
