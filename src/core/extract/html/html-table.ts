// A table with spanning cells as clean HTML: rows, cells, spans, code and links, one row a line and nothing else.

import type { ElementNode, HtmlNode } from './parse/html-node.ts';
import { collapse } from './write/inline-text.ts';
import { NOT_WRITTEN } from './parse/node-flags.ts';
import { plainText } from './write/element-text.ts';
import { span, type TableGrid } from './write/table-grid.ts';
import { BLOCK_TAGS } from './parse/tag-rules.table.ts';

type Resolve = (href: string) => string | null;

export function htmlTable(grid: TableGrid, resolve: Resolve): string {
  const rows = grid.rows.map((row) => `<tr>${row.cells.map((cell) => cellHtml(cell, resolve)).join('')}</tr>`);
  return ['<table>', ...rows, '</table>'].join('\n');
}

function cellHtml(cell: ElementNode, resolve: Resolve): string {
  const parts: string[] = [];
  gather(cell.children, parts, resolve);
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

function gather(nodes: readonly HtmlNode[], parts: string[], resolve: Resolve): void {
  for (const node of nodes) {
    if (node.kind === 'text') parts.push(escapeHtml(node.text));
    else if ((node.flags & NOT_WRITTEN) === 0) gatherElement(node, parts, resolve);
  }
}

const KEPT: ReadonlyMap<string, string> = new Map([
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

function gatherElement(node: ElementNode, parts: string[], resolve: Resolve): void {
  if (node.tag === 'br') {
    parts.push('<br>');
    return;
  }
  const url = node.tag === 'a' ? linkOf(node, resolve) : null;
  const tag = url === null ? KEPT.get(node.tag) : 'a';
  const separates = BLOCK_TAGS.has(node.tag) && parts.length > 0 && parts[parts.length - 1] !== '<br>';
  if (separates) parts.push('<br>');
  if (tag !== undefined) parts.push(url === null ? `<${tag}>` : `<a href="${escapeHtml(url)}">`);
  gather(node.children, parts, resolve);
  if (tag !== undefined) parts.push(`</${tag}>`);
}

function linkOf(node: ElementNode, resolve: Resolve): string | null {
  const href = node.attributes['href'];
  return href === undefined || plainText(node) === '' ? null : resolve(href);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
