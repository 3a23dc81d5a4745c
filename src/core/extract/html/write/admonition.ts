// Writes notes, warnings and tips of every generator in one form: a quote that starts with its label in bold.

import { normalizeClassWord } from '../parse/attribute-flags.ts';
import { ADMONITION_LABELS } from '../parse/class-words.table.ts';
import { classWords, find, isInside, type ElementNode, type HtmlNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { HEADING_TAGS } from '../parse/tag-rules.table.ts';
import { hasWords, elementText } from './element-text.ts';
import type { WriteContext } from './write-context.ts';

const BOXES = new Set(['div', 'aside', 'section', 'blockquote', 'details', 'p', 'table']);
/** Whole pages may be in a box with a common class name; a note is short. */
const MAX_UNNAMED_CHARS = 6_000;

/** The label of an admonition; null if the element is not one. */
export function admonitionLabel(node: ElementNode): string | null {
  if (!BOXES.has(node.tag) || node.textLength === 0) return null;
  const isNamed = (node.flags & flag.admonition) !== 0;
  if (!isNamed && node.attributes['class'] === undefined) return node.attributes['role'] === 'note' ? 'Note' : null;
  const label = labelOf(node, isNamed);
  if (label !== null) return isNamed || isShort(node, label) ? label : null;
  return isNamed && (node.flags & flag.hasHeading) === 0 && classWords(node)[0] !== 'alert' ? '' : null;
}

function isShort(node: ElementNode, label: string): boolean {
  if (node.textLength > MAX_UNNAMED_CHARS) return false;
  return (node.flags & flag.hasHeading) === 0 || isLabelHeading(firstElement(node), label);
}

/** DocBook writes the label of a note as a heading. */
function isLabelHeading(node: ElementNode | null, label: string): boolean {
  return node !== null && HEADING_TAGS.has(node.tag) && elementText(node).toLowerCase() === label.toLowerCase();
}

/** `note` alone is enough; `admonition-note` and `alert--warning` only count on an element marked as an admonition. */
function labelOf(node: ElementNode, isNamed: boolean): string | null {
  for (const word of classWords(node)) {
    const plain = normalizeClassWord(word);
    const label = ADMONITION_LABELS.get(plain) ?? (isNamed ? ADMONITION_LABELS.get(lastPart(plain)) : undefined);
    if (label !== undefined && (isNamed || UNNAMED_KINDS.has(plain))) return label;
  }
  return null;
}

/** Class words that mean an admonition even without another hint. */
const UNNAMED_KINDS = new Set([
  'note',
  'warning',
  'tip',
  'important',
  'caution',
  'danger',
  'hint',
  'attention',
  'seealso',
]);

function lastPart(word: string): string {
  return word.slice(word.lastIndexOf('-') + 1);
}

export function writeAdmonition(node: ElementNode, label: string, context: WriteContext): void {
  const title = titleOf(node, label);
  const heading = title === null ? label : titleText(title) || label;
  context.lines.gap();
  context.lines.withPrefix('> ', '> ', () => {
    if (heading !== '') {
      context.lines.write(`**${heading}**`);
      context.lines.gap();
    }
    const content = contentOf(node);
    if (content === null) context.blocks(withoutTitle(node.children, title));
    else context.blocks(content);
  });
  context.lines.gap();
}

function titleText(title: ElementNode): string {
  if (title.tag === 'img') return (title.attributes['alt'] ?? '').replace(/^\[|\]$/g, '');
  return elementText(title).replace(/:$/, '');
}

/** AsciiDoc and DocBook lay a box out as a table: the label in one cell, the content in another. */
function contentOf(node: ElementNode): readonly HtmlNode[] | null {
  const table = node.tag === 'table' ? node : find(node, (child) => child.tag === 'table');
  if (table === null || table.parent !== (node.tag === 'table' ? node.parent : node)) return null;
  const cells = cellsOf(table).filter((cell) => cell.textLength > 0);
  const last = cells[cells.length - 1];
  if (last === undefined || cells.length > 2 || last.textLength * 2 < table.textLength) return null;
  return last.children;
}

function cellsOf(node: ElementNode): readonly ElementNode[] {
  const cells: ElementNode[] = [];
  for (const child of node.children) {
    if (child.kind !== 'element') continue;
    if (child.tag === 'td' || child.tag === 'th') cells.push(child);
    else cells.push(...cellsOf(child));
  }
  return cells;
}

function titleOf(node: ElementNode, label: string): ElementNode | null {
  const marked = find(node, (child) => (child.flags & flag.boxTitle) !== 0 || child.tag === 'summary');
  if (marked !== null && hasWords(elementText(marked))) return marked;
  const cell = cellsOf(node).find((child) => /(?:^|\s)icon(?:\s|$)/.test(child.attributes['class'] ?? ''));
  if (cell !== undefined) return hasWords(elementText(cell)) ? cell : find(cell, (child) => child.tag === 'img');
  const first = firstElement(node);
  if (first === null || first.textLength > MAX_TITLE_CHARS) return null;
  const text = elementText(first).replace(/[:.!]$/, '');
  const isTitle = (first.flags & flag.boxTitle) !== 0 || /title|heading|label/i.test(first.attributes['class'] ?? '');
  return isTitle || text.toLowerCase() === label.toLowerCase() ? first : null;
}

const MAX_TITLE_CHARS = 100;

function firstElement(node: ElementNode): ElementNode | null {
  for (const child of node.children) {
    if (child.kind === 'text') {
      if (child.text.trim() !== '') return null;
    } else if ((child.flags & NOT_WRITTEN) === 0 && child.textLength > 0) {
      return /^(?:strong|b|span)$/.test(child.tag) && node.tag !== 'p' ? child : child;
    }
  }
  return null;
}

function withoutTitle(nodes: readonly HtmlNode[], title: ElementNode | null): readonly HtmlNode[] {
  if (title === null) return nodes;
  return nodes.flatMap((node): readonly HtmlNode[] => {
    if (node === title) return [];
    if (node.kind === 'text' || !isInside(title, node)) return [node];
    return withoutTitle(node.children, title);
  });
}
