// Reads the sitemaps of a site: those that robots.txt names, else the usual places; indexes are followed.

import { robotsAccessVerdict, robotsSitemaps, robotsUrl, type RobotsAccess } from '../core/discover/robots-fetch.ts';
import { followsIndex, SITEMAP_PLACES } from '../core/discover/sitemap.ts';
import { pageUrl, type PageUrl } from '../core/model/page-url.ts';
import { askFile } from './ask-file.ts';
import type { CrawlStages } from './stages.ts';

/** A site that names more is not helped by reading them all. */
const MAX_FILES = 500;
const XML = 'application/xml, text/xml;q=0.9, text/plain;q=0.8, */*;q=0.5';

export async function readSitemaps(
  start: PageUrl,
  access: RobotsAccess,
  stages: CrawlStages,
  signal: AbortSignal,
): Promise<readonly PageUrl[]> {
  const named = 'robots' in access ? robotsSitemaps(access.robots, robotsUrl(start)).sitemaps : [];
  if (named.length > 0) return readAll(named, access, stages, signal);
  for (const place of SITEMAP_PLACES) {
    const pages = await readAll([pageUrl(place, start)], access, stages, signal);
    if (pages.length > 0) return pages;
  }
  return [];
}

async function readAll(
  files: readonly PageUrl[],
  access: RobotsAccess,
  stages: CrawlStages,
  signal: AbortSignal,
): Promise<readonly PageUrl[]> {
  const pages = new Set<PageUrl>();
  const seen = new Set<PageUrl>();
  const left = files.map((url) => ({ url, depth: 0 }));
  for (let next = left.shift(); next !== undefined && seen.size < MAX_FILES; next = left.shift()) {
    if (seen.has(next.url) || !robotsAccessVerdict(access, next.url).allowed) continue;
    seen.add(next.url);
    const file = await askFile(stages, next.url, XML, signal);
    if (file === null) continue;
    const { entries } = await stages.parser.readSitemap(
      { url: file.url, mediaType: file.mediaType, body: file.body },
      signal,
    );
    for (const { kind, url } of entries) {
      if (kind === 'page') pages.add(url);
      else if (followsIndex(next.depth)) left.push({ url, depth: next.depth + 1 });
    }
  }
  return [...pages];
}
