// Installs the bundle of an entry as a version of its source. The bundle is kept in the store until its run has ended, so that after a
// kill any worker continues.

import {
  formatArchiveReference,
  isSameArchiveSource,
  parseArchiveReference,
} from '../../core/archives/archive-reference.ts';
import type { ArchiveReference } from '../../core/archives/archive-reference.ts';
import { bundleFile, type CatalogBundle, type CatalogEntry } from '../../core/catalog/catalog-files.ts';
import { acceptBundle } from '../../core/catalog/catalog-bundle.ts';
import { bundleRunSettings, readBundleRun } from '../../core/catalog/bundle-run.ts';
import { FILE_SOURCE_LIMITS } from '../../core/files/file-limits.ts';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import type { VersionId } from '../../core/model/run.ts';
import { PACKAGE_READER_VERSION } from '../../core/packages/read-package.ts';
import { saveArchive, saveFiles } from '../../crawl/archives/stored-archive.ts';
import { sleepOrAbort } from '../../platform/clock.ts';
import type { Run } from '../../store/port/runs.ts';
import type { Source } from '../../store/port/sources.ts';
import { indexIdOf, PACKAGE_SOURCE } from '../sync/package-versions.ts';
import { POLL_MS, removeEmpty, runToEnd, type RunDeps } from '../sync/run-to-end.ts';
import {
  closeCatalogs,
  openCatalogs,
  required,
  type CatalogAccess,
  type CatalogFiles,
  type OpenCatalog,
} from './open-catalog.ts';

export type BundleEntry = CatalogEntry & { readonly bundle: CatalogBundle };

export function hasBundle(entry: CatalogEntry): entry is BundleEntry {
  return entry.bundle !== null;
}

export interface InstalledBundle {
  readonly state: 'installed' | 'current';
  readonly version: VersionId;
  readonly pages: number;
  readonly index: string;
}

/** Waits until its pages can be found. Raises what `acceptBundle` raises, and `source.exists`. */
export async function installBundle(
  entry: BundleEntry,
  { files, program }: { readonly files: CatalogFiles; readonly program: string },
  deps: RunDeps,
): Promise<InstalledBundle> {
  const { store } = deps;
  const reference = parseArchiveReference(entry.startUrl);
  if (reference === null)
    throw pinakesError('catalog.wrong-entry', {
      entry: `${entry.name}@${entry.version}`,
      reason: 'only repositories and packages have bundles',
    });
  const present = await installed(entry, deps);
  if (present !== null) return present;
  const bytes = await required(files, bundleFile(entry.bundle.sha256), entry.bundle.bytes);
  acceptBundle(entry, bytes, FILE_SOURCE_LIMITS);
  const hadPages = await isStored(entry, deps);
  const source = await sourceFor(entry, reference, deps);
  const { id } = await store.sources.addVersion(source.id, entry.version);
  await saveFiles(store, id, bytes);
  const archive = archiveOf(entry, reference, program);
  await saveArchive(store, id, archive);
  const run = await startRun(source, id, entry, deps);
  await saveArchive(store, id, { ...archive, run: run.id, readBy: run.id });
  const ended = await runToEnd(run, deps);
  const stored = await indexIdOf(store, id);
  if (ended.state === 'completed' && stored.index === entry.bundle.indexId)
    return { state: 'installed', version: id, ...stored };
  // One that was stopped is continued by the next installation.
  if (!hadPages && ended.state !== 'stopped') await removeEmpty(store, entry.name, id);
  const reason =
    ended.state === 'completed'
      ? `its pages have the index id ${stored.index}, and not ${entry.bundle.indexId}`
      : `its run is ${ended.state}${ended.reason === null ? '' : `: ${ended.reason}`}`;
  throw pinakesError('catalog.other-pages', { entry: `${entry.name}@${entry.version}`, reason });
}

