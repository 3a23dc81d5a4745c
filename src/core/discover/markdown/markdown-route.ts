// The Markdown route: where a host may keep the Markdown of a page, which answers count, and which way to go for a
// whole host, chosen once from a few probes so that every crawl of it goes the same way.

import { pageUrl, parsePageUrl, urlKey, type PageUrl } from '../../model/page-url.ts';
import { textAnswerProblem, type TextAnswer } from '../text-response.ts';

/** Sent with every fetch: a server that has Markdown may answer with it at once. */
export const ACCEPT_HEADER = 'text/markdown, text/html;q=0.9, */*;q=0.8';

/** In the order in which they are preferred. `alternate` needs the HTML first, so it comes last. */
export const MARKDOWN_ROUTES = ['suffix', 'replace', 'index-html', 'html-suffix', 'alternate'] as const;
export type MarkdownRoute = (typeof MARKDOWN_ROUTES)[number];

/**
 * The twin that a route gives a page; null where the route has none for it.
 *
 *               /a.html       /a                  /a/
 *   suffix      /a.html.md    /a.md               /a.md, else /a/index.html.md
 *   replace     /a.md         –                   /a/index.md
 *   index-html  –             /a/index.html.md    /a/index.html.md
 *   html-suffix –             /a.html.md          /a.html.md
 */
export function markdownTwin(page: PageUrl, route: Exclude<MarkdownRoute, 'alternate'>): PageUrl | null {
  const { pathname } = new URL(page);
  if (/\.(?:md|mdx|markdown|txt|json|ya?ml|xml|ipynb)$/i.test(pathname)) return null;
  const path = TWINS[route](pathname);
  if (path === null) return null;
  const twin = new URL(page);
  twin.pathname = path;
  return pageUrl(twin.href);
}

/** Where else the twin of a folder may be: a host whose files end in `.html` keeps it beside them. */
export function otherTwin(page: PageUrl, route: Exclude<MarkdownRoute, 'alternate'>): PageUrl | null {
  const twin = new URL(page);
  if (route !== 'suffix' || !twin.pathname.endsWith('/')) return null;
  twin.pathname += 'index.html.md';
  return pageUrl(twin.href);
}

const HTML_FILE = /\.x?html?$/i;
const bare = (path: string): string => path.replace(/\/$/, '');

const TWINS: Readonly<Record<Exclude<MarkdownRoute, 'alternate'>, (path: string) => string | null>> = {
  suffix: (path) => (path === '/' ? '/index.md' : `${bare(path)}.md`),
  replace: (path) => {
    if (path.endsWith('/')) return `${path}index.md`;
    return HTML_FILE.test(path) ? path.replace(HTML_FILE, '.md') : null;
  },
  'index-html': (path) => (HTML_FILE.test(path) ? null : `${bare(path)}/index.html.md`),
  'html-suffix': (path) => (HTML_FILE.test(path) || path === '/' ? null : `${bare(path)}.html.md`),
};

/** The page that a twin was made from, where the host's route is known; null where the address is no twin of it. */
export function pageOfTwin(twin: PageUrl, route: MarkdownRoute): PageUrl | null {
  const url = new URL(twin);
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

export interface HeadLink {
  readonly rel: readonly string[];
  readonly type: string | null;
  readonly href: string;
}

/** `<link rel="alternate" type="text/markdown">`. */
export function markdownAlternate(links: readonly HeadLink[], base: PageUrl): PageUrl | null {
  const link = links.find(
    ({ rel, type }) => rel.includes('alternate') && /^text\/(?:x-)?markdown\b/i.test(type?.trim() ?? ''),
  );
  return link === undefined ? null : parsePageUrl(link.href, base);
}

/** Which addresses to try for a page, each once, in order of preference. */
export function markdownCandidates(
  page: PageUrl,
  alternate: PageUrl | null,
): readonly { readonly route: MarkdownRoute; readonly url: PageUrl }[] {
  const seen = new Set<PageUrl>([page]);
  return MARKDOWN_ROUTES.flatMap((route) => {
    const url = route === 'alternate' ? alternate : markdownTwin(page, route);
    if (url === null || seen.has(url)) return [];
    seen.add(url);
    return [{ route, url }];
  });
}

/** Null where the answer is Markdown to be used, else why not. */
export function markdownProblem(answer: TextAnswer): string | null {
  return textAnswerProblem(answer) ?? (answer.body.trim() === '' ? 'the body is empty' : null);
}

export const PROBED_PAGES = 3;

/** The same pages of a host every time, whatever order they were found in; front pages are seldom like the others. */
export function pagesToProbe(pages: readonly PageUrl[]): readonly PageUrl[] {
  const inner = [...new Set(pages)].filter((page) => new URL(page).pathname !== '/');
  const ranked = inner.map((page) => ({ page, key: urlKey(page) }));
  ranked.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return ranked.slice(0, PROBED_PAGES).map(({ page }) => page);
}

/** Those of the pages whose twins are listed; all of them where too few are. */
export function pagesWithTwins(pages: readonly PageUrl[], listed: readonly PageUrl[]): readonly PageUrl[] {
  const twins = new Set<string>(listed.filter((url) => url.endsWith('.md')));
  if (twins.size === 0) return pages;
  const having = pages.filter((page) => twinTexts(page).some((twin) => twins.has(twin)));
  return having.length < PROBED_PAGES ? pages : having;
}

/** As `markdownTwin` has them, for addresses without a query: sites have many pages, and reading each as a URL takes time. */
function twinTexts(page: string): readonly string[] {
  const path = bare(page);
  return [`${path}.md`, page.replace(HTML_FILE, '.md'), `${path}/index.md`, `${path}/index.html.md`, `${path}.html.md`];
}

/** Whether the pages that are probed are files such as `/a.html`. */
export function areHtmlFiles(pages: readonly PageUrl[]): boolean {
  const probed = pagesToProbe(pages);
  return probed.length > 0 && probed.every((page) => HTML_FILE.test(new URL(page).pathname));
}

export interface RouteProbe {
  readonly page: PageUrl;
  readonly route: MarkdownRoute;
  /** Hash of the accepted Markdown; null where the answer was not accepted. */
  readonly contentHash: string | null;
}

export type RouteVerdict =
  | { readonly kind: 'route'; readonly route: MarkdownRoute }
  | { readonly kind: 'none'; readonly because: string };

/** A route is taken where it worked for every probed page, with a different text each time. */
export function markdownRouteVerdict(probes: readonly RouteProbe[]): RouteVerdict {
  const pages = new Set(probes.map(({ page }) => page));
  if (pages.size === 0) return { kind: 'none', because: 'no page was probed' };
  for (const route of MARKDOWN_ROUTES) {
    const hashes = probes.flatMap((probe) =>
      probe.route === route && probe.contentHash !== null ? [probe.contentHash] : [],
    );
    if (hashes.length < pages.size) continue;
    if (new Set(hashes).size === hashes.length) return { kind: 'route', route };
  }
  return { kind: 'none', because: 'no way led to a Markdown text of its own for every probed page' };
}
