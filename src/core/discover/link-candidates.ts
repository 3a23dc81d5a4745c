// From what a page links to the candidates of a crawl: addresses resolved, repeated ones and refused ones set aside.

import type { Link } from '../model/document.ts';
import { pageUrlReader, parsePageUrl, type PageUrl } from '../model/page-url.ts';
import { aliasKey } from '../url/alias-key.ts';

/** What relative addresses of a page refer to. A base that is no web address, or leads from the web to files, is ignored. */
export function baseOf(page: PageUrl, baseHref: string | null): PageUrl {
  const base = baseHref === null ? null : parsePageUrl(baseHref.trim(), page);
  return base === null || (page.startsWith('http') && !base.startsWith('http')) ? page : base;
}

export interface LinkCandidate {
  readonly url: PageUrl;
  readonly depth: number;
  readonly text: string;
  readonly inContent: boolean;
}

export interface LinkCandidates {
  readonly candidates: readonly LinkCandidate[];
  /** Links that their author asked not to follow. */
  readonly nofollow: readonly PageUrl[];
  /** How many addresses were no pages: `mailto:`, `javascript:` and the like. */
  readonly otherSchemes: number;
  /** How many different addresses were beyond the limit. */
  readonly overflow: number;
}

export interface LinkSource {
  readonly page: PageUrl;
  readonly depth: number;
  readonly links: readonly Link[];
  /** False where the page asks, by header or meta, that its links are not followed. */
  readonly follow: boolean;
}

export const MAX_LINKS_PER_PAGE = 20_000;

/**
 * Each page once; where a link stands in the content and in the navigation, the content's is kept. `rel=nofollow`
 * sets a link aside, but another link without it to the same page counts: someone does recommend the page.
 */
export function linkCandidates({ page, depth, links, follow }: LinkSource): LinkCandidates {
  const found = new Map<PageUrl, LinkCandidate>();
  const nofollow = new Set<PageUrl>();
  const read = pageUrlReader(page);
  let otherSchemes = 0;
  for (const { href, text, rel, inContent } of links) {
    const url = read(href);
    if (url === null || (page.startsWith('http') && !url.startsWith('http'))) otherSchemes += 1;
    else if (url === page) continue;
    else if (!follow || rel.includes('nofollow')) nofollow.add(url);
    else if (!found.has(url) || (inContent && found.get(url)?.inContent === false)) {
      found.set(url, { url, depth: depth + 1, text, inContent });
    }
  }
  const all = [...found.values()];
  return {
    candidates: all.slice(0, MAX_LINKS_PER_PAGE),
    nofollow: [...nofollow].filter((url) => !found.has(url)),
    otherSchemes,
    overflow: Math.max(0, all.length - MAX_LINKS_PER_PAGE),
  };
}

export type CanonicalVerdict =
  | { readonly kind: 'own' }
  | { readonly kind: 'alias'; readonly of: PageUrl }
  | { readonly kind: 'ignored'; readonly because: string };

/**
 * What `rel=canonical` makes of a page. Many sites name their front page, another host or a test server on every page
 * by mistake; believing that would fold the whole site into one page, so only an address in scope is believed.
 */
export function canonicalVerdict(
  page: PageUrl,
  canonical: string | null,
  inScope: (url: PageUrl) => boolean,
): CanonicalVerdict {
  if (canonical === null || canonical.trim() === '') return { kind: 'own' };
  const url = parsePageUrl(canonical.trim(), page);
  if (url === null || (page.startsWith('http') && !url.startsWith('http')))
    return { kind: 'ignored', because: 'not a web address' };
  if (url === page) return { kind: 'own' };
  if (!inScope(url)) return { kind: 'ignored', because: 'out of scope' };
  if (new URL(url).pathname === '/' && aliasKey(url) !== aliasKey(page))
    return { kind: 'ignored', because: 'it names the front page' };
  return { kind: 'alias', of: url };
}
