// The text of a PDF page as lines. A page has no lines, only texts at positions.

import type { PdfPage, PdfTextChunk, PdfTextItem } from 'unpdf';
import type { GridCell } from './pdf-grids.ts';
import { readRules, type OperatorBudget } from './pdf-rules.ts';
import { mayHaveTable, splitTables, type TableTexts } from './pdf-tables.ts';

export interface PdfSpan {
  readonly text: string;
  readonly isMono: boolean;
}

export interface PdfLine {
  /** 1-based. */
  readonly page: number;
  readonly x: number;
  /** From the bottom of the page. */
  readonly y: number;
  /** Where the text ends. */
  readonly endX: number;
  /** Size of most of its letters. */
  readonly size: number;
  /** The font of all its letters; null if it has several. */
  readonly font: string | null;
  /** All of its letters have one width. */
  readonly isMono: boolean;
  /** Width of a letter: of each in a monospaced font, otherwise the average. */
  readonly charWidth: number;
  readonly spans: readonly PdfSpan[];
  readonly text: string;
  /** A table counts as one line, whose `y` is its lower edge. */
  readonly table?: PdfTable;
}

export interface PdfTable {
  readonly top: number;
  /** Where its columns begin and end. */
  readonly columns: readonly number[];
  readonly rows: ReadonlyArray<readonly PdfCell[]>;
}

export interface PdfCell extends GridCell {
  readonly lines: readonly PdfLine[];
}

interface OpenLine {
  x: number;
  y: number;
  endX: number;
  /** Since its last item. */
  hasBlank: boolean;
  readonly items: Array<Placed & { readonly spaces: number }>;
}

interface Placed {
  readonly text: string;
  readonly font: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly isMono: boolean;
}

type Styles = Record<string, PdfTextChunk['styles'][string]>;

export interface PageText {
  readonly lines: readonly PdfLine[];
  /** Texts at positions, blank ones included. */
  readonly items: number;
}

/** Properties shared by all pages of a file. */
export interface PdfPageContext {
  /** Remembers the fonts of the pages before. */
  readonly fonts: PdfFonts;
  readonly operators: OperatorBudget;
  /** No more texts of a page are read. */
  readonly maxItems: number;
}

export async function pdfPageText(page: PdfPage, number: number, context: PdfPageContext): Promise<PageText> {
  const { fonts, maxItems } = context;
  const placed: Placed[] = [];
  let items = 0;
  // A font is described with the first text that uses it.
  const styles: Styles = {};
  // Cancelling the stream would crash its producer; one that is not read on waits, and ends with the file.
  const reader = page.streamTextContent().getReader();
  for (let next = await reader.read(); next.value !== undefined; next = await reader.read()) {
    const chunk = next.value;
    items += chunk.items.length;
    if (items > maxItems) break;
    Object.assign(styles, chunk.styles);
    for (const item of chunk.items) {
      const text = placedItem(item, styles, fonts);
      if (text !== null) placed.push(text);
    }
  }
  const looksForRules = items <= maxItems && mayHaveTable(placed);
  // What cannot be drawn is still text.
  const rules = looksForRules ? await readRules(page, number, context.operators).catch(() => null) : null;
  if (rules === null) return { lines: linesOf(placed, number, fonts), items };
  const lines = splitTables(placed, rules).flatMap((part) =>
    'table' in part ? tableLine(part.table, number, fonts) : linesOf(part.texts, number, fonts),
  );
  return { lines, items };
}

function tableLine({ grid, texts }: TableTexts<Placed>, page: number, fonts: PdfFonts): PdfLine {
  const { xs, ys } = grid;
  const cells = grid.cells.map((cell) => ({ ...cell, lines: linesOf(texts.get(cell) ?? [], page, fonts) }));
  const rows = ys.slice(1).map((_, row) => cells.filter((cell) => cell.row === row));
  const lines = cells.flatMap((cell) => cell.lines);
  return {
    page,
    x: xs[0] ?? 0,
    y: ys.at(-1) ?? 0,
    endX: xs.at(-1) ?? 0,
    size: commonSize([...texts.values()].flat()),
    font: null,
    isMono: false,
    charWidth: 0,
    spans: [],
    text: lines.map(({ text }) => text).join(' '),
    table: { top: ys[0] ?? 0, columns: xs, rows },
  };
}

function linesOf(texts: readonly Placed[], page: number, fonts: PdfFonts): readonly PdfLine[] {
  const lines: PdfLine[] = [];
  let open: OpenLine | null = null;
  for (const text of texts) {
    const placed = text.isMono ? text : { ...text, isMono: fonts.isMono(text.font) };
    if (open !== null && isSameLine(open, placed)) addItem(open, placed);
    else if (placed.text.trim() !== '') {
      if (open !== null) lines.push(closeLine(open, page));
      open = { x: placed.x, y: placed.y, endX: placed.x, hasBlank: false, items: [] };
      addItem(open, placed);
    }
  }
  if (open !== null) lines.push(closeLine(open, page));
  return lines;
}

/** What is known about the fonts of a file, by their names in it. */
export interface PdfFonts {
  /** Takes the width of a text into account, in sizes of its letters. */
  add(font: string, text: string, width: number): void;
  /** Whether all texts so far were monospaced, narrow and wide letters among them. */
  isMono(font: string): boolean;
}

interface FontWidths {
  least: number;
  most: number;
  narrow: number;
  wide: number;
}

const MIN_TEXTS = 3;
const SAME_WIDTH = 0.01;

