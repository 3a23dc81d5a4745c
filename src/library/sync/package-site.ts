// The documentation site that a package names: the source of a package that documents nothing itself. It is crawled only on request, as any
// other site, under the name and the version of the package.

import { decodeBody } from '../../core/extract/decode/charset.ts';
import type { VersionId } from '../../core/model/run.ts';
import { documentationSite, siteManifest } from '../../core/project/documentation-site.ts';
import type { PackageRun } from '../../core/project/package-run.ts';
import type { LocalFiles } from '../../fetch/port.ts';
import type { Store } from '../../store/port.ts';
import type { JsonObject } from '../../store/port/json.ts';
import type { Run } from '../../store/port/runs.ts';
import type { Source } from '../../store/port/sources.ts';
import { removeEmpty, runToEnd, type RunDeps } from './run-to-end.ts';

/** Null if its manifest names none. */
export async function siteOf(
  installed: Pick<PackageRun, 'ecosystem' | 'folder' | 'record' | 'includeSources'>,
  files: Pick<LocalFiles, 'openPackage'>,
): Promise<string | null> {
  const path = siteManifest(installed.ecosystem, installed.record);
  if (path === null) return null;
  const outcome = await (await files.openPackage(installed)).read(path);
  return outcome.kind === 'read' ? documentationSite(installed.ecosystem, decodeBody(outcome.body, null)) : null;
}

export interface PackageSite {
  /** The name of the source. */
  readonly source: string;
  readonly version: string;
  readonly site: string;
}

export interface CrawledSite {
  readonly version: VersionId;
  readonly pages: number;
  readonly isNew: boolean;
}

/** Null if the library does not have it. */
export async function findSite(
  store: Store,
  { source: name, version, site }: PackageSite,
): Promise<CrawledSite | null> {
  const source = await store.sources.byName(name);
  if (source === null || !isSiteSource(source, site)) return null;
  const stored = source.versions.find(({ label, hasPages }) => label === version && hasPages);
  if (stored === undefined || (await latestRun(store, source, stored.id))?.endedAt == null) return null;
  return { version: stored.id, pages: await pagesOf(store, stored.id), isNew: false };
}

export function isSiteSource({ kind, startUrl }: Source, site: string): boolean {
  return kind === 'web' && startUrl === site;
}

/** What keeps it from being crawled, as a sentence, or what was crawled. A crawl that an earlier sync started is continued. */
export async function crawlSite(
  { source: name, version: label, site }: PackageSite,
  settings: JsonObject,
  deps: RunDeps,
): Promise<CrawledSite | string> {
  const { store } = deps;
  const existing = await store.sources.byName(name);
  if (existing !== null && !isSiteSource(existing, site))
    return 'another version of it is read from its folder, so its site is not crawled';
  const source = existing ?? (await store.sources.add({ name, kind: 'web', startUrl: site, settings }, label));
  const { id } = await store.sources.addVersion(source.id, label);
  const latest = await latestRun(store, source, id);
  const run = latest?.endedAt === null ? latest : await store.runs.start(id, 'incremental', {});
  const { state, reason } = await runToEnd(run, deps);
  const pages = await pagesOf(store, id);
  if (pages > 0) return { version: id, pages, isNew: true };
  await removeEmpty(store, name, id);
  return `${site} was not stored: ${reason ?? state}`;
}

const MAX_RUNS = 50;

async function latestRun(store: Store, source: Source, version: VersionId): Promise<Run | undefined> {
  return (await store.runs.list(MAX_RUNS, source.id)).find((run) => run.version === version);
}

async function pagesOf(store: Store, version: VersionId): Promise<number> {
  return (await store.stats.versions([version]))[0]?.pages ?? 0;
}
