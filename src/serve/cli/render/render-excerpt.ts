// The part of a passage that matches, as lines of a terminal: prose is wrapped, code is indented, and matches are colored.

import type { ExcerptBlock, MarkedText, ExcerptSpan } from '../../../core/answer/match-excerpt.ts';
import { displayWidth, truncateToWidth, type OutputFormat } from './columns.ts';
import { paint } from './paint.ts';

const CODE_INDENT = '    ';

/** Each line begins with `indent`. */
export function renderExcerpt(blocks: readonly ExcerptBlock[], indent: string, format: OutputFormat): string {
  return blocks
    .flatMap((block, at) => [
      ...(block.kind === 'code' && blocks[at - 1]?.kind === 'code' ? [''] : []),
      ...blockLines(block, indent, format),
    ])
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function blockLines(block: ExcerptBlock, indent: string, format: OutputFormat): readonly string[] {
  switch (block.kind) {
    case 'heading':
      return wrapWords(block.spans, { indent, format: { ...format, colors: false } }).map((line) =>
        paint(line, 'bold', format.colors),
      );
    case 'text':
      return wrapWords(block.spans, { indent, format });
    case 'item': {
      const hang = ' '.repeat(block.marker.length + 1);
      const nested = `${indent}${'  '.repeat(block.depth)}`;
      const [first = '', ...others] = wrapWords(block.spans, { indent: nested + hang, format });
      return [`${nested}${block.marker} ${first.slice(nested.length + hang.length)}`, ...others];
    }
    case 'code':
      return block.lines.map((line) => codeLine(line, indent + CODE_INDENT, format));
    case 'table':
      return [...(block.head === null ? [] : [block.head]), ...block.rows].flatMap((row) =>
        wrapWords(joinCells(row), { indent, format }),
      );
    case 'omission':
      return [`${indent}…`];
  }
}

function joinCells(row: readonly MarkedText[]): MarkedText {
  const cells = row.map((cell) => cell.map((span) => ({ ...span, text: span.text.replaceAll('\n', ' / ') })));
  return cells.flatMap((cell, at) => (at === 0 ? cell : [{ text: ' | ', isMatch: false, isCode: false }, ...cell]));
}

function mark({ text, isMatch }: ExcerptSpan, { colors }: OutputFormat): string {
  return isMatch ? paint(text, 'yellow', colors) : text;
}

/** Truncated rather than wrapped. Colors would count as characters, so a truncated line has none. */
function codeLine(spans: MarkedText, indent: string, format: OutputFormat): string {
  const { width } = format;
  const plain = spans.map(({ text }) => text).join('');
  if (width === null || displayWidth(indent + plain) <= width)
    return indent + spans.map((span) => mark(span, format)).join('');
  return indent + truncateToWidth(plain, width - indent.length);
}

interface WrapFormat {
  readonly indent: string;
  readonly format: OutputFormat;
}

function wrapWords(spans: MarkedText, { indent, format }: WrapFormat): readonly string[] {
  const available = format.width === null ? Infinity : Math.max(20, format.width - indent.length);
  const lines: string[] = [];
  let [line, used] = ['', 0];
  for (const word of wordsOf(spans)) {
    const width = word.reduce((sum, { text }) => sum + displayWidth(text), 0);
    const isFirst = used === 0;
    if (!isFirst && used + 1 + width > available) {
      lines.push(line);
      [line, used] = ['', 0];
    }
    line += `${used === 0 ? '' : ' '}${word.map((span) => mark(span, format)).join('')}`;
    used += (used === 0 ? 0 : 1) + width;
  }
  return [...lines, line].map((one) => indent + one);
}

/** A word may be partly marked. */
function wordsOf(spans: MarkedText): readonly MarkedText[] {
  const words: ExcerptSpan[][] = [[]];
  for (const span of spans) {
    span.text.split(/\s+/).forEach((text, at) => {
      if (at > 0) words.push([]);
      if (text !== '') words.at(-1)?.push({ ...span, text });
    });
  }
  return words.filter((word) => word.length > 0);
}
