// The text of a code block, byte for byte, whatever markup the highlighter produced: spans per token, lines as elements,
// table rows, line numbers, copy buttons. What a reader would not copy is dropped; nothing else changes.

import type { ElementNode, HtmlNode } from '../parse/html-node.ts';
import { flag } from '../parse/node-flags.ts';

const LINE_TAGS = new Set(['div', 'p', 'li', 'tr']);
const NON_CODE_TAGS = new Set([
  'button',
  'script',
  'style',
  'template',
  'svg',
  'input',
  'select',
  'textarea',
  'noscript',
  'img',
]);

interface Code {
  readonly parts: string[];
  /** False outside a pre, where white space between line elements is layout. */
  readonly keepsWhitespace: boolean;
}

export function codeText(node: ElementNode): string {
  const code: Code = { parts: [], keepsWhitespace: isPreformatted(node) };
  gather(node.children, code, isPreformatted(node));
  const text = code.parts.join('').replaceAll('\u00a0', ' ');
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function isPreformatted(node: ElementNode): boolean {
  return node.tag === 'pre' || node.tag === 'code' || node.tag === 'listing' || node.tag === 'xmp';
}

function gather(nodes: readonly HtmlNode[], code: Code, keepsWhitespace: boolean): void {
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index] as HtmlNode;
    if (node.kind === 'text') {
      if (keepsWhitespace || !isBlank(node.text)) code.parts.push(node.text);
    } else if (!isExcluded(node)) {
      gatherElement(node, nodes[index + 1], code, keepsWhitespace);
    }
  }
}

function gatherElement(node: ElementNode, next: HtmlNode | undefined, code: Code, keepsWhitespace: boolean): void {
  if (node.tag === 'br') {
    code.parts.push('\n');
    return;
  }
  const isTable = node.tag === 'table' || node.tag === 'tbody' || node.tag === 'tr';
  const isLine = LINE_TAGS.has(node.tag) || (node.flags & flag.codeLine) !== 0;
  if (isLine && LINE_TAGS.has(node.tag)) startLine(code);
  const before = code.parts.length;
  gather(node.children, code, keepsWhitespace ? !isTable : isLine && node.tag !== 'tr');
  if (isLine) endLine(code, before, next);
}

/** A block element starts a new line. */
function startLine(code: Code): void {
  const last = code.parts[code.parts.length - 1];
  if (last !== undefined && !last.endsWith('\n')) code.parts.push('\n');
}

/** Ends a line unless its own text or the following text does. */
function endLine(code: Code, before: number, next: HtmlNode | undefined): void {
  const last = code.parts[code.parts.length - 1] ?? '';
  const isEmpty = code.parts.length === before;
  if (!isEmpty && last.endsWith('\n')) return;
  if (next === undefined) {
    if (isEmpty) code.parts.push('');
    return;
  }
  if (next.kind === 'text' && next.text.startsWith('\n') && code.keepsWhitespace) return;
  if (next.kind === 'element' && next.tag === 'br') return;
  code.parts.push('\n');
}

function isBlank(text: string): boolean {
  return /^\s*$/.test(text);
}

function isExcluded(node: ElementNode): boolean {
  if (NON_CODE_TAGS.has(node.tag)) return true;
  // Permalinks: Sphinx links from its copy of the source back to the documentation, inside the code.
  if ((node.flags & (flag.hidden | flag.codeChrome | flag.permalink)) !== 0) return true;
  return isLineNumber(node);
}

/** Line numbers without a known class: a number in an element with a line-number attribute. */
function isLineNumber(node: ElementNode): boolean {
  return node.attributes['data-line-number'] !== undefined && /^\d*$/.test(ownText(node).trim());
}

export function ownText(node: ElementNode): string {
  return node.children.map((child) => (child.kind === 'text' ? child.text : ownText(child))).join('');
}

/** Whether a pre contains only the line numbers of another one. */
export function isNumbersOnly(text: string): boolean {
  return /^[\s\d]+$/.test(text) && /\d/.test(text) && countsUp(text);
}

function countsUp(text: string): boolean {
  const numbers = text.trim().split(/\s+/).map(Number);
  return numbers.every((number, index) => index === 0 || number === (numbers[index - 1] as number) + 1);
}

/** Whether every visible child element is a line of code. */
export function consistsOfLines(node: ElementNode): boolean {
  let lines = 0;
  for (const child of node.children) {
    if (child.kind === 'text' || (child.flags & flag.hidden) !== 0) continue;
    if ((child.flags & flag.codeLine) !== 0) lines += 1;
    else if (child.tag !== 'a') return false;
  }
  return lines > 0;
}
