// Hash routes: single-page sites that keep the page in the fragment, such as `https://docs.example.dev/#/guide`. To a server they
// are one URL, so only a page that a browser rendered has them as links, and only a browser can fetch them.

import { createLruCache } from '../lru-cache.ts';
import type { Link } from '../model/document.ts';
import { parsePageUrl, type PageUrl } from '../model/page-url.ts';
import type { LinkCandidate } from '../discover/link-candidates.ts';

const MAX_ROUTE_CHARS = 500;

/**
 * The route of a URL, such as `#/guide`; null if its fragment is an anchor, or the root of the site. Parameters are dropped:
 * they lead to a place on the page (`#/guide?id=install`).
 */
export function hashRouteOf(href: string): string | null {
  const at = href.indexOf('#');
  if (at === -1 || href.length - at > MAX_ROUTE_CHARS) return null;
  const [, mark = '', route = ''] = /^#(!?)\/([^?#\s]*)/.exec(href.slice(at)) ?? [];
  const path = URL.parse(route, 'http://route/')?.pathname.slice(1) ?? '';
  return path === '' ? null : `#${mark}/${path}`;
}

/** The URL that the server sees. */
export function withoutHashRoute(url: PageUrl): PageUrl {
  const at = url.indexOf('#');
  return at === -1 ? url : (url.slice(0, at) as PageUrl);
}

export function withHashRoute(url: PageUrl, route: string | null): PageUrl {
  return route === null ? url : (`${withoutHashRoute(url)}${route}` as PageUrl);
}

/** The links of a rendered page to routes of its own document, each once. */
export function hashRouteLinks(
  { page, depth }: { readonly page: PageUrl; readonly depth: number },
  links: readonly Link[],
): readonly LinkCandidate[] {
  const document = withoutHashRoute(page);
  const byUrl = new Map<PageUrl, LinkCandidate>();
  for (const { href, text, rel, inContent } of links) {
    const route = rel.includes('nofollow') ? null : hashRouteOf(href);
    if (route === null || parsePageUrl(href, document) !== document) continue;
    const url = withHashRoute(document, route);
    if (url !== page && !byUrl.has(url)) byUrl.set(url, { url, depth: depth + 1, text, inContent });
  }
  return [...byUrl.values()];
}

/** Tells routes from anchors: some pages have fragments like routes for the parts of one page, such as its API operations. */
export interface HashRoutes {
  /** Whether the text of the document of a route is known. */
  knowsDocumentOf(url: PageUrl): boolean;
  /** The text of a document without a route. */
  record(url: PageUrl, text: string): void;
  /** Whether the text of a route is that of its document again; from then on, the document has no routes. */
  isSection(url: PageUrl, text: string): boolean;
  /** False if the document is known to have anchors only. */
  hasRoutes(url: PageUrl): boolean;
}

const MIN_LINES = 4;
const MAX_LINES = 2000;
const MAX_DOCUMENTS = 100;
const MAX_WITHOUT_ROUTES = 1000;
/** A route replaces the text; a section of a page leaves most of it. */
const SAME_SHARE = 0.6;

export function createHashRoutes(): HashRoutes {
  const documents = createLruCache<PageUrl, ReadonlySet<string>>(MAX_DOCUMENTS);
  const withoutRoutes = createLruCache<PageUrl, true>(MAX_WITHOUT_ROUTES);
  return {
    knowsDocumentOf: (url) => documents.get(withoutHashRoute(url)) !== undefined,
    record: (url, text) => documents.set(url, distinctLines(text)),
    isSection(url, text) {
      const document = withoutHashRoute(url);
      const lines = documents.get(document);
      if (document === url || lines === undefined || lines.size < MIN_LINES) return false;
      const found = distinctLines(text);
      const same = [...lines].filter((line) => found.has(line)).length;
      if (same < lines.size * SAME_SHARE) return false;
      withoutRoutes.set(document, true);
      return true;
    },
    hasRoutes: (url) => withoutRoutes.get(withoutHashRoute(url)) === undefined,
  };
}

function distinctLines(text: string): ReadonlySet<string> {
  const lines = text.split('\n').map((line) => line.trim());
  return new Set(lines.filter((line) => line.length > 3).slice(0, MAX_LINES));
}
