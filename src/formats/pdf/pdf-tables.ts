// Texts of a PDF page inside of grids of ruling lines: its tables.

import { findGrids, type Grid, type GridCell } from './pdf-grids.ts';
import type { Rules } from './pdf-rules.ts';

/** What is known of a text to find its cell. */
export interface CellText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly isMono: boolean;
}

export interface TableTexts<T> {
  readonly grid: Grid;
  readonly texts: ReadonlyMap<GridCell, readonly T[]>;
}

/** Texts outside tables in their order, with each table where its first text was. */
export type PagePart<T> = { readonly texts: readonly T[] } | { readonly table: TableTexts<T> };

/** Two steps to the right in neighbouring lines may be those of a table. */
const MAX_DISTANCE = 100;

/**
 * Whether the texts may stand in columns. The rules of a page take as long as its text to read, and most pages have no
 * table. Code has columns too, and numbers of sections stand apart from their titles.
 */
export function mayHaveTable(texts: readonly CellText[]): boolean {
  let last: CellText | null = null;
  let stepY: number | null = null;
  for (const text of texts) {
    if (text.text.trim() === '') continue;
    if (last !== null && isStep(last, text)) {
      const distance = stepY === null ? 0 : Math.abs(stepY - text.y);
      if (distance > text.size / 2 && distance < MAX_DISTANCE) return true;
      stepY = text.y;
    }
    last = text;
  }
  return false;
}

function isStep(left: CellText, right: CellText): boolean {
  if (right.x - left.x - left.width < right.size * 0.8 || right.y < left.y - right.size * 0.3) return false;
  return !(left.isMono && right.isMono) && !/^\d+(?:\.\d+)+\.?$|(?:\. ?){4}$/.test(left.text.trim());
}

export function splitTables<T extends CellText>(texts: readonly T[], rules: Rules): ReadonlyArray<PagePart<T>> {
  const tables = findGrids(rules)
    .map((grid) => tableTexts(grid, texts))
    .filter(isTable);
  const owners = new Map<T, TableTexts<T>>();
  // The larger of two grids has the text of a grid inside of its cell.
  for (const table of tables.toSorted((a, b) => areaOf(a.grid) - areaOf(b.grid)))
    for (const cell of table.texts.values()) for (const text of cell) owners.set(text, table);
  const parts: Array<PagePart<T>> = [];
  const written = new Set<TableTexts<T>>();
  let open: T[] = [];
  for (const text of texts) {
    const table = owners.get(text);
    if (table === undefined) open.push(text);
    else if (!written.has(table)) {
      written.add(table);
      parts.push({ texts: open }, { table });
      open = [];
    }
  }
  return [...parts, { texts: open }];
}

function areaOf({ xs, ys }: Grid): number {
  return ((xs.at(-1) ?? 0) - (xs[0] ?? 0)) * ((ys[0] ?? 0) - (ys.at(-1) ?? 0));
}

function tableTexts<T extends CellText>(grid: Grid, texts: readonly T[]): TableTexts<T> {
  const cells = new Map<GridCell, T[]>();
  for (const text of texts) {
    const x = text.x + Math.min(text.width, text.size) / 2;
    const y = text.y + text.size / 3;
    const column = grid.xs.findLastIndex((edge) => edge <= x);
    const row = grid.ys.findLastIndex((edge) => edge >= y);
    const cell = column < 0 || column > grid.xs.length - 2 || row < 0 ? undefined : grid.cellAt(row, column);
    if (cell === undefined) continue;
    const inside = cells.get(cell) ?? [];
    cells.set(cell, inside);
    inside.push(text);
  }
  return { grid, texts: cells };
}

/** Frames have one row or one column, and the grid of a chart is empty. */
function isTable<T extends CellText>({ grid, texts }: TableTexts<T>): boolean {
  const filled = grid.cells.filter((cell) => texts.get(cell)?.some(({ text }) => text.trim() !== '') === true);
  const perRow = Map.groupBy(grid.cells, ({ row }) => row);
  const wide = [...perRow.values()].filter((cells) => cells.length > 1);
  const columns = new Set(filled.map(({ column }) => column));
  const rows = new Set(filled.map(({ row }) => row));
  return wide.length > 1 && columns.size > 1 && rows.size > 1 && filled.length * 2 >= grid.cells.length;
}
