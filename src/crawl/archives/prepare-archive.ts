// Stores the archive of a run. It is fetched only if the commit or release differs from the one that was read before.

import { formatArchiveReference, type ArchiveReference } from '../../core/archives/archive-reference.ts';
import { versionOfRef } from '../../core/archives/git-reference.ts';
import type { GitCommit } from '../../core/archives/git-refs.ts';
import { isCommitId } from '../../core/archives/git-refs.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { pageUrl } from '../../core/model/page-url.ts';
import { PACKAGE_READER_VERSION } from '../../core/packages/read-package.ts';
import type { Run } from '../../store/port/runs.ts';
import type { Source } from '../../store/port/sources.ts';
import type { ArchiveAccess, CrawlPorts, CrawlLimits, RegistryAccess } from '../context/ports.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import { sourceHeaders } from '../context/run-rules.ts';
import type { PoliteFetchDeps } from '../politeness/polite-fetch.ts';
import { createPoliteArchiveFetch, type ArchiveFetch } from './archive-fetch.ts';
import { fetchGitArchive, repositoryOf, resolveGit } from './resolve-git.ts';
import { fetchPackageArchive, resolvePackage } from './resolve-package.ts';
import { saveArchive, saveFiles, type StoredArchive } from './stored-archive.ts';
import { packFiles, unpackArchive, type UnpackedArchive } from './unpack-archive.ts';

export interface PrepareDeps extends PoliteFetchDeps {
  readonly ports: CrawlPorts;
  readonly limits: CrawlLimits;
  readonly report: ReportProblem;
}

export interface PreparedRun {
  readonly run: Run;
  readonly source: Source;
  readonly reference: ArchiveReference;
  readonly stored: StoredArchive | null;
}

/** The commit or release that a reference names now, and how to fetch it. */
interface Resolved {
  readonly id: string;
  readonly version: string;
  readonly license: string | null;
  readonly fetch: () => Promise<UnpackedArchive>;
}

/** Idempotent: after a kill the next coordinator finds what was saved, or starts over. */
export async function prepareArchive(
  about: PreparedRun,
  deps: PrepareDeps,
  signal: AbortSignal,
): Promise<StoredArchive> {
  const { run, reference, stored } = about;
  if (stored?.run === run.id) return stored;
  const { store } = deps.ports;
  const resolved = await resolve(about, deps, signal);
  const base = {
    reference: formatArchiveReference(reference),
    reader: PACKAGE_READER_VERSION,
    version: resolved.version,
    license: resolved.license,
  };
  if (stored !== null && (await isCurrent(run, stored, resolved, deps))) {
    const unchanged = { ...stored, ...base, run: run.id };
    await saveArchive(store, run.version, unchanged);
    return unchanged;
  }
  const { files, refused } = await resolved.fetch();
  await saveFiles(store, run.version, packFiles(files));
  const read = { ...base, id: resolved.id, run: run.id, readBy: run.id, refused: [...refused] };
  await saveArchive(store, run.version, read);
  return read;
}

/** Whether the stored pages are those of this archive: the run that read it has completed. */
async function isCurrent(run: Run, stored: StoredArchive, { id }: Resolved, { ports }: PrepareDeps): Promise<boolean> {
  if (run.mode === 'full' || stored.id !== id || stored.reader !== PACKAGE_READER_VERSION) return false;
  const earlier = await ports.store.runs.byId(stored.readBy as Run['id']);
  return earlier?.state === 'completed';
}

async function resolve(about: PreparedRun, deps: PrepareDeps, signal: AbortSignal): Promise<Resolved> {
  const { reference } = about;
  return reference.kind === 'git'
    ? resolveRepository({ ...about, reference }, deps, signal)
    : resolveRelease(reference, deps, signal);
}

async function resolveRepository(
  { run, source, reference, stored }: PreparedRun & { readonly reference: Extract<ArchiveReference, { kind: 'git' }> },
  deps: PrepareDeps,
  signal: AbortSignal,
): Promise<Resolved> {
  const templates = Array.isArray(source.settings['headers']) ? source.settings['headers'].map(String) : [];
  const headers = sourceHeaders(pageUrl(reference.origin), templates, deps.ports.secretFor);
  const repository = repositoryOf(reference);
  if (headers.problem !== null) throw pinakesError('git.unreachable', { repository, reason: headers.problem });
  const fetchFile = createPoliteArchiveFetch(deps, headers.headersFor, signal);
  const commit = await resolveGit(reference, fetchFile);
  await reportMovedTag({ run, reference, stored }, commit, deps.report);
  const fetch = async (): Promise<UnpackedArchive> => {
    const body = await fetchGitArchive(reference, commit.id, { fetchFile, maxBytes: maxBytesOf(deps) });
    const unpacked = await unpackArchive({ name: repository, body, isZip: false, reference }, signal);
    const { comment } = unpacked;
    if (comment !== null && isCommitId(comment) && comment !== commit.id)
      throw pinakesError('archive.mismatch', {
        name: repository,
        reason: `it is of commit ${comment}, not ${commit.id}`,
      });
    return unpacked;
  };
  return { id: commit.id, version: versionOfRef(reference.ref), license: null, fetch };
}

/** A tag stands for one commit. If it is moved, what was cited before is no longer what it names. */
async function reportMovedTag(
  {
    run,
    reference,
    stored,
  }: Pick<PreparedRun, 'run' | 'stored'> & {
    readonly reference: Extract<ArchiveReference, { kind: 'git' }>;
  },
  { kind, id }: GitCommit,
  report: ReportProblem,
): Promise<void> {
  if (kind !== 'tag' || stored === null || stored.id === '' || stored.id === id) return;
  await report({
    run: run.id,
    kind: 'tag-moved',
    severity: 'warning',
    scope: 'run',
    target: formatArchiveReference(reference),
    message: `The tag ${reference.ref} of ${repositoryOf(reference)} named commit ${stored.id} and now names ${id}. The pages are those of the new commit`,
    details: { before: stored.id, after: id },
  });
}

async function resolveRelease(
  reference: Extract<ArchiveReference, { kind: 'package' }>,
  deps: PrepareDeps,
  signal: AbortSignal,
): Promise<Resolved> {
  const access = registryAccess(reference, deps.ports.archives);
  const fetchFile: ArchiveFetch = createPoliteArchiveFetch(deps, access.headersFor, signal);
  const release = await resolvePackage(reference, access, fetchFile);
  const fetch = async (): Promise<UnpackedArchive> => {
    const maxBytes = maxBytesOf(deps);
    const { url, body } = await fetchPackageArchive(reference, release, access, { fetchFile, maxBytes });
    const exact = { ...reference, range: release.version };
    const isZip = new URL(url).pathname.endsWith('.whl');
    return unpackArchive({ name: `${reference.name} ${release.version}`, body, isZip, reference: exact }, signal);
  };
  return { id: release.hash.digest, version: release.version, license: release.license ?? null, fetch };
}

function maxBytesOf({ ports }: PrepareDeps): number {
  return ports.archives?.maxBytes ?? 0;
}

/** Raises `registry.off`. */
export function registryAccess(
  reference: Extract<ArchiveReference, { kind: 'package' }>,
  archives: ArchiveAccess | undefined,
): RegistryAccess {
  const access = archives?.registryFor(reference) ?? null;
  if (access !== null) return access;
  const { name, registry } = reference;
  throw pinakesError('registry.off', { name, registry, setting: `registry.${registry}` });
}
