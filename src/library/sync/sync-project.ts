// Brings the library to the versions that the lockfiles of a project name. What is already there is not changed, so that a second sync
// writes nothing, and one after a kill continues where the first one ended.

import { PinakesError } from '../../core/model/errors.ts';
import type { VersionId } from '../../core/model/run.ts';
import { packageSourceName, type LockedPackage } from '../../core/project/locked-package.ts';
import { hasRead, packageRunSettings, READERS } from '../../core/project/package-run.ts';
import {
  MAX_PROJECT_FILE_BYTES,
  parseProjectFile,
  PROJECT_FILE,
  type ProjectPackage,
} from '../../core/project/project-file.ts';
import type { LocalFiles, ProjectFiles } from '../../fetch/port.ts';
import { sleepOrAbort } from '../../platform/clock.ts';
import type { Store } from '../../store/port.ts';
import type { JsonObject } from '../../store/port/json.ts';
import { forEachConcurrent } from '../../platform/semaphore.ts';
import type { Run } from '../../store/port/runs.ts';
import type { Source } from '../../store/port/sources.ts';
import { crawlSite, findSite, isSiteSource, siteOf } from './package-site.ts';
import {
  catalogContent,
  findVersion,
  indexIdOf,
  isCurrent,
  isPackageSource,
  PACKAGE_SOURCE,
  packageContent,
  type PackageVersion,
  type StoredPages,
} from './package-versions.ts';
import { readProject, type ProjectPackages } from './read-project.ts';
import { POLL_MS, removeEmpty, runToEnd, type RunDeps } from './run-to-end.ts';
import type { InstalledBundle } from '../catalog/install-bundle.ts';
import { forgetUnused } from './used-versions.ts';

export interface SyncRequest {
  readonly dir: string;
  /** Packages that only other packages use, too. */
  readonly all: boolean;
  readonly includeSources: boolean;
  /** The settings with which documentation sites are crawled; null if they are only named. */
  readonly crawl: JsonObject | null;
}

export interface SyncDeps extends RunDeps {
  readonly files: Pick<LocalFiles, 'openProject' | 'openPackage'>;
  /** Null if no configured catalogue has a bundle of it, at exactly this version. */
  readonly installFromCatalog: (source: string, version: string) => Promise<InstalledBundle | null>;
  readonly onPackage: (synced: SyncedPackage, done: number, total: number) => void;
}

/**
 * `current`: was there already. `synced`: read or crawled now. `undocumented`: has nothing to read. `missing`: not installed. `failed`:
 * could not be read.
 */
export type PackageState = 'current' | 'synced' | 'undocumented' | 'missing' | 'failed';

export interface SyncedPackage {
  readonly source: string;
  readonly version: string;
  readonly workspaces: readonly string[];
  readonly state: PackageState;
  readonly pages: number;
  /** Null without documentation, and for pages of a site, which differ from crawl to crawl. */
  readonly index: string | null;
  /** The documentation site that it names, if it has no documentation itself. */
  readonly site: string | null;
  /** Why it has no documentation; null if it has some. */
  readonly reason: string | null;
}

export interface SyncedProject extends Pick<ProjectPackages, 'lockfiles' | 'skipped'> {
  readonly root: string;
  readonly packages: readonly SyncedPackage[];
  /** Versions that no project uses any more, as `npm:zod@3.25.1`. */
  readonly removed: readonly string[];
}

/** Runs at a time: as many packages as a worker keeps open. */
const MAX_LIVE_RUNS = 4;

