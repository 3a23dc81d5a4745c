// The tables of reStructuredText: grids of `+---+`, columns under `=== ===`, and lists of rows.

import { table, type Cell } from '../../core/extract/markup/markup-document.ts';
import { endOfParagraph, indentOf, isBlank } from '../../core/extract/markup/indented-lines.ts';
import type { RstContext, Written } from './rst-context.ts';

export function writeRstTable(lines: readonly string[], at: number, context: RstContext): Written | null {
  const line = lines[at] as string;
  if (/^\+(?:[-=]+\+)+$/.test(line)) return writeGrid(lines, at, context);
  return /^=+(?: +=+)+$/.test(line) ? writeSimple(lines, at, context) : null;
}

/** A grid of more cells than this is too large to read as a table. */
const MAX_COLUMNS = 100;
const MAX_GRID_LINES = 5_000;

function writeGrid(lines: readonly string[], at: number, context: RstContext): Written | null {
  const end = endOfParagraph(lines, at);
  const grid = lines.slice(at, Math.min(end, at + MAX_GRID_LINES));
  const width = Math.max(...grid.map(({ length }) => length));
  const rows = grid.map((line) => line.padEnd(width));
  const bounds = columnBounds(grid, width);
  if (bounds.length < 2 || bounds.length > MAX_COLUMNS) return null;
  const separators = rows.flatMap((line, index) =>
    /^[+|].*\+[-=]{2,}/.test(line) || /^\+[-=]/.test(line) ? [index] : [],
  );
  const headLine = rows.findIndex((line) => /^\+=[=+]*\+\s*$/.test(line));
  const cells = scanCells(rows, bounds, separators);
  const written = cells.map((row) =>
    row.map(({ lines: content, columns, rows: spanned }) => ({
      html: context.blocks(content),
      columns,
      rows: spanned,
    })),
  );
  const headRows = headLine === -1 ? 0 : separators.indexOf(headLine);
  return { html: table(written, Math.max(0, headRows)), end };
}

/** Every column in which a separator line has a corner. */
function columnBounds(grid: readonly string[], width: number): readonly number[] {
  const bounds = new Set<number>();
  for (const line of grid) {
    if (!line.startsWith('+') && !/\+[-=]+\+/.test(line)) continue;
    for (const { index } of line.matchAll(/\+(?=[-=]|\s*$|\s*\|)/g)) bounds.add(index);
  }
  return [...bounds].filter((bound) => bound < width).sort((a, b) => a - b);
}

interface GridCell {
  readonly lines: readonly string[];
  readonly columns: number;
  readonly rows: number;
}

/** Each cell that begins at a separator, up to the bars on its right and the separator below it. */
function scanCells(rows: readonly string[], bounds: readonly number[], separators: readonly number[]): GridCell[][] {
  const result: GridCell[][] = [];
  for (const [band, top] of separators.slice(0, -1).entries()) {
    const row: GridCell[] = [];
    for (let column = 0; column < bounds.length - 1;) {
      const left = bounds[column] as number;
      if (!isBorder(rows[top] as string, left)) {
        column += 1;
        continue;
      }
      const right = rightBound(rows[top + 1] ?? '', bounds, column);
      const bottom = bottomBand(rows, separators, band, left);
      const from = left + 1;
      const to = bounds[right] as number;
      const lines = rows.slice(top + 1, separators[bottom]).map((line) => line.slice(from, to).trimEnd());
      row.push({ lines, columns: right - column, rows: bottom - band });
      column = right;
    }
    if (row.length > 0) result.push(row);
  }
  return result;
}

function isBorder(line: string, left: number): boolean {
  return /[-=]/.test(line[left + 1] ?? '') && /[+\-=|]/.test(line[left] ?? '');
}

function rightBound(line: string, bounds: readonly number[], column: number): number {
  for (let next = column + 1; next < bounds.length; next += 1) {
    const mark = line[bounds[next] as number];
    if (mark === '|' || mark === '+') return next;
  }
  return bounds.length - 1;
}

function bottomBand(rows: readonly string[], separators: readonly number[], band: number, left: number): number {
  for (let next = band + 1; next < separators.length; next += 1)
    if (isBorder(rows[separators[next] as number] as string, left)) return next;
  return separators.length - 1;
}

function writeSimple(lines: readonly string[], at: number, context: RstContext): Written | null {
  const border = lines[at] as string;
  const columns = [...border.matchAll(/=+/g)].map(({ index }) => index);
  const end = endOfSimple(lines, at, border);
  if (end === null || columns.length > MAX_COLUMNS) return null;
  const rows: string[][][] = [];
  let headRows = 0;
  for (const line of lines.slice(at + 1, end - 1)) {
    if (/^=[= ]*$/.test(line)) headRows = rows.length;
    else if (!/^-[- ]*$/.test(line) && !isBlank(line)) addSimpleLine(rows, line, columns);
  }
  const cells: Cell[][] = rows.map((row) => row.map((content) => ({ html: context.blocks(content) })));
  return { html: table(cells, headRows), end };
}

/** The table ends with its second border, or with the third if the second ends the header. */
function endOfSimple(lines: readonly string[], at: number, border: string): number | null {
  const borders: number[] = [];
  for (let index = at + 1; index < lines.length && borders.length < 2; index += 1) {
    if (!/^=+(?: +=+)*$/.test(lines[index] as string) || (lines[index] as string).length < border.length / 2) continue;
    borders.push(index);
    if (isBlank(lines[index + 1])) break;
  }
  const last = borders.at(-1);
  return last === undefined ? null : last + 1;
}

/** A line whose first column is empty continues the row above. */
function addSimpleLine(rows: string[][][], line: string, columns: readonly number[]): void {
  const texts = columns.map((start, index) => line.slice(start, columns[index + 1]).trimEnd());
  const last = rows.at(-1);
  if (last === undefined || !isBlank(texts[0])) rows.push(texts.map((text) => [text]));
  else texts.forEach((text, index) => last[index]?.push(text));
}

type CellLines = readonly string[];

/** `* - first` begins a row and its first cell, `- next` a further cell. */
export function listTableRows(content: readonly string[]): ReadonlyArray<readonly CellLines[]> {
  const rows: string[][][] = [];
  const left = content.find((line) => !isBlank(line));
  const outer = left === undefined ? 0 : indentOf(left);
  for (const line of content) {
    const row = rows.at(-1);
    const [, begin] = /^(\s*[*+-] +- ?)/.exec(line) ?? [];
    const [, next] = /^(\s+- ?)/.exec(line) ?? [];
    if (begin !== undefined && indentOf(line) === outer) rows.push([[blanked(line, begin)]]);
    else if (next !== undefined && indentOf(line) === outer + 2) row?.push([blanked(line, next)]);
    else row?.at(-1)?.push(line);
  }
  return rows;
}

function blanked(line: string, marker: string): string {
  return ' '.repeat(marker.length) + line.slice(marker.length);
}
