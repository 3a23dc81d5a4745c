// Markdown variants of HTML pages: where a host may publish them, which responses count, and which route to use for a whole
// host. The route is chosen once from a few probes, so that every crawl of the host uses the same one.

import { pageUrl, urlKey, type PageUrl } from '../../model/page-url.ts';
import { textResponseProblem, type TextResponse } from '../text-response.ts';
import { compareText } from '../../text/compare-text.ts';

/** Sent with every request: a server that supports content negotiation may respond with Markdown directly. */
export const ACCEPT_HEADER = 'text/markdown, text/html;q=0.9, */*;q=0.8';

/** In order of preference. `alternate` needs the HTML first, so it is last. */
export const MARKDOWN_ROUTES = ['suffix', 'replace', 'index-html', 'html-suffix', 'alternate'] as const;
export type MarkdownRoute = (typeof MARKDOWN_ROUTES)[number];

/**
 * The URL of a page's Markdown variant by a route; null if the route has none for it.
 *
 *               /a.html       /a                  /a/
 *   suffix      /a.html.md    /a.md               /a.md, else /a/index.html.md
 *   replace     /a.md         –                   /a/index.md
 *   index-html  –             /a/index.html.md    /a/index.html.md
 *   html-suffix –             /a.html.md          /a.html.md
 */
export function markdownVariant(page: PageUrl, route: Exclude<MarkdownRoute, 'alternate'>): PageUrl | null {
  const { pathname } = new URL(page);
  if (/\.(?:md|mdx|markdown|txt|json|ya?ml|xml|ipynb)$/i.test(pathname)) return null;
  const path = VARIANT_PATHS[route](pathname);
  if (path === null) return null;
  const variant = new URL(page);
  variant.pathname = path;
  return pageUrl(variant.href);
}

/** The other location of a folder's variant: hosts whose files end in `.html` publish it next to the index file. */
export function folderVariant(page: PageUrl, route: Exclude<MarkdownRoute, 'alternate'>): PageUrl | null {
  const variant = new URL(page);
  if (route !== 'suffix' || !variant.pathname.endsWith('/')) return null;
  variant.pathname += 'index.html.md';
  return pageUrl(variant.href);
}

const HTML_FILE = /\.x?html?$/i;
const bare = (path: string): string => path.replace(/\/$/, '');

const VARIANT_PATHS: Readonly<Record<Exclude<MarkdownRoute, 'alternate'>, (path: string) => string | null>> = {
  suffix: (path) => (path === '/' ? '/index.md' : `${bare(path)}.md`),
  replace: (path) => {
    if (path.endsWith('/')) return `${path}index.md`;
    return HTML_FILE.test(path) ? path.replace(HTML_FILE, '.md') : null;
  },
  'index-html': (path) => (HTML_FILE.test(path) ? null : `${bare(path)}/index.html.md`),
  'html-suffix': (path) => (HTML_FILE.test(path) || path === '/' ? null : `${bare(path)}.html.md`),
};

/** The page of a Markdown variant, given the route of the host; null if the URL is not a variant. */
export function pageOfVariant(variant: PageUrl, route: MarkdownRoute): PageUrl | null {
  const url = new URL(variant);
  const page = url.pathname.replace(/\.md$/, '');
  if (page === url.pathname) return null;
  if (route === 'suffix') url.pathname = page === '/index' ? '/' : page;
  else if (route === 'replace')
    url.pathname = page.endsWith('/index') ? page.slice(0, -'index'.length) : `${page}.html`;
  else if (route === 'index-html' && page.endsWith('/index.html')) url.pathname = page.slice(0, -'index.html'.length);
  else if (route === 'html-suffix' && page.endsWith('.html')) url.pathname = page.slice(0, -'.html'.length);
  else return null;
  return pageUrl(url.href);
}

/** Why the response is not usable Markdown; null if it is. */
export function markdownProblem(response: TextResponse): string | null {
  return textResponseProblem(response) ?? (response.body.trim() === '' ? 'the body is empty' : null);
}

export const PROBED_PAGES = 3;

/** Picks the pages with which a host is probed, out of any number, one after the other. */
export interface ProbePicker {
  add(page: PageUrl): void;
  picked(): readonly PageUrl[];
}

/**
 * Always the same pages of a host, independent of the order of discovery. Without front pages, which are rarely typical.
 * Pages whose Markdown variants are listed come first if there are enough of them, since not every page of a site has one.
 */
export function createProbePicker(listed: readonly PageUrl[]): ProbePicker {
  const variants = new Set<string>(listed.filter((url) => url.endsWith('.md')));
  const all = createLowestKeys();
  const withVariant = createLowestKeys();
  return {
    add(page) {
      if (new URL(page).pathname === '/') return;
      all.add(page);
      if (variants.size > 0 && variantUrls(page).some((variant) => variants.has(variant))) withVariant.add(page);
    },
    picked: () => (withVariant.pages().length < PROBED_PAGES ? all : withVariant).pages(),
  };
}

/** The pages with the lowest keys. Keys are hashes, so these are pages from anywhere in the site. */
function createLowestKeys(): { add(page: PageUrl): void; pages(): readonly PageUrl[] } {
  let lowest: readonly { readonly page: PageUrl; readonly key: string }[] = [];
  return {
    add(page) {
      const key = urlKey(page);
      if (lowest.some((one) => one.key === key)) return;
      if (lowest.length === PROBED_PAGES && key > (lowest.at(-1)?.key ?? '')) return;
      lowest = [...lowest, { page, key }].sort((a, b) => compareText(a.key, b.key)).slice(0, PROBED_PAGES);
    },
    pages: () => lowest.map(({ page }) => page),
  };
}

/** Same as `markdownVariant`, for URLs without a query: sites have many pages, and parsing each URL takes time. */
function variantUrls(page: string): readonly string[] {
  const path = bare(page);
  return [`${path}.md`, page.replace(HTML_FILE, '.md'), `${path}/index.md`, `${path}/index.html.md`, `${path}.html.md`];
}

/** Whether the probed pages are files such as `/a.html`. */
export function areHtmlFiles(probed: readonly PageUrl[]): boolean {
  return probed.length > 0 && probed.every((page) => HTML_FILE.test(new URL(page).pathname));
}

export interface RouteProbe {
  readonly page: PageUrl;
  readonly route: MarkdownRoute;
  /** Hash of the accepted Markdown; null if the response was not accepted. */
  readonly contentHash: string | null;
}

export type RouteVerdict =
  | { readonly kind: 'route'; readonly route: MarkdownRoute }
  | { readonly kind: 'none'; readonly reason: string };

/** Chooses the first route that worked for every probed page, with a different text each time. */
export function markdownRouteVerdict(probes: readonly RouteProbe[]): RouteVerdict {
  const pages = new Set(probes.map(({ page }) => page));
  if (pages.size === 0) return { kind: 'none', reason: 'no page was probed' };
  for (const route of MARKDOWN_ROUTES) {
    const hashes = probes.flatMap((probe) =>
      probe.route === route && probe.contentHash !== null ? [probe.contentHash] : [],
    );
    if (hashes.length < pages.size) continue;
    if (new Set(hashes).size === hashes.length) return { kind: 'route', route };
  }
  return { kind: 'none', reason: 'no route has a distinct Markdown text for every probed page' };
}
