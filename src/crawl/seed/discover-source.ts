// Finds the URLs that a crawl starts with: llms.txt and llms-full.txt, then sitemaps, then the start page whose links
// are followed. Each level adds to the one before, and each URL keeps the level that found it first.
//
// Discovery is coordination and not a stage: it needs fetching and parsing, and stages never import each other.

import type { ListedPage, LlmsFullPage } from '../../core/discover/llms/llms-full-page.ts';
import {
  isLlmsFull,
  isLlmsTxt,
  llmsFullLocation,
  type LlmsTxt,
  llmsTxtLocations,
  type SiteDescription,
  siteDescription,
} from '../../core/discover/llms/llms-txt.ts';
import { API_CATALOG_PATH, apiDescriptions, LINKSET_TYPE } from '../../core/discover/api-catalog.ts';
import { simplifiedRules } from '../../core/discover/robots/robots.ts';
import { textResponseProblem } from '../../core/discover/text-response.ts';
import { decodeUtf8 } from '../../core/text/decode-utf8.ts';
import { pageUrl, type PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import { PRESETS } from '../../core/model/source-settings.ts';
import type { CrawlLimits, CrawlPorts } from '../context/ports.ts';
import { type ReportProblem, reportRobotsSimplified } from '../context/report-problem.ts';
import { maxUrlsOf, type RunRules } from '../context/run-rules.ts';
import type { FetchedDiscoveryFile, PoliteFetch } from '../politeness/polite-fetch.ts';
import type { RobotsCache } from '../politeness/robots-cache.ts';
import { type CachedLlmsFull, inputHashOf, type LlmsFullValidators } from '../site/llms-full-cache.ts';
import { readTerms } from '../site/terms-exclusion.ts';
import { createDiscoveryFetch, type DiscoveryFetch } from './discovery-fetch.ts';
import { readOrReport } from './parse-discovery-file.ts';
import { readSitemaps, type SitemapPages } from './read-sitemaps.ts';

export const TEXT_ACCEPT = 'text/plain, text/markdown;q=0.9, */*;q=0.5';
/** How much of a response is inspected to see whether it is text. */
const HEAD_BYTES = 4096;
/** llms-full.txt holds a whole site, so the page limit does not apply. The limit of a sitemap does. */
export const MAX_LLMS_FULL_BYTES = 52_428_800;
/** So many pages of sitemaps are read before the route is chosen and llms-full.txt is split: one file of the largest size. */
const MAX_FIRST_PAGES = 50_000;

export interface DiscoverDeps {
  readonly ports: CrawlPorts;
  readonly limits: Pick<CrawlLimits, 'maxPages'>;
  readonly robots: RobotsCache;
  readonly report: ReportProblem;
  readonly run: RunId;
  /** Fetches on behalf of this run. */
  readonly politeFetch: PoliteFetch;
  /** The start of the last run; null if there is none. */
  readonly sinceMs: number | null;
  /** The llms-full.txt cached by the last run; null if it must be fetched again. */
  readonly cachedLlmsFull: CachedLlmsFull | null;
}

/** URLs as the files state them; they may be Markdown variants of pages. */
export interface Discovery {
  readonly llmsTxt: readonly PageUrl[];
  /** From llms.txt; null if there is none. */
  readonly description: SiteDescription | null;
  readonly llmsFull: LlmsFullDiscovery;
  /** Usage terms in robots.txt; null if it cannot be read. */
  readonly usageTerms: readonly string[] | null;
  /** OpenAPI documents of the catalogue of the site. */
  readonly apiDescriptions: readonly PageUrl[];
  /** What was read of the sitemaps so far. */
  readonly sitemap: readonly SitemapPages[];
  /** The rest, which is read as it is consumed: there may be millions of URLs. */
  readonly moreSitemaps: AsyncIterable<SitemapPages>;
  readonly discoveryFetch: DiscoveryFetch;
}

/** What was found in llms-full.txt. */
export type LlmsFullDiscovery =
  /** Unchanged since the last run: its cached pages are used. */
  | { readonly kind: 'cached'; readonly urls: readonly PageUrl[] }
  | { readonly kind: 'read'; readonly pages: readonly LlmsFullPage[]; readonly validators: LlmsFullValidators | null };

export function llmsFullUrls(found: LlmsFullDiscovery): readonly PageUrl[] {
  return found.kind === 'cached' ? found.urls : found.pages.map(({ url }) => url);
}

export function sitemapUrls(sitemap: readonly SitemapPages[]): readonly PageUrl[] {
  return sitemap.flatMap(({ pages }) => pages);
}

const NO_LLMS_FULL: LlmsFullDiscovery = { kind: 'read', pages: [], validators: null };

export async function discoverSource(rules: RunRules, deps: DiscoverDeps, signal: AbortSignal): Promise<Discovery> {
  const levels = PRESETS[rules.settings.preset];
  const { startUrl } = rules;
  const access = await deps.robots.accessFor(startUrl, deps.run, signal);
  const simplified = 'robots' in access ? simplifiedRules(access.robots) : 0;
  if (simplified > 0) await reportRobotsSimplified({ run: deps.run, url: startUrl }, simplified, deps.report);
  const { usageTerms, isUsable } = await readTerms(access, rules, deps);
  const locations = llmsTxtCandidates(rules).filter(isUsable);
  const discoveryFetch = createDiscoveryFetch({ ...deps, named: [startUrl, ...locations] }, signal);
  const context: DiscoveryContext = { ...deps, discoveryFetch, signal };
  const llms = levels.llms
    ? await findLlmsTxt(
        locations.filter((url) => !isLlmsFull(url)),
        context,
      )
    : null;
  const sitemaps = levels.sitemaps ? readSitemaps(rules, access, context) : noSitemaps();
  const sitemap = await takeFirst(sitemaps, Math.min(MAX_FIRST_PAGES, maxUrlsOf(rules, deps.limits)));
  return {
    llmsTxt: llms?.text.links.map(({ url }) => url) ?? [],
    description: llms === null ? null : siteDescription(llms.text),
    llmsFull: levels.llms
      ? await findLlmsFull(llmsFullCandidates(llms, locations).filter(isUsable), knownPages(llms, sitemap), context)
      : NO_LLMS_FULL,
    apiDescriptions: levels.llms ? await readApiCatalog(startUrl, context) : [],
    usageTerms,
    sitemap,
    moreSitemaps: sitemaps,
    discoveryFetch,
  };
}

const CATALOG_ACCEPT = `${LINKSET_TYPE}, application/json;q=0.9, */*;q=0.5`;
/** A catalogue lists APIs, not their operations. */
const MAX_CATALOG_BYTES = 262_144;

/** A site without a catalogue is the rule, and one that cannot be read has no consequences. */
async function readApiCatalog(start: PageUrl, { discoveryFetch }: DiscoveryContext): Promise<readonly PageUrl[]> {
  const location = pageUrl(API_CATALOG_PATH, start);
  const file = await discoveryFetch.fetchFile(location, { accept: CATALOG_ACCEPT, cutAtBytes: MAX_CATALOG_BYTES });
  return file.kind === 'file' && !file.truncated ? apiDescriptions(decodeUtf8(file.body), file.url) : [];
}

async function* noSitemaps(): AsyncGenerator<SitemapPages, undefined> {}

async function takeFirst(
  sitemaps: AsyncGenerator<SitemapPages, undefined>,
  maxPages: number,
): Promise<readonly SitemapPages[]> {
  const taken: SitemapPages[] = [];
  for (let pages = 0; pages < maxPages;) {
    const { value } = await sitemaps.next();
    if (value === undefined) break;
    taken.push(value);
    pages += value.pages.length;
  }
  return taken;
}

interface DiscoveryContext extends DiscoverDeps {
  readonly discoveryFetch: DiscoveryFetch;
  readonly signal: AbortSignal;
}

interface LlmsTxtFile {
  readonly url: PageUrl;
  readonly text: LlmsTxt;
}

function llmsTxtCandidates({ startUrl, settings: { llmsTxt } }: RunRules): readonly PageUrl[] {
  return llmsTxt === null ? llmsTxtLocations(startUrl) : [pageUrl(llmsTxt)];
}

async function findLlmsTxt(locations: readonly PageUrl[], context: DiscoveryContext): Promise<LlmsTxtFile | null> {
  const { ports, discoveryFetch, signal } = context;
  for (const location of locations) {
    const file = await discoveryFetch.fetchFile(location, { accept: TEXT_ACCEPT });
    if (file.kind !== 'file' || !isText(file)) continue;
    const text = await readOrReport({ kind: 'llms-unread', url: location }, context, () =>
      ports.parser.readLlmsTxt(bodyOf(file), signal),
    );
    if (text !== null && isLlmsTxt(text)) return { url: file.url, text };
  }
  return null;
}

/** Next to llms.txt; without one, wherever it may be. */
function llmsFullCandidates(llms: LlmsTxtFile | null, locations: readonly PageUrl[]): readonly PageUrl[] {
  return llms === null
    ? locations.map((url) => (isLlmsFull(url) ? url : llmsFullLocation(url)))
    : [llmsFullLocation(llms.url)];
}

function knownPages(llms: LlmsTxtFile | null, sitemap: readonly SitemapPages[]): readonly ListedPage[] {
  return [
    ...(llms?.text.links ?? []).map(({ url, title }) => ({ url, title })),
    ...sitemapUrls(sitemap).map((url) => ({ url, title: null })),
  ];
}

async function findLlmsFull(
  locations: readonly PageUrl[],
  known: readonly ListedPage[],
  context: DiscoveryContext,
): Promise<LlmsFullDiscovery> {
  for (const location of locations) {
    const found = await readLlmsFull(location, known, context);
    if (llmsFullUrls(found).length > 0) return found;
  }
  return NO_LLMS_FULL;
}

async function readLlmsFull(
  location: PageUrl,
  known: readonly ListedPage[],
  context: DiscoveryContext,
): Promise<LlmsFullDiscovery> {
  const { ports, discoveryFetch, cachedLlmsFull, signal } = context;
  const inputHash = inputHashOf(location, known);
  const cached = cachedLlmsFull?.inputHash === inputHash ? cachedLlmsFull : null;
  const { etag, lastModified, urls } = cached ?? NOT_CACHED;
  const file = await discoveryFetch.fetchFile(location, {
    accept: TEXT_ACCEPT,
    cutAtBytes: MAX_LLMS_FULL_BYTES,
    etag,
    lastModified,
  });
  if (file.kind === 'unchanged') return cached === null ? NO_LLMS_FULL : { kind: 'cached', urls };
  // A truncated file ends in the middle of a page, so the pages are crawled instead.
  if (file.kind === 'none' || file.truncated || !isText(file)) return NO_LLMS_FULL;
  const split = await readOrReport({ kind: 'llms-unread', url: location }, context, () =>
    ports.parser.splitLlmsFull({ ...bodyOf(file), knownPages: known }, signal),
  );
  if (split === null) return NO_LLMS_FULL;
  return { kind: 'read', pages: split.pages, validators: validatorsOf(file, location, inputHash) };
}

const NOT_CACHED = { etag: null, lastModified: null, urls: [] };

function isText({ status, mediaType, body }: FetchedDiscoveryFile): boolean {
  return textResponseProblem({ status, mediaType, body: decodeUtf8(body.subarray(0, HEAD_BYTES)) }) === null;
}

function bodyOf({
  url,
  mediaType,
  body,
}: FetchedDiscoveryFile): Pick<FetchedDiscoveryFile, 'url' | 'mediaType' | 'body'> {
  return { url, mediaType, body };
}

/** Validators belong to the URL that sent them. */
function validatorsOf(
  { url, etag, lastModified }: FetchedDiscoveryFile,
  location: PageUrl,
  inputHash: string,
): LlmsFullValidators | null {
  return url === location && (etag !== null || lastModified !== null)
    ? { location, etag, lastModified, inputHash }
    : null;
}
