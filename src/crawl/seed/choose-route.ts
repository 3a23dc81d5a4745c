// Chooses, before the first claim, whether and where a host serves the Markdown of its pages, by probing three fixed
// pages.

import { linkCandidates } from '../../core/discover/link-candidates.ts';
import {
  createProbePicker,
  MARKDOWN_ROUTES,
  markdownProblem,
  markdownRouteVerdict,
  markdownVariant,
  type RouteProbe,
} from '../../core/discover/markdown/markdown-route.ts';
import { decodeUtf8 } from '../../core/text/decode-utf8.ts';
import { PinakesError } from '../../core/model/errors.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import { type PageUrl, parsePageUrl } from '../../core/model/page-url.ts';
import { isInScope } from '../../core/url/url-filter.ts';
import type { CrawlPorts } from '../context/ports.ts';
import type { PoliteFetch } from '../politeness/polite-fetch.ts';
import { type Discovery, llmsFullUrls, sitemapUrls } from './discover-source.ts';
import type { DiscoveryFetch } from './discovery-fetch.ts';
import { type AdmissionContext, admitUrl, admitUrls, linkUrls } from '../site/admit-urls.ts';
import { alternateOf, HTML_ACCEPT, MARKDOWN_ACCEPT, type VariantRoute } from '../site/site-profile.ts';
import { yieldToEventLoop } from '../../platform/clock.ts';

export interface RouteProbeDeps {
  readonly parser: CrawlPorts['parser'];
  readonly politeFetch: PoliteFetch;
}

/**
 * The pages with which a host's Markdown route is probed, by their own URLs. Sitemaps and llms-full.txt state them;
 * otherwise the links of the start page do. llms.txt often lists Markdown variants, from which the URL of a page can only
 * be guessed; but if it lists the variant of a page known from elsewhere, that page is probed, since not every page of a
 * site has a variant. A site that states nothing is not probed.
 */
export async function pagesToProbe(
  { sitemap, llmsTxt, llmsFull }: Discovery,
  admission: AdmissionContext,
  deps: RouteProbeDeps,
  signal: AbortSignal,
): Promise<readonly PageUrl[]> {
  const stated = [...sitemapUrls(sitemap), ...llmsFullUrls(llmsFull)];
  const inScope = (urls: readonly PageUrl[]): Promise<readonly PageUrl[]> =>
    pickPages(urls, llmsTxt, admission, signal);
  if (stated.length > 0) return inScope(stated);
  if (llmsTxt.length === 0) return [];
  const linked = await linksOfStart(admission, deps, signal);
  return inScope(linked.length > 0 ? linked : llmsTxt);
}

const BATCH_SIZE = 1000;

/** Only pages inside the scope. There may be many, so other work of the thread goes on in the meantime. */
async function pickPages(
  urls: readonly PageUrl[],
  llmsTxt: readonly PageUrl[],
  { rules: { urlFilter } }: AdmissionContext,
  signal: AbortSignal,
): Promise<readonly PageUrl[]> {
  const picker = createProbePicker(llmsTxt);
  for (let first = 0; first < urls.length; first += BATCH_SIZE) {
    for (const url of urls.slice(first, first + BATCH_SIZE)) {
      const page = parsePageUrl(url.replace(/\.md$/, ''));
      if (page !== null && isInScope(new URL(page), urlFilter)) picker.add(page);
    }
    await yieldToEventLoop(signal);
  }
  return picker.picked();
}

/** Only links to pages, under the URLs that the crawl will use. */
async function linksOfStart(
  admission: AdmissionContext,
  { politeFetch, parser }: RouteProbeDeps,
  signal: AbortSignal,
): Promise<readonly PageUrl[]> {
  const { startUrl } = admission.rules;
  if (!admitUrl({ href: startUrl, depth: 0 }, admission).admit) return [];
  const outcome = await politeFetch({ url: startUrl });
  if (outcome.kind !== 'fetched') return [];
  const { mediaType, headers, body } = outcome;
  try {
    const { document } = await parser.parse({ url: startUrl, mediaType, headers, body }, signal);
    const { candidates } = linkCandidates({ page: startUrl, depth: 0, links: document.links, follow: true });
    const { links } = admitUrls(linkUrls(candidates, startUrl), admission);
    return links.map(({ url }) => url).filter((url) => !url.endsWith('.md'));
  } catch (error) {
    if (signal.aborted || !(error instanceof PinakesError)) throw error;
    return [];
  }
}