/** Some producers do not flag monospaced fonts. */
export function createPdfFonts(): PdfFonts {
  const fonts = new Map<string, FontWidths>();
  return {
    add(font, text, width) {
      if (text.length < 2 || text.length > 200) return;
      const isNarrow = /^[\w.,;:'|!-]*[ijl.,;:'|!][\w.,;:'|!-]*$/.test(text);
      const isWide = /[mwMWQO@]/.test(text);
      if (!isNarrow && !isWide) return;
      const known = fonts.get(font) ?? { least: Infinity, most: 0, narrow: 0, wide: 0 };
      fonts.set(font, known);
      known.least = Math.min(known.least, width / text.length);
      known.most = Math.max(known.most, width / text.length);
      if (isNarrow) known.narrow += 1;
      if (isWide) known.wide += 1;
    },
    isMono(font) {
      const { least, most, narrow, wide } = fonts.get(font) ?? { least: 0, most: 1, narrow: 0, wide: 0 };
      return narrow >= MIN_TEXTS && wide >= MIN_TEXTS && most - least <= SAME_WIDTH;
    },
  };
}

function placedItem(item: Partial<PdfTextItem>, styles: Styles, fonts: PdfFonts): Placed | null {
  const { str = '', transform = [], fontName = '', width = 0 } = item;
  // Text that is turned, as on the margin of a draft, is not part of the page's text.
  if (str === '' || transform.length < 6 || isTurned(transform)) return null;
  const [, , , d, x, y] = transform as [number, number, number, number, number, number];
  const size = Math.abs(d);
  const isMono = styles[fontName]?.fontFamily === 'monospace';
  if (!isMono && size > 0) fonts.add(fontName, str, width / size);
  return { text: str, font: fontName, x, y, width, size, isMono };
}

function isTurned([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean {
  return Math.abs(b) > Math.abs(a) || Math.abs(c) > Math.abs(d);
}

/** Raised and lowered text belongs to its line; text that goes back to the left begins another. */
function isSameLine(line: OpenLine, { x, y, size }: Placed): boolean {
  const lineSize = Math.max(size, line.items.at(-1)?.size ?? size);
  return Math.abs(y - line.y) < lineSize * 0.55 && x > line.endX - lineSize;
}

/** A gap of a sixth of the letter's size is a space. */
const SPACE = 0.17;

function addItem(line: OpenLine, item: Placed): void {
  // The width of blank text is not that of the gap: the next text says where it is.
  if (item.text.trim() === '') {
    line.hasBlank = true;
    return;
  }
  const gap = item.x - line.endX;
  const char = item.width / item.text.length;
  const last = line.items.at(-1);
  const isApart = last !== undefined && (line.hasBlank || gap > item.size * SPACE);
  const spaces = !isApart ? 0 : item.isMono && char > 0 ? Math.max(1, Math.round(gap / char)) : 1;
  // What is raised has another height, and the line keeps its own.
  if (last === undefined || item.size > last.size) line.y = item.y;
  line.items.push({ ...item, spaces: Math.min(spaces, 120) });
  line.endX = Math.max(line.endX, item.x + item.width);
  line.hasBlank = false;
}

function closeLine({ x, y, endX, items }: OpenLine, page: number): PdfLine {
  const spans = spansOf(items);
  const mono = items.filter(({ isMono, text }) => isMono && lettersOf(text) > 0);
  const monoChars = mono.reduce((sum, { text }) => sum + text.length, 0);
  const monoWidth = mono.reduce((sum, { width }) => sum + width, 0);
  const size = commonSize(items);
  const fonts = new Set(items.filter(({ text }) => lettersOf(text) > 0).map(({ font }) => font));
  const [font = null] = fonts;
  return {
    page,
    x,
    y,
    endX,
    size,
    font: fonts.size === 1 ? font : null,
    isMono: mono.length > 0 && allLetters(mono) >= allLetters(items) * 0.9,
    charWidth: monoChars > 0 ? monoWidth / monoChars : size / 2,
    spans,
    text: spans.map(({ text }) => text).join(''),
  };
}

function allLetters(items: readonly Placed[]): number {
  return items.reduce((sum, { text }) => sum + lettersOf(text), 0);
}

function lettersOf(text: string): number {
  return text.replace(/\s/g, '').length;
}

function spansOf(items: OpenLine['items']): readonly PdfSpan[] {
  const spans: PdfSpan[] = [];
  for (const { text, spaces, isMono } of items) {
    const last = spans.at(-1);
    const whole = `${' '.repeat(spaces)}${text}`;
    const joins = last !== undefined && (last.isMono === isMono || lettersOf(text) === 0);
    if (joins) spans[spans.length - 1] = { ...last, text: last.text + whole };
    else spans.push({ text: whole, isMono });
  }
  return spans;
}

function commonSize(items: readonly Placed[]): number {
  const bySize = new Map<number, number>();
  for (const { text, size } of items) {
    const rounded = Math.round(size * 10) / 10;
    bySize.set(rounded, (bySize.get(rounded) ?? 0) + lettersOf(text));
  }
  return mostFrequent(bySize) ?? 0;
}

/** The key with the largest count; the first of several. */
export function mostFrequent<T>(counts: ReadonlyMap<T, number>): T | undefined {
  let found: readonly [T, number] | undefined;
  for (const entry of counts) if (found === undefined || entry[1] > found[1]) found = entry;
  return found?.[0];
}

/** Whether a line ends inside a word. */
export function isDividedWord(line: string, next: string): boolean {
  return /\p{L}[-\u00ad\u2010]$/u.test(line.trimEnd()) && /^\p{Ll}/u.test(next);
}

/** The end of a line that is joined with the next one. */
export function lineEnd(text: string, isDivided: boolean): string {
  return isDivided ? text.trimEnd().slice(0, -1) : `${text.trimEnd()} `;
}