export async function syncProject(request: SyncRequest, deps: SyncDeps): Promise<SyncedProject> {
  const project = await deps.files.openProject(request.dir);
  const { lockfiles, packages, skipped } = await readProject(project);
  const wanted = packages.filter(({ isDirect }) => isDirect || request.all);
  const known = await readKnown(project);
  const contents = await readContents(deps.store, project.root);
  const synced: SyncedPackage[] = [];
  const versions: VersionId[] = [];
  await forEachConcurrent(wanted, { concurrency: MAX_LIVE_RUNS, signal: deps.signal }, async (locked) => {
    const result = await syncPackage(locked, { ...request, project, known, contents }, deps);
    if (result.version !== null) versions.push(result.version);
    synced.push(result.synced);
    deps.onPackage(result.synced, synced.length, wanted.length);
  });
  const removed = await forgetUnused(project.root, { before: contents.keys(), after: versions }, deps.store);
  return { root: project.root, lockfiles, packages: synced.toSorted(bySource), removed, skipped };
}

function bySource(left: SyncedPackage, right: SyncedPackage): number {
  return left.source < right.source || (left.source === right.source && left.version < right.version) ? -1 : 1;
}

export interface PackageContext extends SyncRequest {
  readonly project: ProjectFiles;
  readonly known: ReadonlyMap<string, ProjectPackage>;
  /** The versions that the project is recorded with, and the content that it had of each. */
  readonly contents: ReadonlyMap<VersionId, string>;
}

export async function readContents(store: Store, root: string): Promise<ReadonlyMap<VersionId, string>> {
  const project = (await store.projects.list()).find(({ folder }) => folder === root);
  return project?.contents ?? new Map<VersionId, string>();
}

export async function readKnown(project: ProjectFiles): Promise<ReadonlyMap<string, ProjectPackage>> {
  const packages = parseProjectFile(await project.readText(PROJECT_FILE, MAX_PROJECT_FILE_BYTES)) ?? [];
  return new Map(packages.map((one) => [`${one.source}@${one.version}`, one]));
}

interface PackageResult {
  readonly synced: SyncedPackage;
  /** Null if the library has nothing about it. */
  readonly version: VersionId | null;
}

async function syncPackage(locked: LockedPackage, context: PackageContext, deps: SyncDeps): Promise<PackageResult> {
  const { store } = deps;
  const source = packageSourceName(locked);
  const about = { source, version: locked.version, workspaces: locked.workspaces };
  const existing = await store.sources.byName(source);
  if (existing !== null && !isPackageSource(existing))
    return fromOtherSource(about, { locked, existing }, context, deps);
  const stored = await findVersion(store, locked);
  const synced = stored === null ? null : await asSynced(about, stored, context, deps);
  if (synced !== null) return synced;
  const known = knownOf(about, context);
  // What an earlier sync found out is not found out again. The author of the project file does not decide what is crawled as a package,
  // for all projects: with a crawl the site is what the installed package names.
  if (stored === null && known?.index === null && context.crawl === null)
    return fromSite(about, known.site ?? null, context, deps);
  const installed = await locate(locked, context, deps);
  if (typeof installed === 'string') return withoutFolder(about, { stored, reason: installed }, context, deps);
  return read(about, { locked, installed }, context, deps);
}

/** For a package that is not installed, with the reason. */
async function withoutFolder(
  about: About,
  { stored, reason }: { readonly stored: PackageVersion | null; readonly reason: string },
  context: PackageContext,
  deps: SyncDeps,
): Promise<PackageResult> {
  const recorded = await asRecorded(about, stored, context, deps);
  return recorded ?? (await fromCatalog(about, context, deps)) ?? without(about, 'missing', reason);
}

function knownOf({ source, version }: About, { known }: PackageContext): ProjectPackage | undefined {
  return known.get(`${source}@${version}`);
}

/** Null if it has to be read again. */
async function asSynced(
  about: About,
  stored: PackageVersion,
  { contents, includeSources }: PackageContext,
  { store }: SyncDeps,
): Promise<PackageResult | null> {
  const { id } = stored.version;
  const content = contents.get(id);
  if (content === undefined) return null;
  const found = await indexIdOf(store, id);
  const isSame = content === catalogContent(found.index) || isCurrent(stored, { content, includeSources });
  return isSame ? current(about, id, found) : null;
}

