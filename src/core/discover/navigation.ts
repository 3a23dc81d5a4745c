// The navigation of a page: the targets of its menus with their labels.

import type { Link } from '../model/document.ts';
import type { PageUrl } from '../model/page-url.ts';

/** A type, because it is stored as JSON. */
export type NavigationEntry = {
  readonly url: PageUrl;
  readonly label: string;
  /** Nesting level of its list; level 1 is the outermost menu. */
  readonly level: number;
};

export const MAX_NAVIGATION_ENTRIES = 2000;
const MAX_LABEL_CHARS = 100;
/** The level of a link in the text of a page without menus, such as Markdown. */
const CONTENT_LEVEL = 2;

/** `admitted` returns the normalized URL of a link; null for one that the crawl may not follow. */
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
