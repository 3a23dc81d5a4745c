// Writes tables. A plain table becomes a GFM table; one with spanning cells stays an HTML table, cleaned; the cells of a
// layout table, which contains code, sections or other tables, are written one after the other.

import type { ElementNode, HtmlNode } from '../parse/html-node.ts';
import { flag, isLeafBlock, NOT_WRITTEN } from '../parse/node-flags.ts';
import { BLOCK_TAGS } from '../parse/tag-rules.table.ts';
import { writeFence } from './code-block.ts';
import { codeLanguage } from './code-language.ts';
import { codeText } from './code-text.ts';
import { elementText } from './element-text.ts';
import { escapeHtml } from './escape-markdown.ts';
import { collapse } from './inline-text.ts';
import { isWholeCodeTable, span, tableGrid, type TableGrid, type TableRow } from './table-grid.ts';
import type { WriteContext } from './write-context.ts';

export function writeTable(table: ElementNode, context: WriteContext): void {
  if (isWholeCodeTable(table)) {
    writeFence(codeText(table), codeLanguage(table, null), context);
    return;
  }
  const grid = tableGrid(table);
  if (grid.caption !== null) context.blocks(grid.caption.children);
  if (grid.rows.length === 0) return;
  if (isLayout(table, grid)) writeCells(grid, context);
  else if (grid.hasSpans) writeBlock(htmlTable(grid, context.resolve), context);
  else writeBlock(gfmTable(grid, context), context);
}

const LAYOUT_BITS = flag.hasHeading | flag.hasPre | flag.hasTable | flag.hasTabPanel;

function isLayout(table: ElementNode, grid: TableGrid): boolean {
  if (table.attributes['role'] === 'presentation' || table.attributes['role'] === 'none') return true;
  if (grid.width === 1 && !grid.rows[0]?.isHead) return true;
  return grid.rows.some((row) => row.cells.some((cell) => (cell.flags & LAYOUT_BITS) !== 0));
}

function writeCells(grid: TableGrid, context: WriteContext): void {
  for (const row of grid.rows) {
    const isPlain = row.cells.every((cell) => (cell.flags & flag.hasBlock & ~0) === flag.hasBlock && isLeafBlock(cell));
    if (isPlain && row.cells.length > 1) writeRowLine(row, context);
    else for (const cell of row.cells) context.blocks(cell.children);
  }
}

/** Cells of a short row stay on one line. */
function writeRowLine(row: TableRow, context: WriteContext): void {
  const texts = row.cells.map((cell) => context.inline(cell.children)).filter((text) => text !== '');
  if (texts.length === 0) return;
  context.lines.gap();
  context.lines.write(texts.join(' '));
  context.lines.gap();
}

function writeBlock(text: string, context: WriteContext): void {
  if (text === '') return;
  context.lines.gap();
  context.lines.write(text);
  context.lines.gap();
}

function gfmTable(grid: TableGrid, context: WriteContext): string {
  const [first, ...others] = grid.rows as readonly [TableRow, ...TableRow[]];
  const head = first.isHead ? first : null;
  const rows = head === null ? grid.rows : others;
  const line = (row: TableRow | null): string => {
    const cells: string[] = [];
    for (let column = 0; column < grid.width; column += 1) {
      const cell = row?.cells[column];
      cells.push(cell === undefined ? '' : cellMarkdown(cell, (nodes) => context.inline(nodes)));
    }
    return `| ${cells.join(' | ')} |`;
  };
  const body = rows.map(line).filter((text) => /[^|\s]/.test(text));
  if (body.length === 0 && head === null) return '';
  return [line(head), `|${' --- |'.repeat(grid.width)}`, ...body].join('\n');
}

type Inline = (nodes: readonly HtmlNode[]) => string;

/** A cell of a GFM table is one line: its paragraphs and items are separated by <br>. */
function cellMarkdown(cell: ElementNode, inline: Inline): string {
  const parts: string[] = [];
  gatherCell(cell.children, inline, parts, '');
  const text = parts.join('\n');
  return text.replaceAll('|', '\\|').replaceAll('\n', '<br>');
}

