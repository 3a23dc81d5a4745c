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

/** Whole lines of code from its start, with the fence closed again; prose from the sentence that matches best. */
function truncateBlock(query: ParsedQuery, { text, closingFence }: PassageBlock, chars: number): string {
  if (text.length <= chars) return text;
  if (closingFence === null) return truncateProse(query, text, chars - 4);
  const maxChars = chars - closingFence.length - 3;
  const shown: string[] = [];
  let length = 0;
  for (const line of text.split('\n')) {
    if (length + line.length + 1 > maxChars) break;
    shown.push(line);
    length += line.length + 1;
  }
  return shown.length === 0 ? '' : [...shown, '…', closingFence].join('\n');
}

const SENTENCE_END = /(?<=[.!?])\s+/u;

function truncateProse(query: ParsedQuery, text: string, maxChars: number): string {
  const sentences = text.split(SENTENCE_END);
  const start = indexOfMax(sentences.map((sentence) => matchedWeight(query, sentence)));
  const shown: string[] = [];
  let length = 0;
  for (const sentence of sentences.slice(start)) {
    if (length + sentence.length + 1 > maxChars) break;
    shown.push(sentence);
    length += sentence.length + 1;
  }
  const body = shown.length > 0 ? shown.join(' ') : (sentences[start] ?? '').slice(0, Math.max(0, maxChars)).trimEnd();
  return `${start > 0 ? '… ' : ''}${body} …`;
}
