// The navigation of a page: where its menus lead, with their labels. It is what a site says about its own parts.

import type { Link } from '../model/document.ts';
import type { PageUrl } from '../model/page-url.ts';

/** A type, because it is stored as JSON. */
export type NavigationEntry = {
  readonly url: PageUrl;
  readonly label: string;
  /** Lists that it is in, from 1: level 1 is the outermost menu. */
  readonly level: number;
};

export const MAX_NAVIGATION_ENTRIES = 2000;
const MAX_LABEL_CHARS = 100;
/** Of a link in the text of a page that has no menus, such as one in Markdown. */
const CONTENT_LEVEL = 2;

/** `admitted` returns the URL under which the crawl has a link; null for one that it may not follow. */
export function navigationOf(
  links: readonly Link[],
  admitted: (href: string) => PageUrl | null,
): readonly NavigationEntry[] {
  const inMenus = links.filter(({ level }) => level !== undefined);
  const byUrl = new Map<PageUrl, NavigationEntry>();
  for (const { href, text, level = CONTENT_LEVEL } of inMenus.length > 0 ? inMenus : links) {
    const url = admitted(href);
    if (url === null) continue;
    const known = byUrl.get(url);
    if (known === undefined && byUrl.size === MAX_NAVIGATION_ENTRIES) continue;
    const label = known?.label || text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LABEL_CHARS);
    byUrl.set(url, { url, label, level: Math.min(level, known?.level ?? level) });
  }
  return [...byUrl.values()];
}
