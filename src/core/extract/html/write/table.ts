// Writes tables. A plain table becomes a GFM table; one with spanning cells stays an HTML table, cleaned; one that lays
// out code, sections or other tables is no table of data: its cells are written one after the other.

import { codeLanguage } from './code-language.ts';
import { codeText } from './code-text.ts';
import { writeFence } from './code-block.ts';
import { isWholeCodeTable, tableGrid, type TableGrid, type TableRow } from './table-grid.ts';
import { htmlTable } from '../html-table.ts';
import { cellMarkdown } from '../table-cell.ts';
import type { ElementNode } from '../parse/html-node.ts';
import { flag } from '../parse/node-flags.ts';
import type { Writing } from './write-context.ts';

export function writeTable(table: ElementNode, writing: Writing): void {
  if (isWholeCodeTable(table)) {
    writeFence(codeText(table), codeLanguage(table, null), writing);
    return;
  }
  const grid = tableGrid(table);
  if (grid.caption !== null) writing.blocks(grid.caption.children);
  if (grid.rows.length === 0) return;
  if (isLayout(table, grid)) writeCells(grid, writing);
  else if (grid.hasSpans) writeBlock(htmlTable(grid, writing.resolve), writing);
  else writeBlock(gfmTable(grid, writing), writing);
}

const LAYOUT_BITS = flag.hasHeading | flag.hasPre | flag.hasTable | flag.hasTabPanel;

function isLayout(table: ElementNode, grid: TableGrid): boolean {
  if (table.attributes['role'] === 'presentation' || table.attributes['role'] === 'none') return true;
  if (grid.width === 1 && !grid.rows[0]?.isHead) return true;
  return grid.rows.some((row) => row.cells.some((cell) => (cell.flags & LAYOUT_BITS) !== 0));
}

function writeCells(grid: TableGrid, writing: Writing): void {
  for (const row of grid.rows) {
    const isPlain = row.cells.every((cell) => (cell.flags & flag.hasBlock & ~0) === flag.hasBlock && isInline(cell));
    if (isPlain && row.cells.length > 1) writeRowLine(row, writing);
    else for (const cell of row.cells) writing.blocks(cell.children);
  }
}

function isInline(cell: ElementNode): boolean {
  return cell.children.every((child) => child.kind === 'text' || (child.flags & flag.hasBlock) === 0);
}

/** Cells of a short row stay on one line. */
function writeRowLine(row: TableRow, writing: Writing): void {
  const texts = row.cells.map((cell) => writing.inline(cell.children)).filter((text) => text !== '');
  if (texts.length === 0) return;
  writing.lines.gap();
  writing.lines.write(texts.join(' '));
  writing.lines.gap();
}

function writeBlock(text: string, writing: Writing): void {
  if (text === '') return;
  writing.lines.gap();
  writing.lines.write(text);
  writing.lines.gap();
}

function gfmTable(grid: TableGrid, writing: Writing): string {
  const [first, ...others] = grid.rows as readonly [TableRow, ...TableRow[]];
  const head = first.isHead ? first : null;
  const rows = head === null ? grid.rows : others;
  const line = (row: TableRow | null): string => {
    const cells: string[] = [];
    for (let column = 0; column < grid.width; column += 1) {
      const cell = row?.cells[column];
      cells.push(cell === undefined ? '' : cellMarkdown(cell, (nodes) => writing.inline(nodes)));
    }
    return `| ${cells.join(' | ')} |`;
  };
  const body = rows.map(line).filter((text) => /[^|\s]/.test(text));
  if (body.length === 0 && head === null) return '';
  return [line(head), `|${' --- |'.repeat(grid.width)}`, ...body].join('\n');
}
