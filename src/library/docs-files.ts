// The library as files that a server offers without an API: indexes, whole sources and pages as text. Each has a validator from
// what the store counts and knows, so that a client that is up to date costs no reading, and is written page by page.

import { sectionLabels } from '../core/analysis/hubs.ts';
import { createLocator, learnShape } from '../core/analysis/site-shape.ts';
import { storedDescription } from '../core/discover/llms/llms-txt.ts';
import { importedFrom } from '../core/model/provenance.ts';
import { chunkPath } from '../core/chunk/chunk-names.ts';
import type { DocsFiles } from '../core/export/llms/docs-files.ts';
import {
  originOf,
  webStartUrl,
  docsPath,
  pagesAtPath,
  parseSourceSegment,
  sourcePath,
} from '../core/export/llms/served-path.ts';
import {
  fullTextHead,
  fullTextPage,
  libraryIndex,
  pageLine,
  pageMarkdown,
  sourceIndexHead,
  type ListedSource,
} from '../core/export/llms/llms-text.ts';
import { projectLlmsTxt, type LlmsPage } from '../core/export/llms/project-llms.ts';
import { suggestNames, withSuggestions } from '../core/text/edit-distance.ts';
import { pinakesError } from '../core/model/errors.ts';
import { sha256Hex } from '../core/model/hash.ts';
import { pageUrl, type PageUrl } from '../core/model/page-url.ts';
import { pickVersion, unknownVersion } from '../core/model/version-verdict.ts';
import type { Store, VersionStats } from '../store/port.ts';
import type { StoredPage } from '../store/port/pages.ts';
import type { Source, Version } from '../store/port/sources.ts';
import { compareText } from '../core/text/compare-text.ts';

interface Selected {
  readonly source: Source;
  readonly version: Version;
  readonly stats: VersionStats | undefined;
  /** `/docs/…` of this version, as it was requested. */
  readonly address: string;
  readonly origin: string;
}

const PAGES_PER_READ = 200;
const NEIGHBORS = 300;

/** A new version of the program may write the same pages differently, so it is part of every validator. */
export function createDocsFiles(store: Store, programVersion: string): DocsFiles {
  const strong = (...parts: readonly unknown[]): string =>
    `"${sha256Hex(JSON.stringify([programVersion, ...parts])).slice(0, 32)}"`;

  /** Weak: pages that change while they are written are part of the text, and not of its validator. */
  async function versionTag(kind: string, { source, version, stats, address }: Selected): Promise<string> {
    const pipelines = await store.pages.pipelineVersions(version.id);
    return `W/${strong(kind, address, source.name, source.startUrl, version, countsOf(stats), pipelines)}`;
  }

  return {
    async libraryIndex() {
      const sources = await store.sources.list();
      const stats = await store.stats.versions(sources.flatMap(({ versions }) => versions.map(({ id }) => id)));
      const text = libraryIndex(listSources(sources, stats));
      return { etag: strong(text), parts: () => [text] };
    },
    async sourceIndex(segment) {
      const selected = await select(store, segment);
      return { etag: await versionTag('index', selected), parts: () => indexParts(store, selected) };
    },
    async fullText(segment) {
      const selected = await select(store, segment);
      return { etag: await versionTag('full', selected), parts: () => fullTextParts(store, selected) };
    },
    async page(segment, path, query) {
      const selected = await select(store, segment);
      const url = await findPage(store, selected, path, query);
      const page = await store.pages.get(selected.version.id, url);
      if (page === null) throw pinakesError('page.unknown', { page: path.slice(0, 200) });
      const { title, changedAt, contentHash, text } = page;
      const { source, version } = selected;
      const imported = importedFrom(source.kind, page.url);
      const about = { source: source.name, version: version.label, url: page.url, title, changedAt, ...imported };
      return { ...about, etag: strong(about, contentHash), parts: () => [pageMarkdown(about, text)] };
    },
  };
}

async function* indexParts(store: Store, selected: Selected): AsyncIterable<string> {
  const { source, version, stats, address, origin } = selected;
  yield sourceIndexHead(toListed(source, version, stats, false), address);
  for await (const page of pagesOf(store, selected)) yield pageLine(page, docsPath(address, origin, page.url));
}

async function* fullTextParts(store: Store, selected: Selected): AsyncIterable<string> {
  const { source, version, stats } = selected;
  yield fullTextHead(toListed(source, version, stats, false));
  for await (const page of pagesOf(store, selected)) {
    const text = await store.pages.text(version.id, page.url);
    // Null for a page that was removed in the meantime.
    if (text !== null) yield fullTextPage(page, text);
  }
}

/** Sorted by URL. */
export async function* pagesOf(store: Store, { version }: { readonly version: Version }): AsyncIterable<StoredPage> {
  for (let after: string | null = null; ;) {
    const range = { prefix: '', after, limit: PAGES_PER_READ };
    const pages: readonly StoredPage[] = await store.pages.byUrl(version.id, range);
    yield* pages;
    after = pages.at(-1)?.url ?? null;
    if (pages.length < PAGES_PER_READ) return;
  }
}

/** What changes with any page of a version. */
function countsOf(stats: VersionStats | undefined): readonly number[] {
  return stats === undefined ? [] : [stats.pages, stats.duplicates, stats.chunks, stats.changedAt.getTime()];
}

