// A URL of a version with its evidence: the pages and lists that name it, and its outcome.

import type { PageUrl, UrlKey } from '../model/page-url.ts';

/** What names a URL, the best evidence first. `taxonomy`: it matches the pattern of other URLs that exist. */
export const EVIDENCE = ['navigation', 'llms-txt', 'sitemap', 'taxonomy', 'stored'] as const;
export type Evidence = (typeof EVIDENCE)[number];

export interface KnownUrl {
  readonly key: UrlKey;
  readonly url: PageUrl;
  /** The list of the site that names it; null for one that only pages link to. */
  readonly listedBy: 'llms-txt' | 'sitemap' | null;
  /** `gone`: not found, failed, or without content. `moved`: another URL is its page. `left-out`: a rule excludes it. */
  readonly state: 'queued' | 'stored' | 'moved' | 'gone' | 'left-out';
  /** The page that it moved to, or whose duplicate it is. */
  readonly target: UrlKey | null;
  readonly pageKind: string | null;
  readonly navLinks: number;
  /** Pages that link to it in their text. */
  readonly inlinks: number;
  readonly contentLinks: number;
  /** How sure the classification of a stored page is, from 0 to 1. */
  readonly confidence: number | null;
  /** Time since the stored page was changed. */
  readonly changedAgoMs: number | null;
  readonly title: string | null;
  readonly words: number | null;
  /** The HTTP status of the response for a page that is gone; null for other pages and without a response. */
  readonly status: number | null;
}

/** A page with this many links in its menus is a hub, whatever its text is. */
const MIN_NAV_LINKS = 10;

export function isNavigationLike({ pageKind, navLinks }: Pick<KnownUrl, 'pageKind' | 'navLinks'>): boolean {
  return pageKind === 'hub' || pageKind === 'index' || navLinks >= MIN_NAV_LINKS;
}
