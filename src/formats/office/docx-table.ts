// Tables of a Word document, with merged cells.

import { table } from '../../core/extract/markup/markup-document.ts';
import { isSwitchedOn } from './docx-styles.ts';
import type { DocxContext } from './docx-text.ts';
import { cellHtml } from '../../core/extract/markup/flow.ts';
import { attribute, childAt, elementsOf, type XmlElement } from '../../core/extract/markup/xml-tree.ts';

interface OpenCell {
  html: string;
  columns: number;
  rows: number;
}

export function writeDocxTable(element: XmlElement, context: DocxContext): string {
  const rows: OpenCell[][] = [];
  let headRows = 0;
  /** The cell that began in each column. */
  const above = new Map<number, OpenCell>();
  for (const row of childrenThrough(element, 'tr')) {
    const isHead = isSwitchedOn(childAt(row, 'trPr'), 'tblHeader');
    if (isHead && headRows === rows.length) headRows += 1;
    rows.push(rowCells(row, above, context));
  }
  if (headRows === 0 && isFirstRowHead(element)) headRows = 1;
  return table(rows, Math.min(headRows, rows.length));
}

/** The children of one name, also inside content controls and tracked changes. */
function childrenThrough(element: XmlElement, name: string): readonly XmlElement[] {
  const wrappers = new Set(['sdt', 'sdtContent', 'ins', 'moveTo', 'customXml']);
  return elementsOf(element).flatMap((child) =>
    child.name === name ? [child] : wrappers.has(child.name) ? childrenThrough(child, name) : [],
  );
}

function isFirstRowHead(element: XmlElement): boolean {
  const format = childAt(element, 'tblPr', 'tblLook');
  const bits = Number.parseInt(attribute(format, 'val') ?? '0', 16);
  return attribute(format, 'firstRow') === '1' || (bits & 0x20) !== 0;
}

/** A table wider than this is a trap. */
const MAX_SPAN = 100;

function rowCells(row: XmlElement, above: Map<number, OpenCell>, context: DocxContext): OpenCell[] {
  const cells: OpenCell[] = [];
  let column = 0;
  for (const element of childrenThrough(row, 'tc')) {
    const properties = childAt(element, 'tcPr');
    const span = Number(attribute(childAt(properties, 'gridSpan'), 'val') ?? 1);
    const columns = Number.isInteger(span) ? Math.max(1, Math.min(MAX_SPAN, span)) : 1;
    const merge = childAt(properties, 'vMerge');
    const opened = above.get(column);
    const continues = merge !== null && (attribute(merge, 'val') ?? 'continue') === 'continue';
    if (continues && opened !== undefined) opened.rows += 1;
    else {
      const cell = { html: cellHtml(context.blocks(element)), columns, rows: 1 };
      above.set(column, cell);
      cells.push(cell);
    }
    column += columns;
  }
  return cells;
}
