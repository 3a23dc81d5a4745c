// The tables of AsciiDoc: cells between bars, or comma-separated values.

import { table, type Cell } from '../../core/extract/markup/markup-document.ts';
import { csvRows } from '../../core/extract/markup/csv-rows.ts';
import { isBlank } from '../../core/extract/markup/indented-lines.ts';
import type { AsciidocContext, BlockAttributes } from './asciidoc-context.ts';

interface RawCell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
  readonly repeat: number;
  readonly style: string;
}

const MAX_COLUMNS = 100;

export function writeAsciidocTable(
  delimiter: string,
  content: readonly string[],
  context: AsciidocContext,
  attributes: BlockAttributes,
): string {
  const format =
    attributes.named.get('format') ?? (delimiter.startsWith(',') ? 'csv' : delimiter.startsWith(':') ? 'dsv' : 'psv');
  const headRows = hasHeader(content, attributes) ? 1 : 0;
  if (format !== 'psv') {
    const rows = csvRows(content.join('\n'), format === 'dsv' ? ':' : (attributes.named.get('separator') ?? ','));
    return table(
      rows.map((row) => row.map((cell) => ({ html: context.inline(cell) }))),
      headRows,
    );
  }
  const separator = delimiter.startsWith('!') ? '!' : (attributes.named.get('separator')?.[0] ?? '|');
  const styles = columnStyles(attributes.named.get('cols'));
  const width = styles.length || firstLineCells(content, separator);
  return table(arrange(splitCells(content, separator), width, { styles, context, headRows }), headRows);
}

function hasHeader(content: readonly string[], { named }: BlockAttributes): boolean {
  const options = `${named.get('options') ?? ''},${named.get('opts') ?? ''}`;
  if (/\bnoheader\b/.test(options)) return false;
  if (/\bheader\b/.test(options)) return true;
  // A first line directly below the delimiter, with a blank line after it.
  return content.length > 2 && !isBlank(content[0]) && isBlank(content[1]) && !/^\S*a\|/.test(content[0] as string);
}

/** One style for each column: `cols="1,2a,3*m"`. */
function columnStyles(cols: string | undefined): readonly string[] {
  if (cols === undefined) return [];
  const styles = cols.split(/[,;]/).flatMap((column) => {
    const [, count = '1'] = /^\s*(\d{1,3})\*/.exec(column) ?? [];
    return Array.from(
      { length: Math.min(MAX_COLUMNS, Number(count)) },
      () => /[aehlmsv]\s*$/.exec(column)?.[0].trim() ?? '',
    );
  });
  return styles.slice(0, MAX_COLUMNS);
}

function firstLineCells(content: readonly string[], separator: string): number {
  const line = content.find((text) => !isBlank(text)) ?? '';
  return Math.min(
    MAX_COLUMNS,
    Math.max(
      1,
      splitCells([line], separator).reduce((sum, { columns, repeat }) => sum + columns * repeat, 0),
    ),
  );
}

/** An unescaped bar, with what a cell says before it: `2+`, `.3+`, `4*`, and its alignment and style. */
function cellStart(separator: string): RegExp {
  const spec = String.raw`(?:(?<![^\s${separator}])(?:(\d{1,3})?(?:\.(\d{1,3}))?([+*]))?[<^>.]{0,3}([aehlmsv])?)?`;
  return new RegExp(`${spec}(?<!\\\\)[${separator}]`, 'gm');
}

function splitCells(content: readonly string[], separator: string): readonly RawCell[] {
  const text = content.join('\n');
  const starts = [...text.matchAll(cellStart(separator))];
  return starts.map((match, index) => {
    const [mark, first, second, kind, style = ''] = match;
    const columns = kind === '+' && first !== undefined ? Number(first) : 1;
    return {
      text: text
        .slice(match.index + mark.length, starts[index + 1]?.index ?? text.length)
        .replaceAll(`\\${separator}`, separator),
      columns: Math.max(1, Math.min(MAX_COLUMNS, columns)),
      rows: kind === '+' && second !== undefined ? Math.max(1, Math.min(1000, Number(second))) : 1,
      repeat: kind === '*' && first !== undefined ? Math.max(1, Math.min(MAX_COLUMNS, Number(first))) : 1,
      style,
    };
  });
}

interface Arranged {
  readonly styles: readonly string[];
  readonly context: AsciidocContext;
  readonly headRows: number;
}

/** Fills rows of `width` columns, leaving out the places that cells above reach into. */
function arrange(cells: readonly RawCell[], width: number, { styles, context, headRows }: Arranged): readonly Cell[][] {
  const rows: Cell[][] = [];
  const reserved: number[] = Array.from({ length: width }, () => 0);
  let row: Cell[] = [];
  let column = 0;
  const endRow = (): void => {
    rows.push(row);
    row = [];
    column = 0;
    for (let index = 0; index < width; index += 1) reserved[index] = Math.max(0, (reserved[index] ?? 0) - 1);
  };
  for (const cell of cells.flatMap((one) => Array.from({ length: one.repeat }, () => one))) {
    while (column < width && (reserved[column] ?? 0) > 0) column += 1;
    if (column >= width) endRow();
    const style = rows.length < headRows ? '' : cell.style || (styles[column] ?? '');
    row.push({ html: cellHtml(cell.text, style, context), columns: cell.columns, rows: cell.rows });
    for (let index = column; index < Math.min(width, column + cell.columns); index += 1) reserved[index] = cell.rows;
    column += cell.columns;
    if (column >= width) endRow();
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

function cellHtml(text: string, style: string, context: AsciidocContext): string {
  const lines = text.split('\n');
  if (style === 'a') return context.blocks(lines.map((line) => line.trim()));
  const paragraphs = text
    .trim()
    .split(/\n\s*\n/)
    .map((part) => context.inline(part.trim()));
  const html = paragraphs.length > 1 ? paragraphs.map((part) => `<p>${part}</p>`).join('') : (paragraphs[0] ?? '');
  if (html === '') return '';
  return style === 'm' ? `<code>${html}</code>` : style === 's' || style === 'h' ? `<strong>${html}</strong>` : html;
}
