// Attributes pages of a file that gives titles but no addresses. A title proves nothing alone: it must be the title of
// exactly one known page, stand exactly once in the file, and the page must end where the next known page begins.

import type { PageUrl } from '../../model/page-url.ts';
import { createFenceTracker } from '../markdown/fence-tracker.ts';
import { pageText, type KnownPage, type LlmsFullGap, type LlmsFullPage, type LlmsFullSplit } from './llms-full-page.ts';
import type { Marker } from '../llms-full/marker.ts';
import { indexPages } from '../llms-full/page-key.ts';

/** Front matter or tags with a title: where a page ends is sure, only its name has to be. */
export function pagesByMarkedTitle(
  lines: readonly string[],
  markers: readonly Marker[],
  known: readonly KnownPage[],
): LlmsFullSplit {
  const find = titleFinder(
    known,
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
      const because = found === null ? 'its title is not that of exactly one known page' : 'it holds no text';
      gaps.push({ firstLine: marker.start + 1, lastLine: next, because });
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
  return { form: markers[0]?.form ?? null, pages, gaps };
}

function lastLineOf(lines: readonly string[], wanted: string, from: number, to: number): number | null {
  for (let at = to - 1; at >= from; at -= 1) if (lines[at]?.trim() === wanted) return at;
  return null;
}

/** Below this share of known titles the file is ordered or cut in some other way, and nothing can be concluded. */
const ENOUGH_TITLES = 0.9;

/** Plain `# Title` headings: a page is taken only between two headings that follow each other in llms.txt as well. */
export function pagesByHeading(lines: readonly string[], known: readonly KnownPage[]): LlmsFullSplit {
  const headings = topHeadings(lines);
  const titled = known.filter(({ title }) => title !== null);
  const find = titleFinder(
    known,
    headings.map(({ title }) => title),
  );
  const found = headings.map(({ title }) => find(title));
  const present = new Set(headings.map(({ title }) => titleKey(title)));
  const share = titled.filter(({ title }) => present.has(titleKey(title ?? ''))).length / titled.length;
  if (!(share >= ENOUGH_TITLES))
    return { form: null, pages: [], gaps: [wholeFile(lines, 'no marked pages, and too few known titles')] };

  const pages: LlmsFullPage[] = [];
  const gaps: LlmsFullGap[] = [];
  headings.forEach(({ title, line }, index) => {
    const here = found[index] ?? null;
    const end = headings[index + 1]?.line ?? lines.length;
    const next = index + 1 < headings.length ? (found[index + 1]?.order ?? null) : titled.length;
    if (here === null || next !== here.order + 1) {
      gaps.push({ firstLine: line + 1, lastLine: end, because: 'the page, or where it ends, is not sure' });
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
  return { form: 'h1', pages, gaps };
}

function wholeFile(lines: readonly string[], because: string): LlmsFullGap {
  return { firstLine: 1, lastLine: lines.length, because };
}

interface TopHeading {
  readonly title: string;
  readonly line: number;
}

function topHeadings(lines: readonly string[]): TopHeading[] {
  const fence = createFenceTracker();
  const headings: TopHeading[] = [];
  lines.forEach((text, line) => {
    if (fence.take(text)) return;
    const title = /^#[ \t]+(\S.*)$/.exec(text)?.[1];
    if (title !== undefined) headings.push({ title: title.trim(), line });
  });
  return headings;
}

interface FoundPage {
  readonly url: PageUrl;
  /** Place among the known pages that have a title. */
  readonly order: number;
}

/** Finds the page of a title that is unique on both sides. */
function titleFinder(known: readonly KnownPage[], inFile: readonly string[]): (title: string) => FoundPage | null {
  const index = indexPages(known);
  const titled = known.filter(({ title }) => title !== null);
  const pages = new Map<string, FoundPage | null>();
  titled.forEach(({ url, title }, order) => {
    const key = titleKey(title ?? '');
    pages.set(key, pages.has(key) ? null : { url: index.readersUrl(url), order });
  });
  const times = new Map<string, number>();
  for (const title of inFile) times.set(titleKey(title), (times.get(titleKey(title)) ?? 0) + 1);
  return (title) => {
    const key = titleKey(title);
    return key !== '' && times.get(key) === 1 ? (pages.get(key) ?? null) : null;
  };
}

/** Only marks and spacing are set aside: `C` and `C++` are two titles, `agent` and `Agent` as well. */
function titleKey(title: string): string {
  return title
    .slice(0, 500)
    .replace(/[`*_\\¶]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ #+ ?$/, '')
    .trim();
}
