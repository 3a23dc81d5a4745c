// Reads the sitemaps of a site, a file at a time, as they are consumed. A sitemap is hostile input like any other file:
// its URLs are judged by the scope while they are read, and there is a limit to files and to URLs.

import { type RobotsAccess, robotsSitemaps, robotsUrl } from '../../core/discover/robots/robots-access.ts';
import { DEFAULT_SITEMAP_PATH, mayFollowIndex } from '../../core/discover/sitemap/sitemap.ts';
import { isModifiedSince, type SitemapEntry } from '../../core/discover/sitemap/sitemap-entry.ts';
import { pageUrl, type PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import { isInScope, type UrlFilter } from '../../core/url/url-filter.ts';
import type { CrawlPorts } from '../context/ports.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import type { RunRules } from '../context/run-rules.ts';
import { type DiscoveryFetch, OTHER_SITE } from './discovery-fetch.ts';
import { readOrReport } from './parse-discovery-file.ts';
import { yieldToEventLoop } from '../../platform/clock.ts';

/** Some URLs of a sitemap, in its order. */
export interface SitemapPages {
  /** Inside the scope; nothing else was judged. */
  readonly pages: readonly PageUrl[];
  /** Outside the scope, to be recorded. */
  readonly outside: readonly PageUrl[];
  /** The `pages` that were modified since the last run, according to the sitemap. */
  readonly modified: readonly PageUrl[];
}

export interface SitemapDeps {
  readonly ports: Pick<CrawlPorts, 'parser'>;
  readonly discoveryFetch: DiscoveryFetch;
  readonly run: RunId;
  readonly report: ReportProblem;
  /** The start of the last run; null if there is none. */
  readonly sinceMs: number | null;
  readonly signal: AbortSignal;
}

/** Reading more sitemaps than this does not help. */
const MAX_SITEMAPS = 1000;
/** Limit for all sitemaps together, inside the scope or not. */
const MAX_ENTRIES = 5_000_000;
/** A sitemap of a whole site lists much that is outside the scope: this much of it is recorded, the rest is counted. */
const MAX_OUTSIDE = 10_000;
/** The limit of the protocol. A longer file is truncated, and what was read is used. */
const MAX_SITEMAP_BYTES = 50_000_000;
const XML_ACCEPT = 'application/xml, text/xml;q=0.9, text/plain;q=0.8, */*;q=0.5';
/** A robots.txt may have tens of thousands of lines that name no web URL: some are enough to find the mistake. */
const MAX_REPORTED_LINES = 10;
/** So many URLs are checked at a time: less than 10 ms of CPU time. */
const BATCH_SIZE = 1000;

interface SitemapLocation {
  readonly url: PageUrl;
  readonly depth: number;
  /** The site declared the file, so it is reported if it cannot be read. */
  readonly named: boolean;
}

/**
 * Reads the sitemaps that robots.txt names, otherwise the default location. Sitemap indexes are followed. What cannot be read is
 * reported, and the other files are read.
 */
export async function* readSitemaps(
  { startUrl, urlFilter }: Pick<RunRules, 'startUrl' | 'urlFilter'>,
  access: RobotsAccess,
  deps: SitemapDeps,
): AsyncGenerator<SitemapPages, undefined> {
  const left = await firstLocations(startUrl, access, deps);
  const seen = new Set<PageUrl>();
  let entries = 0;
  let outside = 0;
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    if (seen.has(next.url)) continue;
    if (seen.size === MAX_SITEMAPS || entries >= MAX_ENTRIES) {
      const most = seen.size === MAX_SITEMAPS ? `${MAX_SITEMAPS} sitemaps` : `${MAX_ENTRIES} entries in its sitemaps`;
      await reportSitemap(deps, next.url, `the site has more than ${most}; the rest was not read`);
      break;
    }
    seen.add(next.url);
    const listed = await readEntries(next, deps);
    entries += listed.length;
    for (let first = 0; first < listed.length; first += BATCH_SIZE) {
      const batch = listed.slice(first, first + BATCH_SIZE);
      const checked = checkScope(batch, urlFilter, deps.sinceMs);
      outside += checked.outside.length;
      yield outside > MAX_OUTSIDE ? { ...checked, outside: [] } : checked;
      addLocations(left, batch, next);
      await yieldToEventLoop(deps.signal);
    }
  }
  if (outside > MAX_OUTSIDE)
    await reportSitemap(
      deps,
      startUrl,
      `${outside} URLs are outside the scope; only some of them are recorded`,
      'info',
    );
}

