// The block structure of Markdown, in one pass: just enough to know where a text may be cut; inline markup is ignored. It
// agrees with CommonMark except for a fence inside a list item, which ends at its closing line even if the lines between
// are not indented: many hand-written pages rely on that.

import { fenceEnd, openingFence } from './code-fence.ts';
import {
  atxLevel,
  hasPipe,
  isBlank,
  isDelimiterRow,
  isThematicBreak,
  listMarker,
  readLine,
  setextLevel,
  skipBlankLines,
  type Line,
} from './markdown-line.ts';

export type BlockKind =
  | 'front-matter'
  | 'heading'
  | 'fence'
  | 'table'
  | 'item'
  | 'quote'
  | 'html'
  | 'indented'
  | 'rule'
  | 'paragraph';

export interface Block {
  readonly kind: BlockKind;
  readonly start: number;
  /** Offset after the block's last line and the blank lines that follow it. */
  readonly end: number;
  /** 1 to 6 for a heading, 0 for anything else. */
  readonly level: number;
}

/** Where a block ends, before the blank lines that follow it. */
interface BlockEnd {
  readonly kind: BlockKind;
  readonly end: number;
  readonly level: number;
}

export function scanBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  let from = skipBlankLines(text, 0);
  let inList = false;
  while (from < text.length) {
    const line = readLine(text, from);
    const found: BlockEnd = (from === 0 ? frontMatter(text, line) : null) ?? blockAt(text, line, inList);
    for (const block of splitOffTable(text, from, found)) {
      const end = skipBlankLines(text, block.end);
      blocks.push({ kind: block.kind, start, end, level: block.level });
      start = end;
    }
    from = start;
    inList = found.kind === 'item';
  }
  return blocks;
}

function frontMatter(text: string, first: Line): BlockEnd | null {
  if (text.slice(first.start, first.end).trimEnd() !== '---') return null;
  let from = first.next;
  while (from < text.length) {
    const line = readLine(text, from);
    const marker = line.indent === 0 ? text.slice(line.start, Math.min(line.end, line.start + 8)).trimEnd() : '';
    if (marker === '---' || marker === '...') return { kind: 'front-matter', end: line.next, level: 0 };
    from = line.next;
  }
  return null;
}

function blockAt(text: string, line: Line, inList: boolean): BlockEnd {
  return headingOrFence(text, line) ?? containerBlock(text, line, inList) ?? paragraph(text, line);
}

function headingOrFence(text: string, line: Line): BlockEnd | null {
  const level = atxLevel(text, line);
  if (level > 0) return { kind: 'heading', end: line.next, level };
  if (line.indent > 3) return null;
  const fence = isFenceMarker(text, line) ? openingFence(text, line) : null;
  return fence === null ? null : { kind: 'fence', end: fenceEnd(text, fence), level: 0 };
}

function containerBlock(text: string, line: Line, inList: boolean): BlockEnd | null {
  if (isThematicBreak(text, line)) return { kind: 'rule', end: line.next, level: 0 };
  if (line.indent > 3 && !inList) return { kind: 'indented', end: indentedEnd(text, line), level: 0 };
  const marker = listMarker(text, line.at, line.end, line.indent);
  if (marker !== null) return { kind: 'item', end: itemEnd(text, line, marker.indent), level: 0 };
  if (isQuoted(text, line)) return { kind: 'quote', end: quoteEnd(text, line), level: 0 };
  const html = htmlBlockEnd(text, line);
  return html === -1 ? null : { kind: 'html', end: html, level: 0 };
}

/** A paragraph followed by an underline is a heading. */
function paragraph(text: string, first: Line): BlockEnd {
  let from = first.next;
  while (from < text.length) {
    const line = readLine(text, from);
    if (isBlank(line)) break;
    const level = setextLevel(text, line);
    if (level > 0) return { kind: 'heading', end: line.next, level };
    if (isDelimiterRow(text, line)) return { kind: 'table', end: tableEnd(text, line), level: 0 };
    if (endsParagraph(text, line)) break;
    from = line.next;
  }
  return { kind: 'paragraph', end: from, level: 0 };
}

/** The header of a table is the last line of the paragraph before it. */
function splitOffTable(text: string, from: number, found: BlockEnd): readonly BlockEnd[] {
  if (found.kind !== 'table') return [found];
  let header = readLine(text, from);
  for (let line = header; !isDelimiterRow(text, line) || line.start === from; line = readLine(text, line.next)) {
    header = line;
  }
  if (!hasPipe(text, header)) return [{ kind: 'paragraph', end: found.end, level: 0 }];
  if (header.start === from) return [found];
  return [{ kind: 'paragraph', end: header.start, level: 0 }, found];
}

