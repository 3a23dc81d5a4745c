// The part of a passage that answers: the blocks around the words of the question, as many as fit.

import { cutBlock, passageBlocks, type PassageBlock } from './passage-blocks.ts';
import { worthIn, type Question } from '../lexical/query/parsed-query.ts';

/** The whole text where it fits; else the best run of neighbouring blocks. `…` stands where something was left out. */
export function focus(question: Question, text: string, maxChars: number): string {
  if (text.length <= maxChars) return text.trim();
  const blocks = passageBlocks(text);
  const { first, last } = bestRun(question, blocks, maxChars - 8);
  const shown = blocks.slice(first, last + 1);
  const room = maxChars - 8;
  const body =
    shown.length === 1 && shown[0] !== undefined
      ? cutBlock(shown[0], room)
      : shown.map((block) => block.text).join('\n\n');
  const parts = [first > 0 ? '…' : '', body, last + 1 < blocks.length ? '…' : ''];
  return parts.filter((part) => part !== '').join('\n');
}

/** Grows from the block that says most to the better of its neighbours while they fit. */
function bestRun(
  question: Question,
  blocks: readonly PassageBlock[],
  room: number,
): { readonly first: number; readonly last: number } {
  const worths = blocks.map((block) => worthIn(question, block.text));
  const sizeOf = (at: number): number => (blocks[at]?.text.length ?? Infinity) + 2;
  let first = indexOfMost(worths);
  let last = first;
  let length = sizeOf(first);
  for (;;) {
    // What comes after a block explains it more often than what comes before.
    const goesOn = (worths[last + 1] ?? -1) >= (worths[first - 1] ?? -1) * BEFORE_SHARE;
    const next = goesOn ? last + 1 : first - 1;
    if (length + sizeOf(next) > room) return { first, last };
    length += sizeOf(next);
    first = Math.min(first, next);
    last = Math.max(last, next);
  }
}

const BEFORE_SHARE = 0.8;

function indexOfMost(numbers: readonly number[]): number {
  let most = 0;
  numbers.forEach((number, at) => {
    if (number > (numbers[most] ?? 0)) most = at;
  });
  return most;
}