const LISTS = new Set(['ul', 'ol', 'dl', 'menu']);

function gatherCell(nodes: readonly HtmlNode[], inline: Inline, parts: string[], marker: string): void {
  let run: HtmlNode[] = [];
  let prefix = marker;
  const flush = (): void => {
    const text = run.length === 0 ? '' : inline(run);
    run = [];
    if (text === '') return;
    parts.push(prefix + text);
    prefix = '';
  };
  for (const node of nodes) {
    if (node.kind === 'text' || (node.flags & flag.hasBlock) === 0) {
      run.push(node);
      continue;
    }
    flush();
    if ((node.flags & NOT_WRITTEN) !== 0) continue;
    gatherCell(node.children, inline, parts, node.tag === 'li' ? '- ' : LISTS.has(node.tag) ? '' : prefix);
  }
  flush();
}

type Resolve = (href: string) => string | null;

/** A table with spanning cells as clean HTML: only rows, cells, spans, inline code, emphasis and links; one row per line. */
function htmlTable(grid: TableGrid, resolve: Resolve): string {
  const rows = grid.rows.map((row) => `<tr>${row.cells.map((cell) => cellHtml(cell, resolve)).join('')}</tr>`);
  return ['<table>', ...rows, '</table>'].join('\n');
}

function cellHtml(cell: ElementNode, resolve: Resolve): string {
  const parts: string[] = [];
  gatherHtml(cell.children, parts, resolve);
  const content = trimBreaks(collapse(parts.join('')).trim());
  return `<${cell.tag}${spanAttribute(cell, 'colspan')}${spanAttribute(cell, 'rowspan')}>${content}</${cell.tag}>`;
}

function trimBreaks(html: string): string {
  let start = 0;
  let end = html.length;
  while (html.startsWith('<br>', start)) start += '<br>'.length;
  while (end - '<br>'.length >= start && html.endsWith('<br>', end)) end -= '<br>'.length;
  return html.slice(start, end).trim();
}

function spanAttribute(cell: ElementNode, name: 'colspan' | 'rowspan'): string {
  const value = span(cell, name);
  return value > 1 ? ` ${name}="${value}"` : '';
}

function gatherHtml(nodes: readonly HtmlNode[], parts: string[], resolve: Resolve): void {
  for (const node of nodes) {
    if (node.kind === 'text') parts.push(escapeHtml(node.text));
    else if ((node.flags & NOT_WRITTEN) === 0) gatherHtmlElement(node, parts, resolve);
  }
}

const RETAINED_TAGS: ReadonlyMap<string, string> = new Map([
  ['code', 'code'],
  ['tt', 'code'],
  ['kbd', 'code'],
  ['samp', 'code'],
  ['b', 'strong'],
  ['strong', 'strong'],
  ['em', 'em'],
  ['i', 'em'],
  ['sup', 'sup'],
  ['sub', 'sub'],
]);

function gatherHtmlElement(node: ElementNode, parts: string[], resolve: Resolve): void {
  if (node.tag === 'br') {
    parts.push('<br>');
    return;
  }
  const url = node.tag === 'a' ? linkOf(node, resolve) : null;
  const tag = url === null ? RETAINED_TAGS.get(node.tag) : 'a';
  const separates = BLOCK_TAGS.has(node.tag) && parts.length > 0 && parts[parts.length - 1] !== '<br>';
  if (separates) parts.push('<br>');
  if (tag !== undefined) parts.push(url === null ? `<${tag}>` : `<a href="${escapeHtml(url)}">`);
  gatherHtml(node.children, parts, resolve);
  if (tag !== undefined) parts.push(`</${tag}>`);
}

function linkOf(node: ElementNode, resolve: Resolve): string | null {
  const href = node.attributes['href'];
  return href === undefined || elementText(node) === '' ? null : resolve(href);
}
