// Packs an answer into a token budget. Parts are taken in an order that does not depend on the budget, so a larger budget shows
// all that a smaller one does. The parts of one section are one passage, with the citation of exactly what it shows.

import { chunkUrl } from '../chunk/chunk-names.ts';
import type { ParsedQuery } from '../lexical/query/parsed-query.ts';
import { answerMarkdown, type CitedPassage } from './cited-markdown.ts';
import { estimateTokens } from '../model/chunk.ts';
import { packageOf } from '../model/source-name.ts';
import { partsInOrder, passageKey, type OrderedPart } from './order-parts.ts';
import type { PageCandidates } from './passage-candidates.ts';
import type { ScoredPart } from './score-parts.ts';
import { snippet } from './snippet.ts';

export interface PackOptions {
  /** Tokens of the whole answer. */
  readonly budget: number;
  /** Maximum number of passages. */
  readonly limit: number;
  /** Passages that an earlier answer showed. */
  readonly skip: number;
  /** Uses up the budget, however unlikely it is that what is left adds anything; for measurements. */
  readonly fill?: boolean;
}

export interface MergedPassage extends CitedPassage {
  /** Index of the page. */
  readonly page: number;
  /** Score and features of its best part. */
  readonly best: Pick<ScoredPart, 'score' | 'features'>;
}

export interface PackedAnswer {
  /** By page, the page with the best passage first, of packages the best page; the best passage first on each page. */
  readonly passages: readonly MergedPassage[];
  /** Tokens of the passages as Markdown. */
  readonly tokens: number;
  /** Whether the pages have passages that are not shown yet. */
  readonly hasMore: boolean;
}

/** The answer never exceeds the budget. It ends earlier if what is left is unlikely to add anything. */
export function packAnswer(query: ParsedQuery, pages: readonly PageCandidates[], options: PackOptions): PackedAnswer {
  const { windows, hasMore } = takeWindows(query, pages, options);
  for (let count = windows.length; ; count -= 1) {
    const passages = passagesOf(pages, longestWindows(windows.slice(0, count)));
    const tokens = estimateTokens(answerMarkdown(passages));
    // Costs are estimates: the header of a page may change with its passages.
    if (tokens <= options.budget) return { passages, tokens, hasMore: hasMore || count < windows.length };
  }
}

/** Each part with its last window, which is the longest. */
function longestWindows(windows: readonly ScoredPart[]): readonly ScoredPart[] {
  return [...new Map(windows.map((part) => [partKey(part), part])).values()];
}

function partKey({ chunk, nth }: ScoredPart): string {
  return `${chunk} ${nth}`;
}

const CHARS_PER_TOKEN = 4;

/** Packs as many windows as fit, starting with the first passage that was not skipped; the last one may be a snippet. */
function takeWindows(
  query: ParsedQuery,
  pages: readonly PageCandidates[],
  { budget, limit, skip, fill = false }: PackOptions,
): { readonly windows: readonly ScoredPart[]; readonly hasMore: boolean } {
  const opened = new Set<string>();
  const taken = new Map<string, number>();
  const windows: ScoredPart[] = [];
  let charsLeft = budget * CHARS_PER_TOKEN;
  let best: number | null = null;
  const farBelow = isOfPackages(pages) ? FAR_BELOW_IN_PACKAGES : FAR_BELOW;
  for (const ordered of unseenParts(partsInOrder(query, pages), skip)) {
    const { part, passage, headerChars } = ordered;
    best ??= part.score;
    const isFarBelow = !fill && part.score < best - farBelow;
    if (!opened.has(passage) && (opened.size === limit || isFarBelow)) return { windows, hasMore: true };
    const shownChars = taken.get(partKey(part)) ?? 0;
    const window = windowWithin(query, ordered, charsLeft, shownChars);
    if (window === null) return { windows, hasMore: true };
    windows.push(window);
    // Nothing comes after a part that does not fit: a larger budget must not lose it.
    if (window !== part) return { windows, hasMore: true };
    opened.add(passage);
    taken.set(partKey(part), part.text.length);
    charsLeft -= headerChars + part.text.length - shownChars;
  }
  return { windows, hasMore: false };
}

/** An answer ends before a passage whose log likelihood is so far below that of the best. */
const FAR_BELOW = 7.5;
/** A section of a package that the query names is far above all others, which may still be what explains it. */
const FAR_BELOW_IN_PACKAGES = 12;

/** Skips the parts of the passages that come first. */
function* unseenParts(ordered: Iterable<OrderedPart>, skip: number): Generator<OrderedPart> {
  const skipped = new Set<string>();
  const opened = new Set<string>();
  for (const one of ordered) {
    if (!opened.has(one.passage) && skipped.size < skip) skipped.add(one.passage);
    if (skipped.has(one.passage)) continue;
    opened.add(one.passage);
    yield one;
  }
}