export async function chooseMarkdownRoute(
  probed: readonly PageUrl[],
  discoveryFetch: DiscoveryFetch,
): Promise<ChosenRoute> {
  for (const route of MARKDOWN_ROUTES) {
    if (route === 'alternate') continue;
    const probes: RouteProbe[] = [];
    const variants = new Map<PageUrl, Uint8Array>();
    for (const page of probed) {
      const body = await probeVariant(page, route, discoveryFetch);
      probes.push({ page, route, contentHash: body === null ? null : sha256Hex(decodeUtf8(body)) });
      if (body === null) break;
      variants.set(page, body);
    }
    if (markdownRouteVerdict(probes).kind === 'route') return { route, variants };
  }
  return { route: null, variants: new Map() };
}

export interface ChosenRoute {
  readonly route: VariantRoute | null;
  /** The variants of the probed pages. */
  readonly variants: ReadonlyMap<PageUrl, Uint8Array>;
}

/** How the host responds for the Markdown of one page, which is enough to decide. */
export interface PageProbe {
  /** It responds with Markdown at the URL of the page itself. */
  readonly negotiates: boolean;
  /** The page names its Markdown. */
  readonly hasAlternate: boolean;
}

/** So much of the page is read to find its head. */
const MAX_HEAD_BYTES = 131_072;

export async function probePage(
  [page]: readonly PageUrl[],
  politeFetch: PoliteFetch,
  { exclusionOf }: DiscoveryFetch,
): Promise<PageProbe> {
  const nothing = { negotiates: false, hasAlternate: false };
  if (page === undefined || (await exclusionOf(page)) !== null) return nothing;
  const outcome = await politeFetch({ url: page, cutAtBytes: MAX_HEAD_BYTES });
  if (outcome.kind !== 'fetched') return nothing;
  const negotiates = /^text\/(?:x-)?markdown\b/i.test(outcome.mediaType ?? '');
  return { negotiates, hasAlternate: !negotiates && alternateOf(page, outcome) !== null };
}

/** The Markdown of the probed pages at the alternates that they name; empty unless each has its own. */
export async function readAlternates(
  probed: readonly PageUrl[],
  { fetchFile }: DiscoveryFetch,
): Promise<ReadonlyMap<PageUrl, Uint8Array>> {
  const variants = new Map<PageUrl, Uint8Array>();
  const probes: RouteProbe[] = [];
  for (const page of probed) {
    const html = await fetchFile(page, { accept: HTML_ACCEPT });
    const alternate = html.kind === 'file' ? alternateOf(page, html) : null;
    const body = alternate === null ? null : await fetchMarkdown(alternate, fetchFile);
    if (body === null) return new Map();
    variants.set(page, body);
    probes.push({ page, route: 'alternate', contentHash: sha256Hex(decodeUtf8(body)) });
  }
  return markdownRouteVerdict(probes).kind === 'route' ? variants : new Map();
}

async function probeVariant(
  page: PageUrl,
  route: VariantRoute,
  { fetchFile }: DiscoveryFetch,
): Promise<Uint8Array | null> {
  const variant = markdownVariant(page, route);
  return variant === null ? null : fetchMarkdown(variant, fetchFile);
}

/** Null if the response is not Markdown. */
async function fetchMarkdown(url: PageUrl, fetchFile: DiscoveryFetch['fetchFile']): Promise<Uint8Array | null> {
  const file = await fetchFile(url, { accept: MARKDOWN_ACCEPT });
  if (file.kind !== 'file') return null;
  const body = decodeUtf8(file.body);
  return markdownProblem({ status: file.status, mediaType: file.mediaType, body }) === null ? file.body : null;
}
