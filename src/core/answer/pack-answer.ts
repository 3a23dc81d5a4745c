// Packs an answer into a token budget. Parts are taken in an order that does not depend on the budget, so a larger budget shows
// all that a smaller one does. The parts of one section are one passage.

import type { ParsedQuery } from '../lexical/query/parsed-query.ts';
import { answerMarkdown } from '../markdown/cited-markdown.ts';
import { estimateTokens } from '../model/chunk.ts';
import { packageOf } from '../model/source-name.ts';
import { bestOf, mergeParts, type MergedPassage } from './merge-parts.ts';
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
  const { parts, hasMore } = takeParts(query, pages, options);
  for (let count = parts.length; ; count -= 1) {
    const passages = passagesOf(pages, parts.slice(0, count));
    const tokens = estimateTokens(answerMarkdown(passages));
    // Costs are estimates: the header of a page may change with its passages.
    if (tokens <= options.budget) return { passages, tokens, hasMore: hasMore || count < parts.length };
  }
}

const CHARS_PER_TOKEN = 4;

/** As many parts as fit, from the first passage that was not skipped on; the last one may be a snippet. */
function takeParts(
  query: ParsedQuery,
  pages: readonly PageCandidates[],
  { budget, limit, skip, fill = false }: PackOptions,
): { readonly parts: readonly ScoredPart[]; readonly hasMore: boolean } {
  const opened = new Set<string>();
  const parts: ScoredPart[] = [];
  let charsLeft = budget * CHARS_PER_TOKEN;
  let best: number | null = null;
  for (const ordered of unseenParts(partsInOrder(query, pages), skip)) {
    best ??= ordered.part.score;
    const isNew = !opened.has(ordered.passage);
    if (isNew && opened.size === limit) return { parts, hasMore: true };
    if (isNew && !fill && ordered.part.score < best - FAR_BELOW) return { parts, hasMore: true };
    const text = textWithin(query, ordered, charsLeft);
    if (text === '') return { parts, hasMore: true };
    const isCut = text !== ordered.part.text;
    parts.push(isCut ? { ...ordered.part, text, isCut } : ordered.part);
    opened.add(ordered.passage);
    // Nothing comes after a part that does not fit: a larger budget must not lose it.
    if (isCut) return { parts, hasMore: true };
    charsLeft -= ordered.headerChars + text.length;
  }
  return { parts, hasMore: false };
}

/** An answer ends before a passage whose log likelihood is so far below that of the best. */
const FAR_BELOW = 7.5;

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

function textWithin(query: ParsedQuery, { part, headerChars }: OrderedPart, charsLeft: number): string {
  const chars = charsLeft - headerChars;
  if (part.text.length <= chars) return part.text;
  return chars < MIN_CHARS ? '' : snippet(query, part.text, chars);
}

function passagesOf(pages: readonly PageCandidates[], parts: readonly ScoredPart[]): MergedPassage[] {
  const byPage = [...Map.groupBy(parts, ({ page }) => page).values()];
  return orderByPage(pages, byPage).flatMap((ofPage) =>
    [...Map.groupBy(ofPage, passageKey).values()]
      .toSorted((left, right) => bestOf(right).score - bestOf(left).score)
      .map((ofPassage) => mergeParts(pages, ofPassage)),
  );
}

/** Files of a package repeat each other's names, so among packages the rank of a page says more than its best passage. */
function orderByPage(pages: readonly PageCandidates[], byPage: readonly ScoredPart[][]): readonly ScoredPart[][] {
  const isPackages = pages.every(({ source }) => packageOf(source) !== null);
  return byPage.toSorted((left, right) =>
    isPackages ? bestOf(left).page - bestOf(right).page : bestOf(right).score - bestOf(left).score,
  );
}