/** A shorter snippet says nothing. */
const MIN_CHARS = 200;

/** Null if the window does not fit. A window that replaces a shorter one is not cut: it might show less. */
function windowWithin(
  query: ParsedQuery,
  { part, headerChars }: OrderedPart,
  charsLeft: number,
  shownChars: number,
): ScoredPart | null {
  const chars = charsLeft - headerChars + shownChars;
  if (part.text.length <= chars) return part;
  if (shownChars > 0 || chars < MIN_CHARS) return null;
  const text = snippet(query, part.text, chars);
  return text === '' ? null : { ...part, text, isCut: true };
}

function passagesOf(pages: readonly PageCandidates[], parts: readonly ScoredPart[]): MergedPassage[] {
  const byPage = [...Map.groupBy(parts, ({ page }) => page).values()];
  return orderByPage(pages, byPage).flatMap((ofPage) =>
    [...Map.groupBy(ofPage, passageKey).values()]
      .toSorted((left, right) => bestOf(right).score - bestOf(left).score)
      .map((ofPassage) => mergeParts(pages, ofPassage)),
  );
}

function isOfPackages(pages: readonly PageCandidates[]): boolean {
  return pages.every(({ source }) => packageOf(source) !== null);
}

/** Files of a package repeat each other's names, so among packages the rank of a page says more than its best passage. */
function orderByPage(pages: readonly PageCandidates[], byPage: readonly ScoredPart[][]): readonly ScoredPart[][] {
  const isPackages = isOfPackages(pages);
  return byPage.toSorted((left, right) =>
    isPackages ? bestOf(left).page - bestOf(right).page : bestOf(right).score - bestOf(left).score,
  );
}

function bestOf(parts: readonly ScoredPart[]): ScoredPart {
  return parts.reduce((best, part) => (part.score > best.score ? part : best));
}

/** Parts of one section. Cites its heading, the best chunk, and the lines of what it shows. */
function mergeParts(pages: readonly PageCandidates[], parts: readonly ScoredPart[]): MergedPassage {
  const ordered = parts.toSorted((left, right) => left.position - right.position || left.nth - right.nth);
  const { page, chunk, score, features, headings, anchor } = bestOf(parts);
  const { source, version, declaredVersion, url, title, checkedAt, isImported, candidates } = pages[page] ?? NO_PAGE;
  const lines = { first: ordered[0]?.lines.first ?? 0, last: ordered.at(-1)?.lines.last ?? 0 };
  return {
    page,
    best: { score, features },
    source,
    version,
    declaredVersion,
    url: chunkUrl(url, anchor),
    title,
    // Many pages repeat their title as their first heading.
    headings: headings.filter((heading, at) => heading !== headings[at - 1]),
    lines,
    checkedAt,
    ...(isImported === true && { isImported }),
    chunkId: chunk,
    text: ordered.map((part, at) => `${separator(ordered[at - 1], part)}${part.text}`).join(''),
    isPartial: isPartial(ordered, candidates),
  };
}

const NO_PAGE: Omit<PageCandidates, 'score'> = {
  source: '',
  version: '',
  declaredVersion: null,
  url: '',
  title: '',
  checkedAt: '',
  candidates: [],
};

/** Whether a candidate of the section is not shown, or the section continues below what is shown. */
function isPartial(shown: readonly ScoredPart[], candidates: PageCandidates['candidates']): boolean {
  const [first] = shown;
  const last = shown.at(-1);
  if (first === undefined || last === undefined) return false;
  if (shown.some(({ isCut }) => isCut === true)) return true;
  const { section } = first;
  const isShown = new Set(shown.map(({ position, nth }) => `${position} ${nth}`));
  const isLeftOut = candidates.some(({ position, parts }) =>
    parts.some((part, nth) => part.section === section && !isShown.has(`${position} ${nth}`)),
  );
  const sectionEnd = section === null ? 0 : Math.min(section.ownLastLine ?? 0, section.lastLine);
  return isLeftOut || last.lines.last + MAX_BLANK_LINES < sectionEnd;
}

/** Between the last line of a section and the next heading. */
const MAX_BLANK_LINES = 2;

/** `…` marks an omission. */
function separator(before: ScoredPart | undefined, part: ScoredPart): string {
  if (before === undefined) return '';
  const isNext =
    part.position === before.position
      ? part.nth === before.nth + 1
      : part.position === before.position + 1 && before.endsChunk && part.nth === 0;
  if (!isNext) return '\n…\n';
  return part.lines.first <= before.lines.last + 1 ? '\n' : '\n\n';
}