/** Null unless the library has exactly these pages, and no run is about to change them. */
export async function installed(
  { name, version, bundle }: BundleEntry,
  { store, index }: Pick<RunDeps, 'store' | 'index'>,
): Promise<InstalledBundle | null> {
  const source = await store.sources.byName(name);
  const stored = source?.versions.find(({ label, hasPages }) => label === version && hasPages);
  if (source === null || stored === undefined) return null;
  const [latest] = await store.runs.latest([source.id]);
  if (latest?.endedAt == null || !(await index.isIndexed(stored.id))) return null;
  const found = await indexIdOf(store, stored.id);
  return found.index === bundle.indexId ? { state: 'current', version: stored.id, ...found } : null;
}

function archiveOf(
  { version, bundle }: BundleEntry,
  reference: ArchiveReference,
  program: string,
): Parameters<typeof saveArchive>[2] {
  return {
    reference: formatArchiveReference(exactReference(reference, version)),
    id: bundle.input,
    // Another program may read the same archive differently, so that a recrawl fetches it.
    reader: bundle.program === program ? PACKAGE_READER_VERSION : 0,
    version,
  };
}

async function isStored({ name, version }: BundleEntry, { store }: Pick<RunDeps, 'store'>): Promise<boolean> {
  const source = await store.sources.byName(name);
  return source?.versions.some((stored) => stored.label === version && stored.hasPages) ?? false;
}

function exactReference(reference: ArchiveReference, version: string): ArchiveReference {
  return reference.kind === 'package' ? { ...reference, range: version } : reference;
}

async function sourceFor(entry: BundleEntry, reference: ArchiveReference, { store }: RunDeps): Promise<Source> {
  const { name, version, startUrl } = entry;
  const existing = await store.sources.byName(name);
  if (existing !== null) {
    const start = existing.kind === 'web' ? null : parseArchiveReference(existing.startUrl);
    if (start !== null && isSameArchiveSource(start, reference)) return existing;
    throw pinakesError('source.exists', { source: name });
  }
  const settings = reference.kind === 'package' ? PACKAGE_SOURCE : {};
  try {
    return await store.sources.add({ name, kind: 'fetched-archive', startUrl, settings }, version);
  } catch (error) {
    const added = isError(error, 'source.exists') ? await store.sources.byName(name) : null;
    if (added === null) throw error;
    return added;
  }
}

/** A run of an earlier installation that was killed is continued; another one is waited for. */
async function startRun(
  { id: source }: Source,
  version: VersionId,
  { bundle }: BundleEntry,
  { store, signal }: RunDeps,
): Promise<Run> {
  for (;;) {
    const [live] = (await store.runs.latest([source])).filter(({ endedAt }) => endedAt === null);
    if (live?.version === version && readBundleRun(live.settings) === bundle.sha256) return live;
    try {
      return await store.runs.start(version, 'incremental', bundleRunSettings(bundle.sha256));
    } catch (error) {
      if (!isError(error, 'source.busy')) throw error;
      await sleepOrAbort(POLL_MS, signal);
      signal.throwIfAborted();
    }
  }
}

function isError(error: unknown, code: string): boolean {
  return error instanceof PinakesError && error.code === code;
}

/** Installs packages that a sync does not find on the disk. Catalogues are opened for the first of them, and closed by the caller. */
export function createCatalogInstaller(
  access: CatalogAccess,
  deps: RunDeps,
): { readonly install: (source: string, version: string) => Promise<InstalledBundle | null>; close(): Promise<void> } {
  let opening: Promise<readonly OpenCatalog[]> | null = null;
  return {
    async install(source, version) {
      if (access.configured.length === 0) return null;
      for (const { catalog, files } of await (opening ??= openCatalogs(access.configured, access, deps.signal))) {
        const entry = catalog.entries.find((one) => one.name === source && one.version === version);
        if (entry !== undefined && hasBundle(entry))
          return installBundle(entry, { files, program: access.program }, deps);
      }
      return null;
    },
    async close() {
      await closeCatalogs((await opening?.catch(() => null)) ?? []);
    },
  };
}