async function firstLocations(start: PageUrl, access: RobotsAccess, deps: SitemapDeps): Promise<SitemapLocation[]> {
  const { sitemaps, ignored } =
    'robots' in access ? robotsSitemaps(access.robots, robotsUrl(start)) : { sitemaps: [], ignored: [] };
  for (const { value, line } of ignored.slice(0, MAX_REPORTED_LINES)) {
    await reportSitemap(deps, value, `named in line ${line} of robots.txt, but not a web URL`);
  }
  if (sitemaps.length === 0) return [{ url: pageUrl(DEFAULT_SITEMAP_PATH, start), depth: 0, named: false }];
  return sitemaps.slice(0, MAX_SITEMAPS + 1).map((url) => ({ url, depth: 0, named: true }));
}

/** More than can be read are not kept. */
function addLocations(left: SitemapLocation[], entries: readonly SitemapEntry[], { depth }: SitemapLocation): void {
  if (!mayFollowIndex(depth)) return;
  for (const { kind, url } of entries) {
    if (kind === 'sitemap' && left.length <= MAX_SITEMAPS) left.push({ url, depth: depth + 1, named: true });
  }
}

function checkScope(entries: readonly SitemapEntry[], urlFilter: UrlFilter, sinceMs: number | null): SitemapPages {
  const [pages, outside, modified]: [PageUrl[], PageUrl[], PageUrl[]] = [[], [], []];
  for (const entry of entries) {
    if (entry.kind !== 'page') continue;
    const isInside = isInScope(new URL(entry.url), urlFilter);
    (isInside ? pages : outside).push(entry.url);
    if (isInside && sinceMs !== null && isModifiedSince(entry, sinceMs)) modified.push(entry.url);
  }
  return { pages, outside, modified };
}

async function readEntries({ url, named }: SitemapLocation, deps: SitemapDeps): Promise<readonly SitemapEntry[]> {
  const file = await deps.discoveryFetch.fetchFile(url, { accept: XML_ACCEPT, cutAtBytes: MAX_SITEMAP_BYTES });
  if (file.kind !== 'file') {
    const reason = file.kind === 'none' ? file.reason : 'status 304';
    // One report for all of them.
    const target = reason.endsWith(OTHER_SITE) ? OTHER_SITE : url;
    if (named) await reportSitemap(deps, target, `it cannot be fetched: ${reason}`);
    return [];
  }
  const { mediaType, body } = file;
  const sitemap = await readOrReport({ kind: 'sitemap-unread', url }, deps, () =>
    deps.ports.parser.readSitemap({ url: file.url, mediaType, body }, deps.signal),
  );
  if (sitemap === null) return [];
  const { entries, stopped } = sitemap;
  if (file.truncated)
    await reportSitemap(deps, url, `it is longer than ${MAX_SITEMAP_BYTES} bytes; the rest was not read`);
  else if (stopped !== null && named) await reportSitemap(deps, url, `only partly read: ${stopped.detail}`);
  return entries;
}

async function reportSitemap(
  { run, report }: SitemapDeps,
  target: string,
  message: string,
  severity: 'info' | 'warning' = 'warning',
): Promise<void> {
  await report({ run, kind: 'sitemap-unread', severity, scope: 'site', target, message, details: {} });
}
