// The archive of a run as a local source: its unpacked files and, for a package, pages generated from declarations. If the archive has not
// changed, the stored pages stay.

import type { ArchiveReference } from '../../core/archives/archive-reference.ts';
import { packageFileFilter } from '../../core/archives/archive-files.ts';
import { REGISTRY_READERS } from '../../core/archives/package-reference.ts';
import { displayPath, fileUrl } from '../../core/files/file-url.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import type { Reason } from '../../core/outcome/reasons.table.ts';
import type { ListedFile, LocalSource, PackageFiles } from '../../fetch/port.ts';
import type { Store } from '../../store/port.ts';
import { openPackageSource } from '../files/package-source.ts';
import { prepareArchive, type PrepareDeps, type PreparedRun } from './prepare-archive.ts';
import { loadFiles, type StoredArchive } from './stored-archive.ts';
import { unpackFiles } from './unpack-archive.ts';

/** Fetches the archive if this process is the first to open it. */
export async function openArchiveSource(
  about: PreparedRun,
  deps: PrepareDeps,
  signal: AbortSignal,
): Promise<LocalSource> {
  const { store } = deps.ports;
  const { run, reference } = about;
  const archive = await prepareArchive(about, deps, signal);
  if (archive.readBy !== run.id) return unchangedSource(run.version, archive, store);
  const packed = await loadFiles(store, run.version);
  if (packed === null)
    throw pinakesError('archive.mismatch', { name: archive.reference, reason: 'its stored files are gone' });
  const files = unpackFiles(packed);
  if (reference.kind === 'git') return repositorySource(reference, files, archive);
  const ecosystem = REGISTRY_READERS[reference.registry];
  const { name } = reference;
  const source = await openPackageSource(
    {
      ecosystem,
      name,
      version: archive.version,
      folder: '',
      record: null,
      includeSources: false,
      reader: archive.reader,
    },
    { local: { openPackage: async () => packageFiles(files) }, parser: deps.ports.parser },
  );
  return withRefused(source, archive);
}

function repositorySource(
  reference: ArchiveReference,
  files: ReadonlyMap<string, Uint8Array>,
  archive: StoredArchive,
): LocalSource {
  const isWanted = packageFileFilter(reference);
  const bodies = new Map<PageUrl, Uint8Array>();
  for (const [path, body] of files) if (isWanted(path)) bodies.set(fileUrl(displayPath(path)), body);
  const source: LocalSource = {
    declaredVersion: archive.version === '' ? null : archive.version,
    async *list(): AsyncGenerator<ListedFile> {
      for (const url of bodies.keys()) yield { kind: 'file', url };
    },
    async read(url) {
      const body = bodies.get(url);
      if (body === undefined) return { kind: 'not-found', reason: 'no-such-file: not in the archive' };
      // The caller takes ownership of the body, and a page may be read again.
      return { kind: 'read', body: body.slice(), hash: sha256Hex(body) };
    },
  };
  return withRefused(source, archive);
}

/** Links, paths that lead out of the archive and other entries that are never unpacked. */
function withRefused(source: LocalSource, { refused }: StoredArchive): LocalSource {
  return {
    ...source,
    async *list(signal): AsyncGenerator<ListedFile> {
      yield* source.list(signal);
      for (const { name, reason } of refused)
        yield { kind: 'refused', url: fileUrl(displayPath(name)), reason: reason as Reason };
    },
  };
}

function packageFiles(files: ReadonlyMap<string, Uint8Array>): PackageFiles {
  return {
    files: [...files]
      .map(([path, { length }]) => ({ path, size: length }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    isTruncated: false,
    async read(path) {
      const body = files.get(path);
      return body === undefined
        ? { kind: 'not-found', reason: 'no-such-file' }
        : { kind: 'read', body: body.slice(), hash: sha256Hex(body) };
    },
  };
}

const PAGES_PER_READ = 1000;

function unchangedSource(version: VersionId, archive: StoredArchive, { pages }: Pick<Store, 'pages'>): LocalSource {
  return {
    declaredVersion: archive.version === '' ? null : archive.version,
    async *list(): AsyncGenerator<ListedFile> {
      let after: string | null = null;
      do {
        const list: Awaited<ReturnType<Store['pages']['list']>> = await pages.list(version, after, PAGES_PER_READ);
        for (const { url } of list.pages) yield { kind: 'file', url };
        after = list.after;
      } while (after !== null);
    },
    read: async () => ({ kind: 'unchanged' }),
  };
}