function tableEnd(text: string, delimiter: Line): number {
  let from = delimiter.next;
  while (from < text.length) {
    const line = readLine(text, from);
    if (isBlank(line) || endsParagraph(text, line)) break;
    from = line.next;
  }
  return from;
}

function endsParagraph(text: string, line: Line): boolean {
  if (line.indent > 3) return false;
  if (atxLevel(text, line) > 0 || isQuoted(text, line) || isThematicBreak(text, line)) return true;
  if (isFenceMarker(text, line) && openingFence(text, line) !== null) return true;
  if (listMarker(text, line.at, line.end, line.indent)?.interrupts === true) return true;
  return text.charCodeAt(line.at) === 0x3c && htmlBlockEnd(text, line) !== -1;
}

/** An item includes what is indented below it and the lines that continue its paragraph. */
function itemEnd(text: string, first: Line, contentIndent: number): number {
  const opening = openingFence(text, first);
  let from = opening === null ? first.next : fenceEnd(text, opening);
  let afterBlank = opening !== null;
  let end = from;
  while (from < text.length) {
    const line = readLine(text, from);
    if (isBlank(line)) {
      afterBlank = true;
      from = line.next;
      continue;
    }
    if (line.indent < contentIndent && (afterBlank || startsOtherBlock(text, line))) break;
    const fence = openingFence(text, line);
    from = fence === null ? line.next : fenceEnd(text, fence);
    afterBlank = fence !== null;
    end = from;
  }
  return end;
}

function startsOtherBlock(text: string, line: Line): boolean {
  return endsParagraph(text, line) || listMarker(text, line.at, line.end, line.indent) !== null;
}

function quoteEnd(text: string, first: Line): number {
  let from = first.next;
  while (from < text.length) {
    const line = readLine(text, from);
    if (isBlank(line)) break;
    if (!isQuoted(text, line) && endsParagraph(text, line)) break;
    from = line.next;
  }
  return from;
}

function indentedEnd(text: string, first: Line): number {
  let from = first.next;
  let end = from;
  while (from < text.length) {
    const line = readLine(text, from);
    if (!isBlank(line) && line.indent < 4) break;
    from = line.next;
    if (!isBlank(line)) end = from;
  }
  return end;
}

function isQuoted(text: string, line: Line): boolean {
  return line.indent <= 3 && text.charCodeAt(line.at) === 0x3e;
}

function isFenceMarker(text: string, line: Line): boolean {
  const code = text.charCodeAt(line.at);
  return code === 0x60 || code === 0x7e;
}

/** HTML blocks that end at their own delimiter; all others end at a blank line. */
const DELIMITED: ReadonlyArray<readonly [opens: string, closes: string]> = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![cdata[', ']]>'],
  ['<script', '</script>'],
  ['<pre', '</pre>'],
  ['<style', '</style>'],
  ['<textarea', '</textarea>'],
];

const BLOCK_TAGS = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
    'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead ' +
    'title tr track ul'
  ).split(' '),
);

const MAX_TAG_CHARS = 12;

/** Offset after the HTML block that this line starts, or -1 if it starts none. */
function htmlBlockEnd(text: string, line: Line): number {
  if (line.indent > 3 || text.charCodeAt(line.at) !== 0x3c) return -1;
  const start = text.slice(line.at, line.at + MAX_TAG_CHARS).toLowerCase();
  for (const [opens, closes] of DELIMITED) {
    if (start.startsWith(opens) && isNameEnd(start.charAt(opens.length), opens))
      return delimitedEnd(text, line, closes);
  }
  return BLOCK_TAGS.has(tagName(start)) ? blankLineEnd(text, line) : -1;
}

/** `<pre` opens a block, `<preview` does not. */
function isNameEnd(after: string, opens: string): boolean {
  return !/[a-z]$/.test(opens) || !/[a-z0-9-]/.test(after);
}

function tagName(start: string): string {
  return /^<\/?([a-z][a-z0-9]*)(?=[\s/>]|$)/.exec(start)?.[1] ?? '';
}

function delimitedEnd(text: string, line: Line, closes: string): number {
  let from = line.start;
  while (from < text.length) {
    const end = readLine(text, from);
    if (text.slice(end.start, end.end).toLowerCase().includes(closes)) return end.next;
    from = end.next;
  }
  return text.length;
}

function blankLineEnd(text: string, first: Line): number {
  let from = first.next;
  while (from < text.length) {
    const line = readLine(text, from);
    if (isBlank(line)) return from;
    from = line.next;
  }
  return text.length;
}
