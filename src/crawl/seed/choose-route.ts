// Chooses, before the first claim, whether and where a host serves the Markdown of its pages, by probing three fixed
// pages.

import { linkCandidates } from '../../core/discover/link-candidates.ts';
import {
  MARKDOWN_ROUTES,
  markdownProblem,
  markdownRouteVerdict,
  markdownVariant,
  pagesToProbe,
  pagesWithVariants,
  type RouteProbe,
} from '../../core/discover/markdown/markdown-route.ts';
import { decodeUtf8 } from '../../core/model/decode-utf8.ts';
import { PinakesError } from '../../core/model/errors.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import { type PageUrl, parsePageUrl } from '../../core/model/page-url.ts';
import type { CrawlPorts } from '../context/ports.ts';
import { fetchDiscoveryFile, type PoliteFetch } from '../polite/polite-fetch.ts';
import { type Discovery, llmsFullUrls } from './discover-source.ts';
import { type AdmissionContext, admitUrl, admitUrls, linkUrls } from '../site/admit-urls.ts';
import { MARKDOWN_ACCEPT, type VariantRoute } from '../site/site-profile.ts';

export interface ProbeDeps {
  readonly parser: CrawlPorts['parser'];
  readonly politeFetch: PoliteFetch;
}

/**
 * The pages with which a host's Markdown route is probed, by their own URLs. Sitemaps and llms-full.txt state them;
 * otherwise the links of the start page do. llms.txt often lists Markdown variants, from which the URL of a page can only
 * be guessed; but if it lists the variant of a page known from elsewhere, that page is probed, since not every page of a
 * site has a variant. A site that states nothing is not probed.
 */
export async function probeCandidates(
  { sitemap, llmsTxt, llmsFull }: Discovery,
  admission: AdmissionContext,
  deps: ProbeDeps,
  signal: AbortSignal,
): Promise<readonly PageUrl[]> {
  const stated = [...sitemap, ...llmsFullUrls(llmsFull)];
  if (stated.length > 0) return pagesWithVariants(withoutMarkdownSuffix(stated), llmsTxt);
  if (llmsTxt.length === 0) return [];
  const linked = await linksOfStart(admission, deps, signal);
  return linked.length > 0 ? pagesWithVariants(linked, llmsTxt) : withoutMarkdownSuffix(llmsTxt);
}

/** Only links to pages, under the URLs that the crawl will use. */
async function linksOfStart(
  admission: AdmissionContext,
  { politeFetch, parser }: ProbeDeps,
  signal: AbortSignal,
): Promise<readonly PageUrl[]> {
  const { start } = admission.rules;
  if (!admitUrl({ href: start, depth: 0 }, admission).admit) return [];
  const outcome = await politeFetch({ url: start });
  if (outcome.kind !== 'fetched') return [];
  const { mediaType, headers, body } = outcome;
  try {
    const { document } = await parser.parse({ url: start, mediaType, headers, body }, signal);
    const { candidates } = linkCandidates({ page: start, depth: 0, links: document.links, follow: true });
    const { links } = admitUrls(linkUrls(candidates, start), admission);
    return links.map(({ url }) => url).filter((url) => !url.endsWith('.md'));
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    return [];
  }
}

function withoutMarkdownSuffix(urls: readonly PageUrl[]): readonly PageUrl[] {
  return urls.map((url) => parsePageUrl(url.replace(/\.md$/, ''))).filter((url) => url !== null);
}

export async function chooseMarkdownRoute(
  pages: readonly PageUrl[],
  politeFetch: PoliteFetch,
): Promise<VariantRoute | null> {
  const probed = pagesToProbe(pages);
  for (const route of MARKDOWN_ROUTES) {
    if (route === 'alternate') continue;
    const probes: RouteProbe[] = [];
    for (const page of probed) {
      const contentHash = await probeVariant(page, route, politeFetch);
      probes.push({ page, route, contentHash });
      if (contentHash === null) break;
    }
    if (markdownRouteVerdict(probes).kind === 'route') return route;
  }
  return null;
}

/** Whether the host responds with Markdown at the URL of the page itself. One page is enough to tell. */
export async function negotiatesMarkdown(pages: readonly PageUrl[], politeFetch: PoliteFetch): Promise<boolean> {
  const [page] = pagesToProbe(pages);
  if (page === undefined) return false;
  const outcome = await politeFetch({ url: page, cutAtBytes: 1 });
  return outcome.kind === 'fetched' && /^text\/(?:x-)?markdown\b/i.test(outcome.mediaType ?? '');
}

async function probeVariant(page: PageUrl, route: VariantRoute, politeFetch: PoliteFetch): Promise<string | null> {
  const variant = markdownVariant(page, route);
  const file = variant === null ? null : await fetchDiscoveryFile(politeFetch, variant, MARKDOWN_ACCEPT);
  if (file === null) return null;
  const body = decodeUtf8(file.body);
  return markdownProblem({ status: file.status, mediaType: file.mediaType, body }) === null ? sha256Hex(body) : null;
}
