// The blocks of a passage as a person reads them: headings, paragraphs, list items, tables and code, each in the parts that an excerpt
// may begin and end with.

import { parseHeading } from '../chunk/markdown/heading-text.ts';
import { inlineText, type InlineText } from '../markdown/inline-text.ts';
import { lineKinds } from '../markdown/scan-blocks.ts';

/** A sentence, a heading or a line of code has one text; a row of a table has one for each cell. */
export type BlockPart = readonly InlineText[];

export interface ScannedBlock {
  readonly kind: 'heading' | 'text' | 'item' | 'code' | 'table' | 'omission';
  /** `-` or `1.` before a list item. */
  readonly marker: string;
  /** Nesting of a list item, from 0. */
  readonly depth: number;
  /** The header row of a table, if the passage has it. */
  readonly head: BlockPart | null;
  readonly parts: readonly BlockPart[];
}

const HEADING = /^\s{0,3}#{1,6}\s/;
const ITEM = /^([\s>]*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const ROW = /^[\s>]*\|(.*)$/;
const HTML_ROW = /^\s*<tr\b[^<>]*>(.*)$/;
const HTML_FRAME = /^\s*<\/?(?:table|thead|tbody|tfoot|tr|colgroup|col)\b[^<>]*>\s*$/;
const RULE_CELL = /^\s*:?-+:?\s*$/;
const OMISSION = '…';
/** Deeper items are shown at this depth. */
const MAX_DEPTH = 3;
const MAX_CODE_LINE_CHARS = 400;
const NO_CODE: InlineText['code'] = [];

/** `isCode`: the passage is part of a source file. */
export function excerptBlocks(passage: string, { isCode }: { readonly isCode: boolean }): readonly ScannedBlock[] {
  const lines = passage.split('\n');
  if (isCode) return codeBlock(lines);
  const kinds = lineKinds(passage, { isExcerpt: true });
  const blocks: ScannedBlock[] = [];
  for (let at = 0; at < lines.length;) {
    const end = runEnd(lines, kinds, at);
    if (kinds[at] === 'code') blocks.push(...codeBlock(lines.slice(at, end)));
    if (kinds[at] === 'text') blocks.push(...textBlock(lines.slice(at, end)));
    at = end;
  }
  return blocks;
}

/** The line after the block that begins at a line. */
function runEnd(lines: readonly string[], kinds: ReturnType<typeof lineKinds>, start: number): number {
  const [kind, first = ''] = [kinds[start], lines[start]];
  if (kind !== 'code' && kind !== 'text') return start + 1;
  for (let end = start + 1; end < lines.length; end += 1) {
    const isSame = kinds[end] === kind && (kind === 'code' || continuesBlock(first, lines[end] ?? ''));
    if (!isSame) return end;
  }
  return lines.length;
}

function continuesBlock(first: string, line: string): boolean {
  if (isAlone(first)) return false;
  if (isRow(first)) return isRow(line) || line.trim() === OMISSION;
  return !isAlone(line) && !isRow(line) && !ITEM.test(line);
}

function isAlone(line: string): boolean {
  return HEADING.test(line) || line.trim() === OMISSION;
}

function isRow(line: string): boolean {
  return ROW.test(line) || HTML_ROW.test(line) || HTML_FRAME.test(line);
}

function textBlock(lines: readonly string[]): readonly ScannedBlock[] {
  const [first = ''] = lines;
  if (first.trim() === OMISSION) return [block('omission', [[]])];
  if (HEADING.test(first)) return headingBlock(first);
  if (isRow(first)) return tableBlock(lines);
  const [, indent = '', marker = '', text = first] = ITEM.exec(first) ?? [];
  const prose = [text, ...lines.slice(1)].map(withoutQuote).join(' ');
  const parts = sentencesOf(inlineText(prose)).map((sentence) => [sentence]);
  if (parts.length === 0) return [];
  if (marker === '') return [block('text', parts)];
  const depth = Math.min(MAX_DEPTH, Math.floor(indent.replaceAll('>', '').length / 2));
  return [{ ...block('item', parts), marker: /\d/.test(marker) ? marker : '-', depth }];
}

function block(kind: ScannedBlock['kind'], parts: readonly BlockPart[]): ScannedBlock {
  return { kind, marker: '', depth: 0, head: null, parts };
}

function headingBlock(line: string): readonly ScannedBlock[] {
  const { text } = parseHeading(line);
  return text === '' ? [] : [block('heading', [[{ text, code: NO_CODE }]])];
}

function withoutQuote(line: string): string {
  return line.replace(/^[\s>]+/, '').replace(/^\[![A-Z]{3,12}\]\s*/, '');
}

function codeBlock(lines: readonly string[]): readonly ScannedBlock[] {
  const [first, last] = [lines.findIndex(isFilled), lines.findLastIndex(isFilled)];
  if (first === -1) return [];
  const shown = lines.slice(first, last + 1);
  const indent = shown.reduce((least, line) => (isFilled(line) ? Math.min(least, line.search(/\S/)) : least), Infinity);
  return [
    block(
      'code',
      shown.map((line) => [codeLine(line.slice(indent).trimEnd())]),
    ),
  ];
}

function isFilled(line: string): boolean {
  return /\S/.test(line);
}

function codeLine(line: string): InlineText {
  const isLong = line.length > MAX_CODE_LINE_CHARS;
  return { text: isLong ? `${line.slice(0, MAX_CODE_LINE_CHARS)} ${OMISSION}` : line, code: NO_CODE };
}

function tableBlock(lines: readonly string[]): readonly ScannedBlock[] {
  const rows = lines.filter((line) => !HTML_FRAME.test(line));
  const cells = rows.map(cellsOf);
  const isRuled = cells[1]?.every((cell) => RULE_CELL.test(cell)) === true;
  const hasHead = isRuled || /^\s*<tr\b(?!.*<td\b)/.test(rows[0] ?? '');
  const head = hasHead ? (cells[0] ?? []).map(cellText) : [];
  const isNamed = head.some(({ text }) => text !== '');
  const body = cells
    .slice(isRuled ? 2 : hasHead ? 1 : 0)
    .filter((row) => row.some((cell) => HAS_TEXT.test(cell) || cell.trim() === OMISSION))
    .map((row) => row.map(cellText));
  if (body.length === 0) return isNamed ? [block('table', [head])] : [];
  return [{ ...block('table', body), head: isNamed ? head : null }];
}

const HAS_TEXT = /[\p{L}\p{N}]/u;

function cellsOf(line: string): readonly string[] {
  const html = HTML_ROW.exec(line)?.[1];
  if (html !== undefined)
    return html
      .split(/<t[dh]\b[^<>]*>/)
      .slice(1)
      .map((cell) => cell.replace(/<\/t[dh]>\s*(?:<\/tr>\s*)?$/, ''));
  const row = ROW.exec(line)?.[1];
  if (row === undefined) return [line];
  // GitHub's rule: only a backslash keeps a pipe in its cell, between backticks too.
  return row
    .trimEnd()
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|'));
}

function cellText(cell: string): InlineText {
  return shorten(inlineText(cell));
}

const SENTENCE_END = /(?<=[.!?][)"'”’]?)\s+(?=[^\s\p{Ll}])|(?<=[。！？])/gu;
/** `8.1.` before a title. */
const NUMBER = /^[\d.]{1,12}$/;
/** A sentence without an end is cut between words. */
const MAX_SENTENCE_CHARS = 400;

function sentencesOf({ text, code }: InlineText): readonly InlineText[] {
  const sentences: InlineText[] = [];
  let [start, firstCode, nextCode] = [0, 0, 0];
  const add = (end: number): void => {
    const inside = code
      .slice(firstCode, nextCode)
      .map((range) => ({ start: range.start - start, end: range.end - start }));
    const sentence = text.slice(start, end);
    if (HAS_TEXT.test(sentence)) sentences.push(shorten({ text: sentence, code: inside }));
  };
  for (const { index, 0: space } of text.matchAll(SENTENCE_END)) {
    while ((code[nextCode]?.end ?? Infinity) <= index) nextCode += 1;
    if ((code[nextCode]?.start ?? Infinity) < index || NUMBER.test(text.slice(start, index))) continue;
    add(index);
    [start, firstCode] = [index + space.length, nextCode];
  }
  nextCode = code.length;
  add(text.length);
  return sentences;
}

function shorten({ text, code }: InlineText): InlineText {
  if (text.length <= MAX_SENTENCE_CHARS) return { text, code };
  const shown = text.slice(0, MAX_SENTENCE_CHARS).replace(/\s+\S*$/, '');
  const inside = code.filter(({ start }) => start < shown.length);
  return {
    text: `${shown} ${OMISSION}`,
    code: inside.map(({ start, end }) => ({ start, end: Math.min(end, shown.length) })),
  };
}
