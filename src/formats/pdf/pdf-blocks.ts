// From lines to headings, paragraphs, lists, code and tables.

import { writeSpans, PLAIN, type Span } from '../../core/extract/markup/inline-spans.ts';
import { cellHtml, type FlowBlock } from '../../core/extract/markup/flow.ts';
import { table, type Cell } from '../../core/extract/markup/markup-document.ts';
import { distanceOf, findHeading, headingStyle, type HeadingStyle } from './pdf-headings.ts';
import { isDividedWord, lineEnd, type PdfCell, type PdfLine, type PdfTable } from './pdf-lines.ts';
import type { PdfOutline } from './pdf-outline.ts';
import { escapeHtml } from '../../core/extract/html/write/escape-markdown.ts';

interface Reader {
  readonly lines: readonly PdfLine[];
  readonly style: HeadingStyle;
}

const BULLET = /^\s*(?:[•▪◦‣●○■–∗*]|-)\s+/u;
const NUMBER = /^\s*(?:\(?\d{1,3}[.)]|\(?[a-z][.)])\s+/;

export function pdfBlocks(lines: readonly PdfLine[], outline: PdfOutline): readonly FlowBlock[] {
  const reader: Reader = { lines, style: headingStyle(lines, outline) };
  const blocks: FlowBlock[] = [];
  for (let at = 0; at < lines.length;) {
    const tableEnd = endOfTable(lines, at);
    if (tableEnd > at) {
      blocks.push({ kind: 'block', html: tableHtml(lines.slice(at, tableEnd), reader) });
      at = tableEnd;
      continue;
    }
    const heading = findHeading(lines, at, reader.style);
    if (heading !== null) {
      const { level, text, page } = heading;
      // The page is the heading's anchor: programs that show PDF open `#page=14`.
      blocks.push({ kind: 'heading', level, html: escapeHtml(text), id: `page=${page}` });
      at = heading.end;
      continue;
    }
    const end = endOfCode(reader, at) ?? endOfParagraph(reader, at);
    blocks.push(blockOf(lines.slice(at, end)));
    at = end;
  }
  return blocks;
}

/** A table goes on where the next page begins with one of the same columns. */
function endOfTable(lines: readonly PdfLine[], at: number): number {
  let end = at;
  while (lines[end]?.table !== undefined && (end === at || continuesTable(lines[end - 1], lines[end]))) end += 1;
  return end;
}

function continuesTable(above: PdfLine | undefined, below: PdfLine | undefined): boolean {
  const [one, other] = [above?.table?.columns ?? [], below?.table?.columns ?? []];
  const isSame = one.length === other.length && one.every((x, index) => Math.abs(x - (other[index] ?? 0)) < 2);
  return isSame && above?.page === (below?.page ?? 0) - 1;
}

/** The first row is the head, and one that the next page repeats is left out there. */
function tableHtml(lines: readonly PdfLine[], reader: Reader): string {
  const tables = lines.map((line) => (line.table as PdfTable).rows);
  const head = rowText(tables[0]?.[0]);
  const rows = tables.flatMap((own, at) => (at > 0 && rowText(own[0]) === head ? own.slice(1) : own));
  const cellOf = ({ rows: height, columns, lines: inside }: PdfCell): Cell => ({
    rows: height,
    columns,
    html: cellHtml(cellBlocks(inside, reader)),
  });
  return table(
    rows.map((row) => row.map(cellOf)),
    1,
  );
}

function rowText(cells: readonly PdfCell[] = []): string {
  return cells.map(({ lines }) => lines.map(({ text }) => text).join(' ')).join('|');
}

/** In a cell, lines are centred as often as not, and none is a heading. */
function cellBlocks(lines: readonly PdfLine[], { style }: Reader): readonly FlowBlock[] {
  const blocks: FlowBlock[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at + 1;
    while (end < lines.length && continuesCell(lines[end - 1] as PdfLine, lines[end] as PdfLine, style.pitch)) end += 1;
    blocks.push(blockOf(lines.slice(at, end)));
    at = end;
  }
  return blocks;
}

function continuesCell(above: PdfLine, below: PdfLine, pitch: number): boolean {
  return !isItem(below) && above.isMono === below.isMono && (distanceOf(above, below) ?? 0) <= pitch * 1.3;
}

