// Packs an answer into a token budget. Parts are taken in an order that does not depend on the budget, so a larger budget shows
// all that a smaller one does. The parts of one top-level section are one passage.

import type { ParsedQuery } from '../lexical/query/parsed-query.ts';
import { passageMarkdown } from '../markdown/cited-markdown.ts';
import { estimateTokens } from '../model/chunk.ts';
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
}

export interface PackedAnswer {
  /** The best first. */
  readonly passages: readonly MergedPassage[];
  /** Of the passages as Markdown. */
  readonly tokens: number;
  /** Whether the pages have passages that are not shown yet. */
  readonly hasMore: boolean;
}

/** The answer never exceeds the budget. */
export function packAnswer(query: ParsedQuery, pages: readonly PageCandidates[], options: PackOptions): PackedAnswer {
  const { parts, isCut } = takeParts(query, pages, options);
  for (let count = parts.length; ; count -= 1) {
    const passages = passagesOf(pages, parts.slice(0, count));
    const markdown = passages.map((passage, at) => passageMarkdown(passage, at + 1)).join('\n');
    const tokens = estimateTokens(markdown);
    // Costs are estimates: the citation of a passage may change with its parts.
    if (tokens <= options.budget) return { passages, tokens, hasMore: isCut || count < parts.length };
  }
}

const CHARS_PER_TOKEN = 4;

/** As many parts as fit, from the first passage that was not skipped on; the last one may be a snippet. */
function takeParts(
  query: ParsedQuery,
  pages: readonly PageCandidates[],
  { budget, limit, skip }: PackOptions,
): { readonly parts: readonly ScoredPart[]; readonly isCut: boolean } {
  const opened = new Set<string>();
  const parts: ScoredPart[] = [];
  let charsLeft = budget * CHARS_PER_TOKEN;
  let isCut = false;
  for (const ordered of unseenParts(partsInOrder(query, pages), skip)) {
    // Each further part costs a pass over all that remain.
    if (isCut && charsLeft <= 0) break;
    const isNew = !opened.has(ordered.passage);
    if (isNew && opened.size === limit) {
      isCut = true;
      continue;
    }
    const text = textWithin(query, ordered, charsLeft);
    // Nothing comes after a part that does not fit: a larger budget must not lose it.
    charsLeft = text === ordered.part.text ? charsLeft - ordered.headerChars - text.length : 0;
    if (text === '') isCut ||= isNew;
    else {
      parts.push({ ...ordered.part, text });
      opened.add(ordered.passage);
    }
  }
  return { parts, isCut };
}

/** Without the parts of the passages that come first. */
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

/** The best first. */
function passagesOf(pages: readonly PageCandidates[], parts: readonly ScoredPart[]): MergedPassage[] {
  return [...Map.groupBy(parts, passageKey).values()]
    .toSorted((left, right) => bestOf(right).score - bestOf(left).score)
    .map((ofPassage) => mergeParts(pages, ofPassage));
}
