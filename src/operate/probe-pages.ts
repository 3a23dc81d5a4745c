// Which pages a host's Markdown route is probed with: pages under their own addresses. Sitemaps and llms-full.txt state them;
// else the start page's links do. llms.txt often lists twins, from which the address of a page can only be guessed: but where
// it lists the twin of a page that is known otherwise, that page is the one to probe. Not every page of a site has a twin.
// A site that states nothing is not probed.

import { linkCandidates } from '../core/discover/link-candidates.ts';
import { pagesWithTwins } from '../core/discover/markdown/markdown-route.ts';
import { PinakesError } from '../core/model/errors.ts';
import { parsePageUrl, type PageUrl } from '../core/model/page-url.ts';
import { admitUrls, judge, linkUrls, type Gate } from '../crawl/site/admit-urls.ts';
import type { AskHost } from '../crawl/polite/polite-fetch.ts';
import { llmsFullUrls, type Discovery } from '../crawl/seed/discover-source.ts';
import type { CrawlStages } from '../crawl/context/ports.ts';

export interface ProbeDeps {
  readonly parser: CrawlStages['parser'];
  readonly ask: AskHost;
}

export async function probePages(
  { sitemap, llmsTxt, llmsFull }: Discovery,
  gate: Gate,
  around: ProbeDeps,
  signal: AbortSignal,
): Promise<readonly PageUrl[]> {
  const stated = [...sitemap, ...llmsFullUrls(llmsFull)];
  if (stated.length > 0) return pagesWithTwins(withoutTwinSuffixes(stated), llmsTxt);
  if (llmsTxt.length === 0) return [];
  const linked = await linksOfStart(gate, around, signal);
  return linked.length > 0 ? pagesWithTwins(linked, llmsTxt) : withoutTwinSuffixes(llmsTxt);
}

/** Only links to pages, under the addresses that the crawl will know them by. */
async function linksOfStart(gate: Gate, { ask, parser }: ProbeDeps, signal: AbortSignal): Promise<readonly PageUrl[]> {
  const { start } = gate.rules;
  if (!judge({ href: start, depth: 0 }, gate).admit) return [];
  const answer = await ask({ url: start });
  if (answer.kind !== 'fetched') return [];
  const { mediaType, headers, body } = answer;
  try {
    const { document } = await parser.parse({ url: start, mediaType, headers, body }, signal);
    const { candidates } = linkCandidates({ page: start, depth: 0, links: document.links, follow: true });
    const { links } = admitUrls(linkUrls(candidates, start), gate);
    return links.map(({ url }) => url).filter((url) => !url.endsWith('.md'));
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    return [];
  }
}

function withoutTwinSuffixes(urls: readonly PageUrl[]): readonly PageUrl[] {
  return urls.map((url) => parsePageUrl(url.replace(/\.md$/, ''))).filter((url) => url !== null);
}
