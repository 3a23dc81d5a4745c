// Finds the URLs that a crawl starts with: llms.txt and llms-full.txt, then sitemaps, then the start page whose links
// are followed. Each level adds to the one before, and each URL keeps the level that found it first.
//
// Discovery is coordination and not a stage: it needs fetching and parsing, and stages never import each other.

import type { LlmsFullPage } from '../../core/discover/llms/llms-full-page.ts';
import { llmsFullLocation, type LlmsTxt, llmsTxtLocations, llmsTxtVerdict } from '../../core/discover/llms/llms-txt.ts';
import {
  type RobotsAccess,
  robotsAccessVerdict,
  robotsSitemaps,
  robotsUrl,
} from '../../core/discover/robots/robots-access.ts';
import { DEFAULT_SITEMAP_PATH, mayFollowIndex } from '../../core/discover/sitemap/sitemap.ts';
import { textResponseProblem } from '../../core/discover/text-response.ts';
import { decodeUtf8 } from '../../core/model/decode-utf8.ts';
import { pageUrl, type PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import { PRESETS } from '../../core/model/source-settings.ts';
import type { CrawlPorts } from '../context/ports.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import type { RunRules } from '../context/run-rules.ts';
import {
  type DiscoveryFile,
  fetchDiscoveryFile,
  fetchDiscoveryFileOutcome,
  type PoliteFetch,
} from '../polite/polite-fetch.ts';
import type { RobotsCache } from '../polite/robots-cache.ts';
import { readOrReport } from './read-or-report.ts';
import { type CachedLlmsFull, inputHashOf, type LlmsFullValidators } from '../site/llms-full-cache.ts';

const TEXT_ACCEPT = 'text/plain, text/markdown;q=0.9, */*;q=0.5';
/** How much of a response is inspected to see whether it is text. */
const HEAD_BYTES = 4096;
/** llms-full.txt holds a whole site, so the page limit does not apply. The limit of a sitemap does. */
const MAX_LLMS_FULL_BYTES = 52_428_800;

export interface DiscoverDeps {
  readonly ports: CrawlPorts;
  readonly robots: RobotsCache;
  readonly report: ReportProblem;
  readonly run: RunId;
  /** Fetches on behalf of this run. */
  readonly politeFetch: PoliteFetch;
  /** The llms-full.txt cached by the last run; null if it must be fetched again. */
  readonly cachedLlmsFull: CachedLlmsFull | null;
}

/** URLs as the files state them; they may be Markdown variants of pages. */
export interface Discovery {
  readonly llmsTxt: readonly PageUrl[];
  readonly llmsFull: LlmsFullDiscovery;
  readonly sitemap: readonly PageUrl[];
}

/** What was found in llms-full.txt. */
export type LlmsFullDiscovery =
  /** Unchanged since the last run: its cached pages are used. */
  | { readonly kind: 'cached'; readonly urls: readonly PageUrl[] }
  | { readonly kind: 'read'; readonly pages: readonly LlmsFullPage[]; readonly validators: LlmsFullValidators | null };

export function llmsFullUrls(found: LlmsFullDiscovery): readonly PageUrl[] {
  return found.kind === 'cached' ? found.urls : found.pages.map(({ url }) => url);
}

const NO_LLMS_FULL: LlmsFullDiscovery = { kind: 'read', pages: [], validators: null };

export async function discoverSource(rules: RunRules, deps: DiscoverDeps, signal: AbortSignal): Promise<Discovery> {
  const levels = PRESETS[rules.settings.preset];
  const access = await deps.robots.accessFor(rules.start, deps.run, signal);
  const context: DiscoveryContext = { ...deps, access, signal };
  const llms = levels.llms ? await findLlmsTxt(llmsTxtCandidates(rules), context) : null;
  const sitemap = levels.sitemaps ? await readSitemaps(rules.start, context) : [];
  return {
    llmsTxt: llms?.text.links.map(({ url }) => url) ?? [],
    llmsFull: llms === null ? NO_LLMS_FULL : await readLlmsFull(llms, sitemap, context),
    sitemap,
  };
}

interface DiscoveryContext extends DiscoverDeps {
  readonly access: RobotsAccess;
  readonly signal: AbortSignal;
}

interface LlmsTxtFile {
  readonly url: PageUrl;
  readonly text: LlmsTxt;
}

function llmsTxtCandidates({ start, settings: { llmsTxt } }: RunRules): readonly PageUrl[] {
  return llmsTxt === null ? llmsTxtLocations(start) : [pageUrl(llmsTxt)];
}

async function findLlmsTxt(locations: readonly PageUrl[], context: DiscoveryContext): Promise<LlmsTxtFile | null> {
  const { ports, robots, run, politeFetch, signal } = context;
  for (const location of locations) {
    const access = await robots.accessFor(location, run, signal);
    const file = robotsAccessVerdict(access, location).allowed
      ? await fetchDiscoveryFile(politeFetch, location, TEXT_ACCEPT)
      : null;
    if (file === null) continue;
    const { status, mediaType, body, url } = file;
    if (!llmsTxtVerdict({ status, mediaType, body: decodeUtf8(body) }).valid) continue;
    const text = await readOrReport({ kind: 'llms-unread', url }, context, () =>
      ports.parser.readLlmsTxt({ url, mediaType, body }, signal),
    );
    if (text !== null) return { url, text };
  }
  return null;
}

async function readLlmsFull(
  llms: LlmsTxtFile,
  sitemap: readonly PageUrl[],
  context: DiscoveryContext,
): Promise<LlmsFullDiscovery> {
  const { ports, robots, run, politeFetch, cachedLlmsFull, signal } = context;
  const location = llmsFullLocation(llms.url);
  if (!robotsAccessVerdict(await robots.accessFor(location, run, signal), location).allowed) return NO_LLMS_FULL;
  const knownPages = [
    ...llms.text.links.map((link) => ({ url: link.url, title: link.title })),
    ...sitemap.map((page) => ({ url: page, title: null })),
  ];
  const inputHash = inputHashOf(knownPages);
  const cached = cachedLlmsFull?.inputHash === inputHash ? cachedLlmsFull : NOT_CACHED;
  const { etag, lastModified, urls } = cached;
  const file = await fetchDiscoveryFileOutcome(politeFetch, location, {
    accept: TEXT_ACCEPT,
    cutAtBytes: MAX_LLMS_FULL_BYTES,
    etag,
    lastModified,
  });
  if (file.kind === 'unchanged') return cached === NOT_CACHED ? NO_LLMS_FULL : { kind: 'cached', urls };
  if (file.kind === 'none' || !isWholeText(file)) return NO_LLMS_FULL;
  const split = await readOrReport({ kind: 'llms-unread', url: location }, context, () =>
    ports.parser.splitLlmsFull({ ...bodyOf(file), knownPages }, signal),
  );
  if (split === null) return NO_LLMS_FULL;
  return { kind: 'read', pages: split.pages, validators: validatorsOf(file, location, inputHash) };
}

const NOT_CACHED: CachedLlmsFull = { etag: null, lastModified: null, inputHash: '', urls: [] };

/** A truncated file ends in the middle of a page, so the pages are crawled instead. */
function isWholeText({ status, mediaType, body, truncated }: DiscoveryFile): boolean {
  if (truncated) return false;
  return textResponseProblem({ status, mediaType, body: decodeUtf8(body.subarray(0, HEAD_BYTES)) }) === null;
}

function bodyOf({ url, mediaType, body }: DiscoveryFile): Pick<DiscoveryFile, 'url' | 'mediaType' | 'body'> {
  return { url, mediaType, body };
}

/** Validators belong to the URL that sent them. */
function validatorsOf(
  { url, etag, lastModified }: DiscoveryFile,
  location: PageUrl,
  inputHash: string,
): LlmsFullValidators | null {
  return url === location && (etag !== null || lastModified !== null) ? { etag, lastModified, inputHash } : null;
}

/** Reading more sitemaps than this does not help. */
const MAX_SITEMAPS = 1000;
/** The limit of the protocol. A longer file is truncated, and what was read is used. */
const MAX_SITEMAP_BYTES = 50_000_000;
const XML_ACCEPT = 'application/xml, text/xml;q=0.9, text/plain;q=0.8, */*;q=0.5';

interface SitemapDeps {
  readonly ports: Pick<CrawlPorts, 'parser'>;
  readonly access: RobotsAccess;
  readonly politeFetch: PoliteFetch;
  readonly run: RunId;
  readonly report: ReportProblem;
  readonly signal: AbortSignal;
}

/**
 * Reads the sitemaps of a site: those that robots.txt names, otherwise the default location. Sitemap indexes are
 * followed.
 */
async function readSitemaps(start: PageUrl, deps: SitemapDeps): Promise<readonly PageUrl[]> {
  const { access } = deps;
  const file = robotsUrl(start);
  const { sitemaps, ignored } =
    'robots' in access ? robotsSitemaps(access.robots, file) : { sitemaps: [], ignored: [] };
  for (const { value, line } of ignored) {
    await reportSitemap(deps, value, `named in line ${line} of robots.txt, but not a web URL`);
  }
  if (sitemaps.length > 0) return readSitemapFiles(sitemaps, deps, true);
  return readSitemapFiles([pageUrl(DEFAULT_SITEMAP_PATH, start)], deps, false);
}

/** `named`: the site declared these files, so a missing one is reported. */
async function readSitemapFiles(
  files: readonly PageUrl[],
  deps: SitemapDeps,
  named: boolean,
): Promise<readonly PageUrl[]> {
  const pages = new Set<PageUrl>();
  const seen = new Set<PageUrl>();
  const left = files.map((url) => ({ url, depth: 0 }));
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    if (seen.has(next.url) || !robotsAccessVerdict(deps.access, next.url).allowed) continue;
    if (seen.size === MAX_SITEMAPS) {
      await reportSitemap(deps, next.url, `the site has more than ${MAX_SITEMAPS} sitemaps; the rest was not read`);
      break;
    }
    seen.add(next.url);
    for (const { kind, url } of await entriesOf(next.url, deps, named || next.depth > 0)) {
      if (kind === 'page') pages.add(url);
      else if (mayFollowIndex(next.depth)) left.push({ url, depth: next.depth + 1 });
    }
  }
  return [...pages];
}