/** Lines whose letters have one width. One that stands inside a paragraph is a part of it. */
function endOfCode({ lines, style: { pitch } }: Reader, at: number): number | null {
  let end = at;
  while (lines[end]?.isMono === true && (end === at || isSameCode(lines[end - 1] as PdfLine, lines[end] as PdfLine)))
    end += 1;
  if (end === at) return null;
  const isInside = (a: PdfLine | undefined, b: PdfLine | undefined): boolean => {
    const distance = distanceOf(a, b);
    return distance !== null && distance <= pitch * 1.1 && a?.x === b?.x;
  };
  return end === at + 1 && isInside(lines[at - 1], lines[at]) && isInside(lines[at], lines[end]) ? null : end;
}

/** Blank lines inside of code are at most two lines high. */
function isSameCode(above: PdfLine, below: PdfLine): boolean {
  const distance = distanceOf(above, below);
  return distance === null ? above.page !== below.page : distance < 3;
}

function endOfParagraph(reader: Reader, at: number): number {
  const { lines } = reader;
  let end = at + 1;
  while (end < lines.length && continuesParagraph(reader, at, end)) end += 1;
  return end;
}

/** Whether the line at `end` continues the paragraph that begins at `start`. */
function continuesParagraph({ lines, style }: Reader, start: number, end: number): boolean {
  const [first, above, below] = [lines[start], lines[end - 1], lines[end]] as [PdfLine, PdfLine, PdfLine];
  if (Math.abs(below.size - above.size) > 1 || isItem(below) || below.table !== undefined) return false;
  const distance = distanceOf(above, below);
  if (distance === null) return continuesSentence(above, below) && findHeading(lines, end, style) === null;
  if (distance > style.pitch * 1.22) return false;
  if (below.isMono && below.x > above.x + above.size) return false;
  return isAligned(first, above, below) && findHeading(lines, end, style) === null;
}

/** The first line of a paragraph is indented, the further lines of an item are. */
function isAligned(first: PdfLine, above: PdfLine, below: PdfLine): boolean {
  const indent = above === first && isItem(first) ? 0 : below.x - above.x;
  return Math.abs(indent) < above.size * 0.8 || (above === first && indent < 0);
}

function isItem({ text }: PdfLine): boolean {
  return BULLET.test(text) || NUMBER.test(text);
}

/** Over a page break or into the next column. */
function continuesSentence(above: PdfLine, below: PdfLine): boolean {
  return !below.isMono && /[\p{L},-]$/u.test(above.text.trim()) && /^\p{Ll}/u.test(below.text);
}

function blockOf(lines: readonly PdfLine[]): FlowBlock {
  if (lines.every(({ isMono }) => isMono)) return { kind: 'code', text: codeText(lines) };
  const html = writeSpans(joinLines(lines));
  if (BULLET.test(lines[0]?.text ?? ''))
    return { kind: 'item', level: 0, isOrdered: false, html: html.replace(/^\s*\S+\s*/u, '') };
  return { kind: 'paragraph', html };
}

/** The indentation is that of the page, in letters; a gap is a blank line. */
function codeText(lines: readonly PdfLine[]): string {
  const left = lines.reduce((least, { x }) => Math.min(least, x), Infinity);
  const out: string[] = [];
  for (const [at, line] of lines.entries()) {
    const distance = at === 0 ? null : distanceOf(lines[at - 1], line);
    if (distance !== null && distance > 1.9) out.push('');
    const indent = Math.max(0, Math.min(120, Math.round((line.x - left) / (line.charWidth || 1))));
    out.push(`${' '.repeat(indent)}${line.text.trimEnd()}`);
  }
  return out.join('\n');
}

/** Joins words that were divided at the end of a line. */
function joinLines(lines: readonly PdfLine[]): readonly Span[] {
  const spans: Span[] = [];
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1];
    const isDivided = next !== undefined && isDividedWord(line.text, next.text);
    for (const [index, { text, isMono }] of line.spans.entries()) {
      const isLast = index === line.spans.length - 1;
      spans.push({ ...PLAIN, text: isLast && next !== undefined ? lineEnd(text, isDivided) : text, isCode: isMono });
    }
  }
  return spans;
}
