// Text in columns: aligned by the cells that a terminal draws, and truncated to its width.

import { cleanLine } from '../../../core/extract/decode/clean-text.ts';
import { paint } from './paint.ts';

/** Where a result is printed. */
export interface OutputFormat {
  /** Columns of the terminal; null for a file or a pipe, which gets everything. */
  readonly width: number | null;
  readonly colors: boolean;
}

export const PLAIN_OUTPUT: OutputFormat = { width: null, colors: false };

/** A row of a table: its cells by their headings. Null is an empty cell. */
export type Row = Readonly<Record<string, string | number | null>>;

const GAP = '  ';
/** As wide as a time: a column is never narrower if its cells are wider. */
const MIN_WIDTH = 16;
const ELLIPSIS = '…';
/** A number with its unit. */
const QUANTITY = /^\d[\d.]* [A-Za-z/]+$/;

/** A heading and one line per row. Cells may contain anything: they are cleaned and put on one line. */
export function renderRows(rows: readonly Row[], { width, colors }: OutputFormat): string {
  const titles = [...new Set(rows.flatMap(Object.keys))];
  const isRight = titles.map(
    (title) => rows.every((row) => isQuantity(row[title])) && rows.some((row) => !isEmpty(row[title])),
  );
  const cells = rows.map((row) => titles.map((title) => cleanLine(String(row[title] ?? ''))));
  const natural = titles.map((title, at) =>
    Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[at] ?? ''))),
  );
  const widths = width === null ? natural : fitWidths(natural, width);
  const lineOf = (row: readonly string[]): string =>
    widths
      .map((one, at) => alignCell(row[at] ?? '', one, isRight[at] === true))
      .join(GAP)
      .trimEnd();
  return [paint(lineOf(titles), 'bold', colors), ...cells.map(lineOf)].map((line) => `${line}\n`).join('');
}

function isEmpty(cell: Row[string] | undefined): boolean {
  return cell === undefined || cell === null || cell === '';
}

function isQuantity(cell: Row[string] | undefined): boolean {
  return typeof cell !== 'string' || cell === '' || QUANTITY.test(cell);
}

/** The widest columns shrink, until the line fits or all of them are narrow. */
function fitWidths(natural: readonly number[], width: number): readonly number[] {
  const widths = natural.map((one) => Math.min(one, width));
  const available = width - GAP.length * (widths.length - 1);
  for (let excess = sum(widths) - available; excess > 0; excess -= 1) {
    const widest = Math.max(...widths);
    if (widest <= MIN_WIDTH) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function alignCell(text: string, width: number, isRight: boolean): string {
  const shown = truncateToWidth(text, width);
  const padding = ' '.repeat(Math.max(0, width - displayWidth(shown)));
  return isRight ? padding + shown : shown + padding;
}

/** Fields with their values, one per line; an empty value is left out. */
export function renderFields(
  fields: ReadonlyArray<readonly [name: string, value: string]>,
  { width }: OutputFormat,
): string {
  const shown = fields.map(([name, value]) => [name, cleanLine(value)] as const).filter(([, value]) => value !== '');
  const widest = Math.max(0, ...shown.map(([name]) => name.length));
  return shown
    .map(([name, value]) => `${name.padEnd(widest)}${GAP}${value}`)
    .map((line) => `${width === null ? line : truncateToWidth(line, width)}\n`)
    .join('');
}

let segmenter: Intl.Segmenter | null = null;

/** Created when a text needs it: it costs a third of an empty process. */
function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** ASCII, the other Latin letters, dashes and quotation marks: each is drawn over one cell. */
const NARROW = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u024f\u2010-\u2027]*$/;
/** Characters that terminals draw over two cells: emoji, CJK, full-width forms. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])/u;
const ZERO_WIDTH = /^[\p{M}\p{Cf}]+$/u;

/** Cells that a terminal draws. */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += widthOf(segment);
  return width;
}

function widthOf(grapheme: string): number {
  if (ZERO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** Never cuts a character apart. What was cut is marked. */
export function truncateToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let shown = '';
  let used = 0;
  for (const { segment } of graphemes(text)) {
    used += widthOf(segment);
    if (used > width - ELLIPSIS.length) break;
    shown += segment;
  }
  return `${shown.trimEnd()}${ELLIPSIS}`;
}