async function entriesOf(
  url: PageUrl,
  deps: SitemapDeps,
  named: boolean,
): Promise<ReadonlyArray<{ readonly kind: 'page' | 'sitemap'; readonly url: PageUrl }>> {
  const { ports, politeFetch, signal } = deps;
  const file = await fetchDiscoveryFileOutcome(politeFetch, url, { accept: XML_ACCEPT, cutAtBytes: MAX_SITEMAP_BYTES });
  if (file.kind !== 'file') {
    if (named)
      await reportSitemap(deps, url, `it cannot be fetched: ${file.kind === 'none' ? file.because : 'status 304'}`);
    return [];
  }
  const { mediaType, body } = file;
  const sitemap = await readOrReport({ kind: 'sitemap-unread', url }, deps, () =>
    ports.parser.readSitemap({ url: file.url, mediaType, body }, signal),
  );
  if (sitemap === null) return [];
  const { entries, stopped } = sitemap;
  if (file.truncated)
    await reportSitemap(deps, url, `it is longer than ${MAX_SITEMAP_BYTES} bytes; the rest was not read`);
  else if (stopped !== null && named) await reportSitemap(deps, url, `only partly read: ${stopped.detail}`);
  return entries;
}

async function reportSitemap({ run, report }: SitemapDeps, target: string, message: string): Promise<void> {
  await report({ run, kind: 'sitemap-unread', severity: 'warning', scope: 'site', target, message, details: {} });
}
