// The blocks of a passage: paragraphs, list items, tables and code.

import { fencedCode, fencePrefix } from '../markdown/scan-blocks.ts';

export interface PassageBlock {
  readonly text: string;
  /** The line that closes a code block; null for any other block. */
  readonly closingFence: string | null;
  /** Index of its first line in the text. */
  readonly line: number;
}

const NO_HEADINGS: ReadonlySet<number> = new Set();

/**
 * Blocks are separated by blank lines, and a heading is a separate block, as are the items of a long list; a code fence with
 * its content is one block, unless it is part of a quote.
 */
export function passageBlocks(text: string, headingLines: ReadonlySet<number> = NO_HEADINGS): PassageBlock[] {
  const blocks: PassageBlock[] = [];
  let from = 0;
  let line = 0;
  for (const { start, end, fence } of fencedCode(text)) {
    const prefix = fence === null ? '' : fencePrefix(text, fence.at);
    if (fence === null || prefix.includes('>')) continue;
    line = addProse(blocks, text.slice(from, start), line, headingLines);
    const code = text.slice(start, end);
    const closingFence = prefix + text.slice(fence.at, fence.at + fence.length);
    blocks.push({ text: code.replace(/\n$/, ''), closingFence, line });
    line += countLines(code) - 1;
    from = end;
  }
  addProse(blocks, text.slice(from), line, headingLines);
  return blocks;
}

export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Returns the index of the line after the prose. */
function addProse(blocks: PassageBlock[], prose: string, firstLine: number, headingLines: ReadonlySet<number>): number {
  const lines = prose.split('\n');
  let from = 0;
  const close = (to: number): void => {
    for (const { text, line } of splitList(lines.slice(from, to))) {
      if (text.trim() !== '') blocks.push({ text, closingFence: null, line: firstLine + from + line });
    }
    from = to;
  };
  lines.forEach((line, at) => {
    const isHeading = headingLines.has(firstLine + at);
    if (isHeading || line.trim() === '') close(at);
    if (isHeading) close(at + 1);
    else if (line.trim() === '') from = at + 1;
  });
  close(lines.length);
  return firstLine + lines.length - 1;
}

/** A shorter list is one block. */
const LONG_LIST_CHARS = 300;
/** Shorter items stay with the next one. */
const SHORT_ITEM_CHARS = 240;
const ITEM = /^( {0,3})(?:[-*+]|\d{1,9}[.)])[ \t]/;

function splitList(lines: readonly string[]): Array<{ readonly text: string; readonly line: number }> {
  const text = lines.join('\n');
  const indent = ITEM.exec(lines[0] ?? '')?.[1];
  if (indent === undefined || text.length <= LONG_LIST_CHARS) return [{ text, line: 0 }];
  const starts = [0];
  let chars = 0;
  lines.forEach((line, at) => {
    if (chars >= SHORT_ITEM_CHARS && ITEM.exec(line)?.[1] === indent) {
      starts.push(at);
      chars = 0;
    }
    chars += line.length + 1;
  });
  return starts.map((start, nth) => ({ text: lines.slice(start, starts[nth + 1]).join('\n'), line: start }));
}
