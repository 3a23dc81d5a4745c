// The links of a page: candidates for the crawl, outlinks for backlink search, and the meaning of `rel=canonical`.

import type { Document, Link } from '../model/document.ts';
import { createPageUrlParser, parsePageUrl, urlKey, type PageUrl, type UrlKey } from '../model/page-url.ts';

export interface LinkCandidate {
  readonly url: PageUrl;
  readonly depth: number;
  readonly text: string;
  readonly inContent: boolean;
}

export interface LinkCandidates {
  readonly candidates: readonly LinkCandidate[];
  /** Links marked nofollow. */
  readonly nofollow: readonly PageUrl[];
  /** Number of links with other schemes: `mailto:`, `javascript:` and the like. */
  readonly otherSchemes: number;
  /** Number of distinct links beyond the limit. */
  readonly overflow: number;
}

export interface LinkSource {
  readonly page: PageUrl;
  readonly depth: number;
  readonly links: readonly Link[];
  /** False if the page is marked nofollow, by header or meta element. */
  readonly follow: boolean;
}

export const MAX_LINKS_PER_PAGE = 20_000;

/**
 * Each page once; of a link in the content and one in the navigation, the one in the content is kept. A `rel=nofollow`
 * link is set aside, unless another link without it leads to the same page.
 */
export function linkCandidates({ page, depth, links, follow }: LinkSource): LinkCandidates {
  const byUrl = new Map<PageUrl, LinkCandidate>();
  const nofollow = new Set<PageUrl>();
  const parseHref = createPageUrlParser(page);
  let otherSchemes = 0;
  for (const { href, text, rel, inContent } of links) {
    const url = parseHref(href);
    if (url === null || (page.startsWith('http') && !url.startsWith('http'))) otherSchemes += 1;
    else if (url === page) continue;
    else if (!follow || rel.includes('nofollow')) nofollow.add(url);
    else if (!byUrl.has(url) || (inContent && byUrl.get(url)?.inContent === false)) {
      byUrl.set(url, { url, depth: depth + 1, text, inContent });
    }
  }
  const all = [...byUrl.values()];
  return {
    candidates: all.slice(0, MAX_LINKS_PER_PAGE),
    nofollow: [...nofollow].filter((url) => !byUrl.has(url)),
    otherSchemes,
    overflow: Math.max(0, all.length - MAX_LINKS_PER_PAGE),
  };
}

const MAX_MALFORMED_CHARS = 500;

/** Links that are meant for the web and cannot be parsed, as the page states them. Only one that names a host can be malformed. */
export function malformedLinks(links: ReadonlyArray<Pick<Link, 'href'>>): readonly string[] {
  const malformed = links.filter(({ href }) => /^(?:https?:)?\/\//i.test(href) && !URL.canParse(href, 'http://x/'));
  return [...new Set(malformed.map(({ href }) => href.slice(0, MAX_MALFORMED_CHARS)))];
}

export type CanonicalVerdict =
  | { readonly kind: 'own' }
  | { readonly kind: 'alias'; readonly of: PageUrl }
  | { readonly kind: 'ignored'; readonly reason: string };

/**
 * Interprets `rel=canonical`. By mistake, many sites name their front page, another host or a staging server on every page;
 * trusting that would collapse the whole site into one page, so only a URL in scope is trusted.
 */
export function canonicalVerdict(
  page: PageUrl,
  canonical: string | null,
  inScope: (url: PageUrl) => boolean,
): CanonicalVerdict {
  if (canonical === null || canonical.trim() === '') return { kind: 'own' };
  const url = parsePageUrl(canonical.trim(), page);
  if (url === null || (page.startsWith('http') && !url.startsWith('http')))
    return { kind: 'ignored', reason: 'not a web URL' };
  if (url === page) return { kind: 'own' };
  if (!inScope(url)) return { kind: 'ignored', reason: 'out of scope' };
  if (new URL(url).pathname === '/' && aliasKey(url) !== aliasKey(page))
    return { kind: 'ignored', reason: 'it names the front page' };
  return { kind: 'alias', of: url };
}

const MAX_OUTLINKS = 500;

/** Links in the content of a page to other pages. Navigation is left out: it links everywhere and says nothing about the page. */
export function outlinkKeys({ url: self, links }: Pick<Document, 'url' | 'links'>): readonly UrlKey[] {
  const parseHref = createPageUrlParser(self);
  const urls = new Set<PageUrl>();
  for (const { href, inContent } of links) {
    const url = inContent ? parseHref(href) : null;
    if (url !== null && url !== self) urls.add(url);
    if (urls.size >= MAX_OUTLINKS) break;
  }
  return [...urls].map(urlKey);
}

const INDEX_FILE = /\/(?:index|default)\.(?:html?|xhtml|php|aspx?|md)$/i;

/**
 * Same key for URLs that may be the same page: with or without a final slash, with or without the index file, over http or
 * https. They are only candidates; the content decides.
 */
export function aliasKey(url: PageUrl): string {
  const { protocol, host, pathname, search } = new URL(url);
  const folder = pathname.replace(INDEX_FILE, '/').replace(/\/{2,}/g, '/');
  const path = folder.length > 1 && folder.endsWith('/') ? folder.slice(0, -1) : folder;
  return `${protocol === 'file:' ? 'file:' : ''}//${host}${path}${search}`;
}