/** A source with the name of the package: a crawl of its site, or something else that the user added. */
async function fromOtherSource(
  about: About,
  { locked, existing }: { readonly locked: LockedPackage; readonly existing: Source },
  context: PackageContext,
  deps: SyncDeps,
): Promise<PackageResult> {
  const named = (): Promise<string | null> => namedSite(locked, context, deps);
  const site = existing.kind === 'web' ? (knownOf(about, context)?.site ?? (await named())) : null;
  if (site !== null && isSiteSource(existing, site)) return fromSite(about, site, context, deps);
  const reason = `another source is called ${about.source}; rename it with pinakes edit, or remove it`;
  return without(about, 'failed', reason);
}

/** A package that is not installed here is taken from the library if its pages are those that the project file names. */
async function asRecorded(
  about: About,
  stored: PackageVersion | null,
  { project, known, includeSources }: PackageContext,
  { store }: SyncDeps,
): Promise<PackageResult | null> {
  const content = stored?.runs[0]?.read.content;
  if (stored === null || content === undefined || !isCurrent(stored, { content, includeSources })) return null;
  const found = await indexIdOf(store, stored.version.id);
  if (known.get(`${about.source}@${about.version}`)?.index !== found.index) return null;
  const other = await store.projects.use(project.root, stored.version.id, content);
  return other === null ? current(about, stored.version.id, found) : null;
}

/** A package that is not on the disk. Its content is recorded as that of the bundle, which is that of the published archive. */
async function fromCatalog(
  about: About,
  { project }: PackageContext,
  { store, installFromCatalog }: SyncDeps,
): Promise<PackageResult | null> {
  const found = await installFromCatalog(about.source, about.version).catch((error: unknown) => {
    if (error instanceof PinakesError) return error.message;
    throw error;
  });
  if (found === null) return null;
  if (typeof found === 'string') return without(about, 'failed', found);
  const { state, version, pages, index } = found;
  const other = await store.projects.use(project.root, version, catalogContent(index));
  if (other !== null) return null;
  const synced: SyncedPackage = {
    ...about,
    state: state === 'installed' ? 'synced' : state,
    pages,
    index,
    site: null,
    reason: null,
  };
  return { synced, version };
}

function current(about: About, version: VersionId, { pages, index }: StoredPages): PackageResult {
  return { synced: { ...about, state: 'current', pages, index, site: null, reason: null }, version };
}

/** A package that documents nothing itself. */
async function fromSite(
  about: About,
  site: string | null,
  { crawl, project }: PackageContext,
  deps: SyncDeps,
): Promise<PackageResult> {
  const undocumented = (reason: string): PackageResult => {
    const { synced, version } = without(about, 'undocumented', reason);
    return { synced: { ...synced, site }, version };
  };
  if (site === null) return undocumented(NO_DOCUMENTATION);
  const stored = await findSite(deps.store, { ...about, site });
  if (stored === null && crawl === null) return undocumented(NO_DOCUMENTATION);
  const crawled = stored ?? (await crawlSite({ ...about, site }, crawl ?? {}, deps));
  if (typeof crawled === 'string') return undocumented(crawled);
  const { version, pages, isNew } = crawled;
  await deps.store.projects.use(project.root, version, `site ${site}`);
  return {
    synced: { ...about, state: isNew ? 'synced' : 'current', pages, index: null, site, reason: null },
    version,
  };
}

async function namedSite(locked: LockedPackage, context: PackageContext, deps: SyncDeps): Promise<string | null> {
  const installed = await locate(locked, context, deps);
  return typeof installed === 'string' ? null : siteOf(installed.package, deps.files);
}

