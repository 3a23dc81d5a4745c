// The block structure of Markdown, in one pass: enough to know where a text may be cut, no more. Inline marks are not
// read. It agrees with CommonMark but for a fence inside a list item, which ends at its closing line even where the
// lines between are not indented: many hand-written pages rely on it.

import { fenceEnd, openedFence } from './code-fence.ts';
import { htmlBlockEnd } from './html-block.ts';
import { isBlank, readLine, skipBlankLines, type Line } from './line.ts';
import { atxLevel, hasBar, isDelimiterRow, isRule, listMarker, setextLevel } from './markdown-line.ts';

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
  /** After the block's last line and the blank lines that follow it. */
  readonly end: number;
  /** 1 to 6 for a heading, 0 for anything else. */
  readonly level: number;
}

/** Where a block ends, before the blank lines that follow it. */
interface Found {
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
    const found: Found = (from === 0 ? frontMatter(text, line) : null) ?? blockAt(text, line, inList);
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

function frontMatter(text: string, first: Line): Found | null {
  if (text.slice(first.start, first.end).trimEnd() !== '---') return null;
  let from = first.next;
  while (from < text.length) {
    const line = readLine(text, from);
    const mark = line.indent === 0 ? text.slice(line.start, Math.min(line.end, line.start + 8)).trimEnd() : '';
    if (mark === '---' || mark === '...') return { kind: 'front-matter', end: line.next, level: 0 };
    from = line.next;
  }
  return null;
}

function blockAt(text: string, line: Line, inList: boolean): Found {
  return headingOrFence(text, line) ?? container(text, line, inList) ?? paragraph(text, line);
}

function headingOrFence(text: string, line: Line): Found | null {
  const level = atxLevel(text, line);
  if (level > 0) return { kind: 'heading', end: line.next, level };
  if (line.indent > 3) return null;
  const fence = isFenceMark(text, line) ? openedFence(text, line) : null;
  return fence === null ? null : { kind: 'fence', end: fenceEnd(text, fence), level: 0 };
}

function container(text: string, line: Line, inList: boolean): Found | null {
  if (isRule(text, line)) return { kind: 'rule', end: line.next, level: 0 };
  if (line.indent > 3 && !inList) return { kind: 'indented', end: indentedEnd(text, line), level: 0 };
  const marker = listMarker(text, line.at, line.end, line.indent);
  if (marker !== null) return { kind: 'item', end: itemEnd(text, line, marker.indent), level: 0 };
  if (isQuoted(text, line)) return { kind: 'quote', end: quoteEnd(text, line), level: 0 };
  const html = htmlBlockEnd(text, line);
  return html === -1 ? null : { kind: 'html', end: html, level: 0 };
}

/** A paragraph may turn out to be a heading, when its underline comes. */
function paragraph(text: string, first: Line): Found {
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

/** A table takes only the last line of the paragraph before it as its header. */
function splitOffTable(text: string, from: number, found: Found): readonly Found[] {
  if (found.kind !== 'table') return [found];
  let header = readLine(text, from);
  for (let line = header; !isDelimiterRow(text, line) || line.start === from; line = readLine(text, line.next)) {
    header = line;
  }
  if (!hasBar(text, header)) return [{ kind: 'paragraph', end: found.end, level: 0 }];
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
  if (atxLevel(text, line) > 0 || isQuoted(text, line) || isRule(text, line)) return true;
  if (isFenceMark(text, line) && openedFence(text, line) !== null) return true;
  if (listMarker(text, line.at, line.end, line.indent)?.interrupts === true) return true;
  return text.charCodeAt(line.at) === 0x3c && htmlBlockEnd(text, line) !== -1;
}

/** An item goes on over what is indented below it, and over lines that continue its paragraph. */
function itemEnd(text: string, first: Line, contentIndent: number): number {
  const opening = openedFence(text, first);
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
    if (line.indent < contentIndent && (afterBlank || startsOther(text, line))) break;
    const fence = openedFence(text, line);
    from = fence === null ? line.next : fenceEnd(text, fence);
    afterBlank = fence !== null;
    end = from;
  }
  return end;
}

function startsOther(text: string, line: Line): boolean {
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

function isFenceMark(text: string, line: Line): boolean {
  const code = text.charCodeAt(line.at);
  return code === 0x60 || code === 0x7e;
}
