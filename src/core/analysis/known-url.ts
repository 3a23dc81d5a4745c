// What is known about a URL of a version: who names it, and what became of it.

import type { PageUrl, UrlKey } from '../model/page-url.ts';

/** Who names a URL, the best evidence first. `taxonomy`: it has the form of others that exist. */
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
  /** Since a stored page was changed. */
  readonly changedAgoMs: number | null;
  readonly title: string | null;
  readonly words: number | null;
  /** The status of the answer that says it is gone; null if it is not, or there was none. */
  readonly status: number | null;
}

/** Pages with so many links in their menus lead to others, whatever their text is. */
const MIN_NAV_LINKS = 10;

export function isNavigationLike({ pageKind, navLinks }: Pick<KnownUrl, 'pageKind' | 'navLinks'>): boolean {
  return pageKind === 'hub' || pageKind === 'index' || navLinks >= MIN_NAV_LINKS;
}
