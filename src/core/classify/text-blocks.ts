// Splits a document's text into blocks at blank lines outside fences, with the line numbers of each.

import { isCodeLine, lineKinds } from '../markdown/scan-blocks.ts';

export interface TextBlock {
  readonly kind: 'prose' | 'heading' | 'code';
  readonly text: string;
  /** 1-based and inclusive. */
  readonly first: number;
  readonly last: number;
}

export function blocksOf(text: string): readonly TextBlock[] {
  const lines = text.split('\n');
  const kinds = lineKinds(text);
  const blocks: TextBlock[] = [];
  let start = 0;
  const cut = (end: number): void => {
    if (end > start) blocks.push(block(lines, start, end, kinds[start] === 'text'));
  };
  for (let index = 0; index <= lines.length; index += 1) {
    const kind = index < lines.length ? kinds[index] : 'blank';
    const startsOther = index > start && isCodeLine(kind) !== isCodeLine(kinds[start]);
    if (kind === 'blank' || startsOther) {
      cut(index);
      start = kind === 'blank' ? index + 1 : index;
    }
  }
  return blocks;
}

function block(lines: readonly string[], start: number, end: number, isText: boolean): TextBlock {
  const text = lines.slice(start, end).join('\n');
  const isHeading = isText && end - start === 1 && /^ {0,3}#{1,6}\s/.test(text);
  return { kind: isHeading ? 'heading' : isText ? 'prose' : 'code', text, first: start + 1, last: end };
}