export function toListed(
  source: Source,
  { label }: Version,
  stats: VersionStats | undefined,
  isPinned: boolean,
): ListedSource {
  const startUrl = webStartUrl(source);
  return { source: source.name, version: label, isPinned, pages: stats?.pages ?? 0, startUrl };
}

/** Every version with pages, by name, the newest first. */
function listSources(sources: readonly Source[], stats: readonly VersionStats[]): ListedSource[] {
  const byVersion = new Map(stats.map((one) => [one.version, one]));
  const named = sources.toSorted((a, b) => compareText(a.name, b.name));
  return named.flatMap((source) => {
    const newest = pickVersion(source.versions);
    const indexed = source.versions.filter(({ id }) => (byVersion.get(id)?.pages ?? 0) > 0);
    const ordered = [...indexed.filter((one) => one === newest), ...indexed.filter((one) => one !== newest)];
    return ordered.map((version) => toListed(source, version, byVersion.get(version.id), version !== newest));
  });
}

async function select(store: Store, segment: string): Promise<Selected> {
  const references = parseSourceSegment(segment);
  for (const { source: name, version: requested } of references) {
    const source = await store.sources.byName(name);
    if (source === null) continue;
    const version = pickVersion(source.versions, requested ?? undefined);
    if (version === undefined) throw unknownVersion(source.versions, requested ?? undefined);
    const address = sourcePath(name, requested === null ? null : version.label);
    const [stats] = await store.stats.versions([version.id]);
    return { source, version, stats, address, origin: originOf(source) };
  }
  const names = (await store.sources.list()).map(({ name }) => name);
  const [{ source: name } = { source: segment }] = references;
  throw pinakesError('source.unknown', { source: withSuggestions(name.slice(0, 100), names) });
}

async function findPage(store: Store, selected: Selected, path: string, query: string): Promise<PageUrl> {
  const { version, origin } = selected;
  const candidates = pagesAtPath(origin, path, query);
  const known = await store.pages.resolveCanonical(version.id, candidates);
  const found = candidates.map((url) => known.get(url)).find((url) => url !== undefined);
  if (found !== undefined) return found;
  const similar = await similarPaths(store, selected, path);
  const hint = similar.length === 0 ? '' : ` (did you mean ${similar.join(' or ')}?)`;
  throw pinakesError('page.unknown', { page: `${path.slice(0, 200)}${hint}` });
}

/** Among the pages of the same folder, otherwise among the first of the source. */
async function similarPaths(
  store: Store,
  { version, origin, address }: Selected,
  path: string,
): Promise<readonly string[]> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  for (const prefix of new Set([`${origin}/${folder}`, ''])) {
    const pages = await store.pages.byUrl(version.id, { prefix, after: null, limit: NEIGHBORS });
    const addresses = pages.map(({ url }) => docsPath(address, origin, url).slice(address.length + 1));
    const byName = new Map(addresses.map((one) => [withoutSuffix(one), one]));
    const similar = suggestNames(withoutSuffix(path.slice(0, 200)), [...byName.keys()]).flatMap(
      (name) => byName.get(name) ?? [],
    );
    if (similar.length > 0) return similar;
  }
  return [];
}

/** `.md` at the end of everything would make all short names similar, and a file without it different. */
function withoutSuffix(path: string): string {
  return path.replace(/(?:\.md)+(?=$|\?)/, '');
}

const MAX_MENUS = 20;

/** llms.txt of a project: its pages by section and path, and what its own llms.txt or its start page says about it. */
export async function writeLlmsTxt(
  store: Store,
  source: Source,
  version: Version,
): Promise<{ readonly text: string; readonly pages: number }> {
  const stored: StoredPage[] = [];
  for await (const page of pagesOf(store, { version })) stored.push(page);
  const startUrl = webStartUrl(source);
  const sectionOf = startUrl === null ? () => null : await sectionsOf(store, version, pageUrl(startUrl), stored);
  const pages = stored.map(({ url, title, description }): LlmsPage => {
    return { path: chunkPath(url), title, description, section: sectionOf(url) };
  });
  const isStart = ({ path }: LlmsPage): boolean =>
    startUrl === null ? /^(?:readme|index)\.\w+$/i.test(path) : path === startUrl;
  const own = storedDescription(await store.sources.siteProfile(version.id));
  const named = own?.title ?? source.name;
  const title = version.label === '' || named.includes(version.label) ? named : `${named} ${version.label}`;
  const summary = own?.summary ?? pages.find(isStart)?.description ?? null;
  return { text: projectLlmsTxt({ title, summary, startUrl }, pages), pages: pages.length };
}

/** The sections of a site, with the labels of its menus. */
async function sectionsOf(
  { analysis }: Store,
  { id }: Version,
  startUrl: PageUrl,
  pages: readonly StoredPage[],
): Promise<(url: PageUrl) => string | null> {
  const labels = sectionLabels((await analysis.navigation(id, MAX_MENUS)).flat());
  const urls = pages.map(({ url }) => url);
  const locate = createLocator(learnShape(urls, startUrl, labels));
  return (url) => locate(url).section?.label ?? null;
}
