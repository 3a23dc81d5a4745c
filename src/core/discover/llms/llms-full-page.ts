// The pages that llms.txt and the sitemap list, and the pages that llms-full.txt is split into.

import type { PageUrl } from '../../model/page-url.ts';
import { isBlank } from '../../extract/markup/indented-lines.ts';

export interface ListedPage {
  readonly url: PageUrl;
  readonly title: string | null;
}

export interface LlmsFullPage {
  readonly url: PageUrl;
  readonly title: string | null;
  /** Markdown, ending in one line feed, without what the generator added between pages. */
  readonly text: string;
  /**
   * `confirmed`: the file names the URL, and llms.txt or the sitemap lists it too. `stated`: only the file names it.
   * `matched`: the title belongs to exactly one listed page, and its neighbours fit.
   */
  readonly confidence: 'confirmed' | 'stated' | 'matched';
  /** 1-based line of the file. */
  readonly firstLine: number;
}

/** Text that is not attributed to any page. */
export interface LlmsFullGap {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly reason: string;
}

export interface LlmsFullSplit {
  /** How the file marks its pages; null if unknown. */
  readonly markerStyle: string | null;
  readonly pages: readonly LlmsFullPage[];
  readonly gaps: readonly LlmsFullGap[];
}

const SEPARATOR = /^(?:-{3,}|={3,}|\*{3,}|_{3,})\s*$/;

/** The lines of a page without surrounding blank lines and without a final rule. */
export function pageText(lines: readonly string[], start: number, end: number): string {
  let first = start;
  let last = end;
  while (first < last && isBlank(lines[first])) first += 1;
  while (last > first && (isBlank(lines[last - 1]) || SEPARATOR.test(lines[last - 1] ?? ''))) last -= 1;
  return first === last ? '' : `${lines.slice(first, last).join('\n')}\n`;
}

/** Same key for different URLs of one page: `/a.html`, `/a.html.md`, `/a/index.md`, `/a/`. */
function pageKey(url: PageUrl): string {
  const { host, pathname, search } = new URL(url);
  const bare = pathname
    .replace(/\.(?:md|mdx|markdown|txt)$/i, '')
    .replace(/\.(?:html?|xhtml)$/i, '')
    .replace(/\/(?:index|readme)$/i, '')
    .replace(/\/$/, '');
  return `${host}${bare}${search}`;
}

/** Whether this is the URL of a Markdown variant, which is a real URL but not the one that readers use. */
function isMarkdownVariant(url: PageUrl): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(new URL(url).pathname);
}

export interface PageIndex {
  has(url: PageUrl): boolean;
  /** The HTML page, if a Markdown variant was named and exactly one such page is listed. */
  preferredUrl(url: PageUrl): PageUrl;
}

/** More variants of one page add no information. */
const MAX_VARIANTS = 8;

export function createPageIndex(listed: readonly ListedPage[]): PageIndex {
  const byKey = new Map<string, Set<PageUrl>>();
  for (const { url } of listed) {
    const key = pageKey(url);
    const same = byKey.get(key) ?? new Set();
    if (same.size < MAX_VARIANTS) byKey.set(key, same.add(url));
  }
  return {
    has: (url) => byKey.has(pageKey(url)),
    preferredUrl(url) {
      if (!isMarkdownVariant(url)) return url;
      const [page, ...others] = [...(byKey.get(pageKey(url)) ?? [])].filter((each) => !isMarkdownVariant(each));
      return page === undefined || others.length > 0 ? url : page;
    },
  };
}
