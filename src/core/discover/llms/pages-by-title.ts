// Attributes pages by title, for files without URLs. A title alone proves nothing: it must belong to exactly one listed page,
// occur exactly once in the file, and the page must end where the next listed page begins.

import type { PageUrl } from '../../model/page-url.ts';
import { isCodeLine, lineKinds } from '../../markdown/scan-blocks.ts';
import {
  pageText,
  createPageIndex,
  type ListedPage,
  type LlmsFullGap,
  type LlmsFullPage,
  type LlmsFullSplit,
} from './llms-full-page.ts';
import type { Marker } from './page-markers.ts';

/** Front matter or tags with a title: the boundaries of a page are certain, only its identity is not. */
export function pagesByMarkedTitle(
  lines: readonly string[],
  markers: readonly Marker[],
  listed: readonly ListedPage[],
): LlmsFullSplit {
  const find = createTitleLookup(
    listed,
    markers.map(({ title }) => title ?? ''),
  );
  const pages: LlmsFullPage[] = [];
  const gaps: LlmsFullGap[] = [];
  markers.forEach((marker, index) => {
    const next = markers[index + 1]?.start ?? lines.length;
    const closing = marker.closing === null ? next : lastLineOf(lines, marker.closing, marker.end, next);
    const text = pageText(lines, marker.end, closing ?? marker.end);
    const found = find(marker.title ?? '');
    if (found === null || text === '') {
      const reason = found === null ? 'its title is not that of exactly one known page' : 'it holds no text';
      gaps.push({ firstLine: marker.start + 1, lastLine: next, reason });
    } else {
      pages.push({
        url: found.url,
        title: marker.title,
        text,
        confidence: 'matched',
        firstLine: marker.start + 1,
      });
    }
  });
  return { markerStyle: markers[0]?.markerStyle ?? null, pages, gaps };
}

function lastLineOf(lines: readonly string[], closing: string, from: number, to: number): number | null {
  for (let at = to - 1; at >= from; at -= 1) if (lines[at]?.trim() === closing) return at;
  return null;
}

/** Below this share of listed titles the file is structured in some other way, and nothing can be concluded. */
const MIN_TITLE_SHARE = 0.9;

/** Plain `# Title` headings: a page is accepted only between two headings that are adjacent in llms.txt too. */
export function pagesByHeading(lines: readonly string[], listed: readonly ListedPage[]): LlmsFullSplit {
  const headings = topHeadings(lines);
  const titled = listed.filter(({ title }) => title !== null);
  const find = createTitleLookup(
    listed,
    headings.map(({ title }) => title),
  );
  const found = headings.map(({ title }) => find(title));
  const present = new Set(headings.map(({ title }) => titleKey(title)));
  const share = titled.filter(({ title }) => present.has(titleKey(title ?? ''))).length / titled.length;
  if (!(share >= MIN_TITLE_SHARE))
    return { markerStyle: null, pages: [], gaps: [wholeFile(lines, 'no marked pages, and too few known titles')] };

  const pages: LlmsFullPage[] = [];
  const gaps: LlmsFullGap[] = [];
  headings.forEach(({ title, line }, index) => {
    const here = found[index] ?? null;
    const end = headings[index + 1]?.line ?? lines.length;
    const next = index + 1 < headings.length ? (found[index + 1]?.order ?? null) : titled.length;
    if (here === null || next !== here.order + 1) {
      gaps.push({ firstLine: line + 1, lastLine: end, reason: 'the page, or where it ends, is not sure' });
      return;
    }
    pages.push({
      url: here.url,
      title,
      text: pageText(lines, line, end),
      confidence: 'matched',
      firstLine: line + 1,
    });
  });
  return { markerStyle: 'h1', pages, gaps };
}

function wholeFile(lines: readonly string[], reason: string): LlmsFullGap {
  return { firstLine: 1, lastLine: lines.length, reason };
}

interface TopHeading {
  readonly title: string;
  readonly line: number;
}

function topHeadings(lines: readonly string[]): TopHeading[] {
  const kinds = lineKinds(lines.join('\n'), { isExcerpt: true });
  const headings: TopHeading[] = [];
  lines.forEach((text, line) => {
    if (isCodeLine(kinds[line])) return;
    const title = /^#[ \t]+(\S.*)$/.exec(text)?.[1];
    if (title !== undefined) headings.push({ title: title.trim(), line });
  });
  return headings;
}

interface FoundPage {
  readonly url: PageUrl;
  /** Position among the listed pages that have a title. */
  readonly order: number;
}

/** Finds the page of a title that is unique in the file and among the listed pages. */
function createTitleLookup(
  listed: readonly ListedPage[],
  inFile: readonly string[],
): (title: string) => FoundPage | null {
  const index = createPageIndex(listed);
  const titled = listed.filter(({ title }) => title !== null);
  const pages = new Map<string, FoundPage | null>();
  titled.forEach(({ url, title }, order) => {
    const key = titleKey(title ?? '');
    pages.set(key, pages.has(key) ? null : { url: index.preferredUrl(url), order });
  });
  const times = new Map<string, number>();
  for (const title of inFile) times.set(titleKey(title), (times.get(titleKey(title)) ?? 0) + 1);
  return (title) => {
    const key = titleKey(title);
    return key !== '' && times.get(key) === 1 ? (pages.get(key) ?? null) : null;
  };
}

/** Ignores only markup and spacing: `C` and `C++` are two titles, and so are `agent` and `Agent`. */
function titleKey(title: string): string {
  return title
    .slice(0, 500)
    .replace(/[`*_\\¶]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ #+ ?$/, '')
    .trim();
}