/** The first project that uses a version decides its content: no other folder may replace the pages that its sessions see. */
async function read(
  about: About,
  { locked, installed }: { readonly locked: LockedPackage; readonly installed: InstalledPackage },
  context: PackageContext,
  deps: SyncDeps,
): Promise<PackageResult> {
  const { store } = deps;
  const { source } = about;
  const { project } = context;
  const { id } = await store.sources.addVersion((await addedSource(store, locked)).id, locked.version);
  const other = await store.projects.use(project.root, id, installed.package.content);
  if (other !== null) {
    const { folder } = installed.package;
    const reason = `its files in ${folder} differ from those of the project ${other}, which the library has. If they are right, run: pinakes remove --project ${other}`;
    return without(about, 'failed', reason);
  }
  const stored = await findVersion(store, locked);
  if (stored !== null && isCurrent(stored, installed.package)) return current(about, id, await indexIdOf(store, id));
  const run = await runToEnd(await startRun(id, { locked, installed }, deps), deps);
  const { index, pages } = await indexIdOf(store, run.version);
  if (pages > 0) {
    const synced: SyncedPackage = { ...about, state: 'synced', pages, index, site: null, reason: null };
    return { synced, version: run.version };
  }
  await removeEmpty(store, source, run.version);
  return run.state === 'failed' && run.reason !== NO_FILES
    ? without(about, 'failed', run.reason ?? 'it could not be read')
    : fromSite(about, await siteOf(installed.package, deps.files), context, deps);
}

type About = Pick<SyncedPackage, 'source' | 'version' | 'workspaces'>;

function without(about: About, state: PackageState, reason: string): PackageResult {
  return { synced: { ...about, state, pages: 0, index: null, site: null, reason }, version: null };
}

type InstalledPackage = ReturnType<typeof packageRunSettings>;

/** Where it is installed, or why it is not. */
async function locate(
  locked: LockedPackage,
  { project, includeSources }: PackageContext,
  { files }: Pick<SyncDeps, 'files'>,
): Promise<InstalledPackage | string> {
  const { name, version } = locked;
  const ecosystem = READERS[locked.ecosystem];
  if (ecosystem === undefined) return `packages of ${locked.ecosystem} cannot be read yet`;
  const at = await project.findPackage(locked);
  if (at.kind === 'found') {
    const { folder, record } = at;
    const content = await packageContent({ ecosystem, folder, record, includeSources }, files);
    return packageRunSettings({ ecosystem, name, version, folder, record, includeSources, content });
  }
  return at.installed === null ? 'it is not installed' : `version ${at.installed} is installed instead`;
}

const NO_DOCUMENTATION = 'it has neither Markdown nor declarations';
/** The reason of a run over a folder without a file to read. */
const NO_FILES = 'there is no file to read';

/** A run that an earlier sync started and that has not ended is continued. */
async function startRun(
  version: VersionId,
  { locked, installed }: { readonly locked: LockedPackage; readonly installed: InstalledPackage },
  { store, signal }: SyncDeps,
): Promise<Run> {
  for (;;) {
    const stored = await findVersion(store, locked);
    const live = stored?.runs.find(
      ({ endedAt, read: reading }) => endedAt === null && hasRead(reading, installed.package),
    );
    if (live !== undefined) return live;
    try {
      return await store.runs.start(version, 'incremental', { package: { ...installed.package } });
    } catch (error) {
      if (!(error instanceof PinakesError) || error.code !== 'source.busy') throw error;
      // Another version of the package is being read, or other files of this one.
      await sleepOrAbort(POLL_MS, signal);
      signal.throwIfAborted();
    }
  }
}

async function addedSource(store: Store, locked: LockedPackage): Promise<Source> {
  const name = packageSourceName(locked);
  const existing = await store.sources.byName(name);
  if (existing !== null) return existing;
  try {
    return await store.sources.add({ name, kind: 'folder', startUrl: name, settings: PACKAGE_SOURCE }, locked.version);
  } catch (error) {
    const added =
      error instanceof PinakesError && error.code === 'source.exists' ? await store.sources.byName(name) : null;
    if (added === null) throw error;
    return added;
  }
}
