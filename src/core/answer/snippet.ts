// A query-biased snippet of a text that is too long.

import { matchedWeight, type ParsedQuery } from '../lexical/query/parsed-query.ts';
import { passageBlocks, type PassageBlock } from './passage-blocks.ts';

/** The whole text if it fits, else the best run of adjacent blocks. `…` marks omissions. More characters never show less. */
export function snippet(query: ParsedQuery, text: string, maxChars: number): string {
  if (text.length <= maxChars) return text.trim();
  const blocks = passageBlocks(text);
  const { first, last } = bestRun(query, blocks, maxChars - 8);
  const shown = blocks.slice(first, last + 1);
  const bodyChars = maxChars - 8;
  const body =
    shown.length === 1 && shown[0] !== undefined
      ? truncateBlock(query, shown[0], bodyChars)
      : shown.map((block) => block.text).join('\n\n');
  const parts = [first > 0 ? '…' : '', body, last + 1 < blocks.length ? '…' : ''];
  return parts.filter((part) => part !== '').join('\n');
}

/** Starts at the block with the highest matched weight and grows to the better neighbor while it fits. */
function bestRun(
  query: ParsedQuery,
  blocks: readonly PassageBlock[],
  maxChars: number,
): { readonly first: number; readonly last: number } {
  const weights = blocks.map((block) => matchedWeight(query, block.text));
  const sizeOf = (at: number): number => (blocks[at]?.text.length ?? Infinity) + 2;
  let first = indexOfMax(weights);
  let last = first;
  let length = sizeOf(first);
  for (;;) {
    // The text after a block explains it more often than the text before it.
    const growsDown = (weights[last + 1] ?? -1) >= (weights[first - 1] ?? -1) * BEFORE_SHARE;
    const next = growsDown ? last + 1 : first - 1;
    if (length + sizeOf(next) > maxChars) return { first, last };
    length += sizeOf(next);
    first = Math.min(first, next);
    last = Math.max(last, next);
  }
}

const BEFORE_SHARE = 0.8;

function indexOfMax(numbers: readonly number[]): number {
  let max = 0;
  numbers.forEach((number, at) => {
    if (number > (numbers[max] ?? 0)) max = at;
  });
  return max;
}

/** Lines of code around the best, with the fence closed again; rows of a table below its head; prose from the best sentence. */
function truncateBlock(query: ParsedQuery, { text, closingFence }: PassageBlock, chars: number): string {
  if (text.length <= chars) return text;
  const lines = text.split('\n');
  if (closingFence !== null) {
    const isClosed = lines.at(-1)?.trim().startsWith(closingFence.trim()) === true;
    const code = lines.slice(1, isClosed ? -1 : undefined);
    return windowOfLines(query, { before: lines.slice(0, 1), lines: code, after: [closingFence] }, chars);
  }
  if (TABLE_RULE.test(lines[1] ?? '')) {
    const rows = windowOfLines(query, { before: lines.slice(0, 2), lines: lines.slice(2), after: [] }, chars);
    if (rows !== '') return rows;
  }
  return truncateProse(query, text, chars - 4);
}

const TABLE_RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+/;

interface Framed {
  /** Shown in any case, around the lines that are. */
  readonly before: readonly string[];
  readonly lines: readonly string[];
  readonly after: readonly string[];
}

/** The lines that fit, from the one that matches best on in both directions; empty if not even that one fits. */
function windowOfLines(query: ParsedQuery, { before, lines, after }: Framed, chars: number): string {
  const start = indexOfMax(lines.map((line) => matchedWeight(query, line)));
  const frameChars = [...before, ...after].reduce((sum, line) => sum + line.length + 1, 2 * OMISSION_CHARS);
  const { first, last } = growWindow(lines, start, chars - frameChars);
  if (last < first) return '';
  const shown = lines.slice(first, last + 1);
  const above = first > 0 ? [...before, '…'] : before;
  const below = last + 1 < lines.length ? ['…', ...after] : after;
  return [...above, ...shown, ...below].join('\n');
}

/** A few lines down, then up to the start, then down again. */
function growWindow(
  lines: readonly string[],
  start: number,
  chars: number,
): { readonly first: number; readonly last: number } {
  let first = start;
  let last = start - 1;
  let left = chars;
  for (;;) {
    const growsDown = last + 1 < lines.length && (first === 0 || last - first < LINES_BELOW);
    const next = growsDown ? last + 1 : first - 1;
    left -= (lines[next]?.length ?? Infinity) + 1;
    if (left < 0) return { first, last };
    first = Math.min(first, next);
    last = Math.max(last, next);
  }
}

const OMISSION_CHARS = 2;
/** Lines below the best one that are shown before any above it. */
const LINES_BELOW = 3;

const SENTENCE_END = /(?<=[.!?])\s+/gu;

/** The text from the best sentence on, with the line feeds between list items. */
function truncateProse(query: ParsedQuery, text: string, maxChars: number): string {
  const gaps = [...text.matchAll(SENTENCE_END)].map(({ 0: gap, index }) => ({ from: index, to: index + gap.length }));
  const starts = [0, ...gaps.map(({ to }) => to)];
  const ends = [...gaps.map(({ from }) => from), text.length];
  const best = indexOfMax(starts.map((start, at) => matchedWeight(query, text.slice(start, ends[at]))));
  const start = starts[best] ?? 0;
  const end = ends.findLast((one, at) => at >= best && one - start < maxChars);
  const body = text.slice(start, end ?? start + Math.max(0, maxChars)).trimEnd();
  const gap = text.slice(ends[best - 1], start);
  const before = best === 0 ? '' : gap.includes('\n') ? '…\n' : '… ';
  return `${before}${body} …`;
}
