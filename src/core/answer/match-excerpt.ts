// The part of a passage that a person is shown: it begins near the line that matches the query best, below its heading; matches are
// marked, and code, lists and tables keep their form.

import { cleanLine } from '../extract/decode/clean-text.ts';
import { isStopToken } from '../lexical/tokenize/stop-tokens.ts';
import { tokenize } from '../lexical/tokenize/tokenize.ts';
import { isSourceFile, withoutHeading, type CitedPassage } from './cited-markdown.ts';
import { excerptBlocks, type ScannedBlock } from './excerpt-blocks.ts';
import type { InlineText } from '../markdown/inline-text.ts';

export interface ExcerptSpan {
  readonly text: string;
  readonly isMatch: boolean;
  /** Inline code; false in a block of code. */
  readonly isCode: boolean;
}

/** The text of a heading, a sentence, a line of code or a cell. */
export type MarkedText = readonly ExcerptSpan[];

export type ExcerptBlock =
  | { readonly kind: 'heading' | 'text'; readonly spans: MarkedText }
  | { readonly kind: 'item'; readonly marker: string; readonly depth: number; readonly spans: MarkedText }
  | { readonly kind: 'code'; readonly lines: readonly MarkedText[] }
  | {
      readonly kind: 'table';
      readonly head: readonly MarkedText[] | null;
      readonly rows: ReadonlyArray<readonly MarkedText[]>;
    }
  /** Text is left out here. */
  | { readonly kind: 'omission' };

/** The terms of a query that are worth marking. */
export type QueryTerms = ReadonlySet<string>;

/** Without stop words, unless there is nothing else, and with the terms that misspelt ones were read as. */
export function excerptTerms(
  query: string,
  corrections: ReadonlyArray<{ readonly correctedTo: readonly string[] }> = [],
): QueryTerms {
  const tokens = tokenize(query);
  const content = tokens.filter((token) => !isStopToken(token));
  return new Set([
    ...(content.length === 0 ? tokens : content),
    ...corrections.flatMap(({ correctedTo }) => correctedTo),
  ]);
}

export interface Excerpt {
  readonly blocks: readonly ExcerptBlock[];
  /** Whether the passage goes on below it. */
  readonly hasMore: boolean;
}

/** The passage, without the heading that is shown above it. */
export type ExcerptSource = Pick<CitedPassage, 'text' | 'url' | 'title' | 'headings'>;

const ELLIPSIS = '…';
/** Longer than any passage; a whole page would take long. */
const MAX_PASSAGE_CHARS = 50_000;
const MAX_TEXT_CHARS = 420;
const MAX_CODE_LINES = 12;
const MAX_ROWS = 6;
/** An omission is not worth less text than this. */
const MAX_CHARS_ABOVE = 200;
const MAX_UNITS_ABOVE = 4;
/** A short paragraph takes a line too. */
const MIN_LINE_CHARS = 40;
/** Lines of code and rows above the best one: all of them if they are few. */
const FEW_ABOVE = { code: 6, table: 3 } as const;
const SHOWN_ABOVE = { code: 3, table: 1 } as const;

export function matchExcerpt(passage: ExcerptSource, terms: QueryTerms): Excerpt {
  const { url, title, headings } = passage;
  const text = withoutHeading(passage.text, cleanLine(headings.at(-1) ?? title)).slice(0, MAX_PASSAGE_CHARS);
  const blocks = excerptBlocks(text, { isCode: isSourceFile(url) });
  const units = blocks.flatMap((block) => unitsOf(block, terms));
  const first = firstUnit(units);
  const end = endOfExcerpt(units, first);
  const heading = units.slice(0, first.at).findLast(({ block }) => block.kind === 'heading');
  const hasMore = end < units.length;
  const excerpt = markOmissions(joinUnits(units.slice(first.at, end)), {
    before: first.at > 0 && heading !== units[first.at - 1],
    after: hasMore,
  });
  return { blocks: heading === undefined ? excerpt : [...joinUnits([heading]), ...excerpt], hasMore };
}

interface Unit {
  readonly block: ScannedBlock;
  readonly cells: readonly MarkedText[];
  readonly chars: number;
  /** Number of different terms in it. */
  readonly matched: number;
  /** Index in its block. */
  readonly nth: number;
}

function unitsOf(block: ScannedBlock, terms: QueryTerms): readonly Unit[] {
  return block.parts.map((part, nth) => {
    const found = new Set<string>();
    const cells = part.map((text) => markTerms(text, terms, found));
    const chars = part.reduce((sum, { text }) => sum + text.length + 1, 0);
    return { block, cells, chars: nth === 0 ? Math.max(MIN_LINE_CHARS, chars) : chars, matched: found.size, nth };
  });
}

/** The first of those with the most terms, with what introduces it. */
function firstUnit(units: readonly Unit[]): FirstUnit {
  let best = 0;
  units.forEach(({ matched }, at) => {
    if (matched > (units[best]?.matched ?? 0)) best = at;
  });
  const at = best - unitsAbove(units, best);
  const above = units.slice(0, at);
  const isProse =
    above.length <= MAX_UNITS_ABOVE && above.every(({ block }) => block.kind === 'text' || block.kind === 'item');
  const isShort = isProse && above.reduce((sum, { chars }) => sum + chars, 0) <= MAX_CHARS_ABOVE;
  return { at: isShort ? 0 : at, best };
}

