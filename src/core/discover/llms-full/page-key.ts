// Tells whether two addresses name the same page in different clothes: `/a.html`, `/a.html.md`, `/a/index.md`, `/a/`.

import type { PageUrl } from '../../model/page-url.ts';
import type { KnownPage } from '../llms/llms-full-page.ts';

export function pageKey(url: PageUrl): string {
  const { host, pathname, search } = new URL(url);
  const bare = pathname
    .replace(/\.(?:md|mdx|markdown|txt)$/i, '')
    .replace(/\.(?:html?|xhtml)$/i, '')
    .replace(/\/(?:index|readme)$/i, '')
    .replace(/\/$/, '');
  return `${host}${bare}${search}`;
}

/** True for the address of a Markdown twin, which is a real URL but not the page that readers know. */
function isMarkdownTwin(url: PageUrl): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(new URL(url).pathname);
}

export interface KnownPages {
  has(url: PageUrl): boolean;
  /** The page that readers know, where a Markdown twin was named and exactly one such page is known. */
  readersUrl(url: PageUrl): PageUrl;
}

/** More spellings than these of one page tell nothing more. */
const MAX_SPELLINGS = 8;

export function indexPages(known: readonly KnownPage[]): KnownPages {
  const byKey = new Map<string, Set<PageUrl>>();
  for (const { url } of known) {
    const key = pageKey(url);
    const same = byKey.get(key) ?? new Set();
    if (same.size < MAX_SPELLINGS) byKey.set(key, same.add(url));
  }
  return {
    has: (url) => byKey.has(pageKey(url)),
    readersUrl(url) {
      if (!isMarkdownTwin(url)) return url;
      const [page, ...others] = [...(byKey.get(pageKey(url)) ?? [])].filter((each) => !isMarkdownTwin(each));
      return page === undefined || others.length > 0 ? url : page;
    },
  };
}
