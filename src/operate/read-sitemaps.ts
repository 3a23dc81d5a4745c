// Reads the sitemaps of a site: those that robots.txt names, else the usual place; indexes are followed.

import {
  robotsAccessVerdict,
  robotsSitemaps,
  robotsUrl,
  type RobotsAccess,
} from '../core/discover/robots/robots-access.ts';
import { followsIndex, SITEMAP_PLACE } from '../core/discover/sitemap/sitemap.ts';
import { pageUrl, type PageUrl } from '../core/model/page-url.ts';
import type { RunId } from '../core/model/run.ts';
import { askFileOutcome } from './ask-file.ts';
import type { AskHost } from '../crawl/polite/polite-fetch.ts';
import type { ReportProblem } from '../crawl/context/report-problem.ts';
import type { CrawlStages } from '../crawl/context/ports.ts';

/** A site that names more is not helped by reading them all. */
const MAX_FILES = 1000;
/** By their protocol. What comes after it is cut off, and what came before it is used. */
export const SITEMAP_BYTES = 50_000_000;
const XML = 'application/xml, text/xml;q=0.9, text/plain;q=0.8, */*;q=0.5';

export interface SitemapDeps {
  readonly stages: Pick<CrawlStages, 'parser'>;
  readonly access: RobotsAccess;
  readonly ask: AskHost;
  readonly run: RunId;
  readonly report: ReportProblem;
  readonly signal: AbortSignal;
}

export async function readSitemaps(start: PageUrl, deps: SitemapDeps): Promise<readonly PageUrl[]> {
  const { access } = deps;
  const file = robotsUrl(start);
  const { sitemaps, ignored } =
    'robots' in access ? robotsSitemaps(access.robots, file) : { sitemaps: [], ignored: [] };
  for (const { value, line } of ignored) {
    await tell(deps, value, `robots.txt names it in line ${line}, and it is no address on the web`);
  }
  if (sitemaps.length > 0) return readAll(sitemaps, deps, true);
  return readAll([pageUrl(SITEMAP_PLACE, start)], deps, false);
}

/** `named`: the site said that they are there, so one that cannot be had is worth a word. */
async function readAll(files: readonly PageUrl[], deps: SitemapDeps, named: boolean): Promise<readonly PageUrl[]> {
  const pages = new Set<PageUrl>();
  const seen = new Set<PageUrl>();
  const left = files.map((url) => ({ url, depth: 0 }));
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    if (seen.has(next.url) || !robotsAccessVerdict(deps.access, next.url).allowed) continue;
    if (seen.size === MAX_FILES) {
      await tell(deps, next.url, `the site has more than ${MAX_FILES} sitemaps; the rest was not read`);
      break;
    }
    seen.add(next.url);
    for (const { kind, url } of await entriesOf(next.url, deps, named || next.depth > 0)) {
      if (kind === 'page') pages.add(url);
      else if (followsIndex(next.depth)) left.push({ url, depth: next.depth + 1 });
    }
  }
  return [...pages];
}

async function entriesOf(
  url: PageUrl,
  deps: SitemapDeps,
  named: boolean,
): Promise<ReadonlyArray<{ readonly kind: 'page' | 'sitemap'; readonly url: PageUrl }>> {
  const { stages, ask, signal } = deps;
  const file = await askFileOutcome(ask, url, { accept: XML, cutAtBytes: SITEMAP_BYTES });
  if (file.kind !== 'file') {
    if (named) await tell(deps, url, `it cannot be had: ${file.kind === 'none' ? file.because : 'status 304'}`);
    return [];
  }
  const { mediaType, body } = file;
  const { entries, stopped } = await stages.parser.readSitemap({ url: file.url, mediaType, body }, signal);
  if (file.truncated) await tell(deps, url, `it is longer than ${SITEMAP_BYTES} bytes; the rest was not read`);
  else if (stopped !== null && named) await tell(deps, url, `it was read up to a point only: ${stopped.detail}`);
  return entries;
}

async function tell({ run, report }: SitemapDeps, target: string, message: string): Promise<void> {
  await report({ run, kind: 'sitemap-unread', severity: 'warning', scope: 'site', target, message, details: {} });
}