/** Lines or rows of the same block, and the sentence that introduces the block. */
function unitsAbove(units: readonly Unit[], best: number): number {
  const { block, nth = 0 } = units[best] ?? {};
  if (block?.kind !== 'code' && block?.kind !== 'table') return 0;
  if (nth > FEW_ABOVE[block.kind]) return SHOWN_ABOVE[block.kind];
  const before = units[best - nth - 1];
  return before !== undefined && before.block.kind === 'text' && lastText(before).endsWith(':') ? nth + 1 : nth;
}

function lastText({ cells }: Unit): string {
  return cells.at(-1)?.at(-1)?.text ?? '';
}

interface FirstUnit {
  readonly at: number;
  /** The unit that matches best. */
  readonly best: number;
}

/** The index after the last unit. Below the best one, code is shown whole or not at all, and headings not without text. */
function endOfExcerpt(units: readonly Unit[], first: FirstUnit): number {
  let end = endOfBudget(units, first);
  const cut = units[end];
  if (cut?.block.kind === 'code' && cut.block !== units[first.best]?.block) end -= cut.nth;
  while (end - 1 > first.best && announcesMore(units[end - 1])) end -= 1;
  return end;
}

/** A heading, or an omission between blocks or rows: at the end it shows nothing. */
function announcesMore(unit: Unit | undefined): boolean {
  if (unit === undefined) return false;
  return /heading|omission/.test(unit.block.kind) || (unit.block.kind === 'table' && lastText(unit) === ELLIPSIS);
}

function endOfBudget(units: readonly Unit[], { at, best }: FirstUnit): number {
  let [chars, lines, rows] = [0, 0, 0];
  const excess = units.slice(at).findIndex(({ block, chars: unitChars }, nth) => {
    if (block.kind === 'code') lines += 1;
    else chars += unitChars;
    if (block.kind === 'table') rows += 1;
    return at + nth > best && (chars > MAX_TEXT_CHARS || lines > MAX_CODE_LINES || rows > MAX_ROWS);
  });
  return excess === -1 ? units.length : at + excess;
}

/** Units of one block become one block again. */
function joinUnits(units: readonly Unit[]): readonly ExcerptBlock[] {
  const groups: Unit[][] = [];
  for (const unit of units) {
    const last = groups.at(-1);
    if (last?.[0]?.block === unit.block) last.push(unit);
    else groups.push([unit]);
  }
  return groups.flatMap((group) => (group[0] === undefined ? [] : [joinBlock(group[0].block, group)]));
}

function joinBlock({ kind, marker, depth, head }: ScannedBlock, units: readonly Unit[]): ExcerptBlock {
  const texts = units.map(({ cells }) => cells[0] ?? []);
  switch (kind) {
    case 'heading':
    case 'text':
      return { kind, spans: joinSentences(texts) };
    case 'item':
      return { kind, marker, depth, spans: joinSentences(texts) };
    case 'code':
      return { kind, lines: texts };
    case 'table':
      return { kind, head: head?.map(unmarkedText) ?? null, rows: units.map(({ cells }) => cells) };
    case 'omission':
      return { kind };
  }
}

function joinSentences(sentences: readonly MarkedText[]): MarkedText {
  return sentences.flatMap((spans, at) => (at === 0 ? spans : [unmarked(' '), ...spans]));
}

function unmarked(text: string): ExcerptSpan {
  return { text, isMatch: false, isCode: false };
}

/** In a paragraph at that end. Above other blocks in a separate block; below them `hasMore` is enough. */
function markOmissions(
  blocks: readonly ExcerptBlock[],
  { before, after }: { readonly before: boolean; readonly after: boolean },
): readonly ExcerptBlock[] {
  const marked = [...blocks];
  const first = marked.at(0);
  if (before && first?.kind === 'text') marked[0] = { ...first, spans: [unmarked(`${ELLIPSIS} `), ...first.spans] };
  else if (before && first?.kind !== 'omission') marked.unshift({ kind: 'omission' });
  const last = marked.at(-1);
  if (after && last?.kind === 'text')
    marked.splice(-1, 1, { ...last, spans: [...last.spans, unmarked(` ${ELLIPSIS}`)] });
  return marked;
}

const NO_TERMS: QueryTerms = new Set();

function unmarkedText(text: InlineText): MarkedText {
  return markTerms(text, NO_TERMS, new Set());
}

/** A heading with its matches. */
export function markHeading(heading: string, terms: QueryTerms): MarkedText {
  return markTerms({ text: heading, code: [] }, terms, new Set());
}

/** Splits a text at its code and at the words that match, by the tokenizer of the search index. Adds the terms to `found`. */
function markTerms({ text, code }: InlineText, terms: QueryTerms, found: Set<string>): MarkedText {
  const spans: ExcerptSpan[] = [];
  let from = 0;
  for (const { start, end } of [...code, { start: text.length, end: text.length }]) {
    markWords(text.slice(from, start), false);
    markWords(text.slice(start, end), true);
    from = end;
  }
  return spans;

  function markWords(part: string, isCode: boolean): void {
    for (const [word] of part.matchAll(/[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_]+/gu)) {
      const hits = tokenize(word).filter((token) => terms.has(token));
      for (const hit of hits) found.add(hit);
      const isMatch = hits.length > 0;
      const last = spans.at(-1);
      if (last?.isMatch === false && !isMatch && last.isCode === isCode)
        spans[spans.length - 1] = { text: last.text + word, isMatch, isCode };
      else spans.push({ text: word, isMatch, isCode });
    }
  }
}
