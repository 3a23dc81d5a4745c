// Reads the rows and cells of a table element, whatever sections and wrappers it has.

import { find, type ElementNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';

export interface TableRow {
  readonly cells: readonly ElementNode[];
  readonly isHead: boolean;
}

export interface TableGrid {
  readonly caption: ElementNode | null;
  readonly rows: readonly TableRow[];
  /** Cells of the longest row. */
  readonly width: number;
  readonly hasSpans: boolean;
}

const MAX_WIDTH = 200;

export function tableGrid(table: ElementNode): TableGrid {
  const rows: TableRow[] = [];
  let caption: ElementNode | null = null;
  for (const child of table.children) {
    if (child.kind !== 'element' || (child.flags & NOT_WRITTEN) !== 0) continue;
    if (child.tag === 'caption') caption = child;
    else if (child.tag === 'tr') addRow(child, rows, false);
    else if (child.tag !== 'colgroup' && child.tag !== 'col') addSection(child, rows);
  }
  const width = Math.min(MAX_WIDTH, Math.max(0, ...rows.slice(0, 10_000).map((row) => row.cells.length)));
  return { caption, rows, width, hasSpans: rows.some((row) => row.cells.some(spans)) };
}

function addSection(section: ElementNode, rows: TableRow[]): void {
  for (const child of section.children) {
    if (child.kind === 'element' && child.tag === 'tr' && (child.flags & NOT_WRITTEN) === 0) {
      addRow(child, rows, section.tag === 'thead');
    }
  }
}

function addRow(row: ElementNode, rows: TableRow[], inHead: boolean): void {
  const cells = row.children.filter(
    (child) => child.kind === 'element' && (child.tag === 'td' || child.tag === 'th') && !isExcluded(child),
  ) as ElementNode[];
  if (cells.length === 0) return;
  const isHead = rows.length === 0 && (inHead || cells.every((cell) => cell.tag === 'th'));
  rows.push({ cells, isHead });
}

function isExcluded(cell: ElementNode): boolean {
  return (cell.flags & (NOT_WRITTEN | flag.codeChrome)) !== 0;
}

function spans(cell: ElementNode): boolean {
  return span(cell, 'colspan') > 1 || span(cell, 'rowspan') > 1;
}

export function span(cell: ElementNode, name: 'colspan' | 'rowspan'): number {
  const value = Number.parseInt(cell.attributes[name] ?? '1', 10);
  return Number.isSafeInteger(value) && value > 0 && value <= 1_000 ? value : 1;
}

/** Whether a table consists of numbered code lines without a pre. */
export function isWholeCodeTable(table: ElementNode): boolean {
  if ((table.flags & flag.hasPre) !== 0) return false;
  const cell = find(table, (node) => node.tag === 'td');
  if (cell === null || (cell.flags & flag.codeChrome) === 0) return false;
  return cell.attributes['data-line-number'] !== undefined || /^\s*\d*\s*$/.test(firstText(cell));
}

function firstText(node: ElementNode): string {
  const [child] = node.children;
  return child === undefined ? '' : child.kind === 'text' ? child.text : firstText(child);
}
