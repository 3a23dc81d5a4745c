// The text of a code block, byte for byte, whatever the highlighter made of it: spans per token, lines as elements,
// table rows, line numbers, copy buttons. What a reader would not copy is left out; nothing else changes.

import type { ElementNode, HtmlNode } from '../parse/html-node.ts';
import { flag } from '../parse/node-flags.ts';

const LINE_TAGS = new Set(['div', 'p', 'li', 'tr']);
const NO_CODE = new Set([
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
  /** False outside of a pre: white space between the elements of lines is layout there. */
  readonly gapsCount: boolean;
}

export function codeText(node: ElementNode): string {
  const code: Code = { parts: [], gapsCount: isPreformatted(node) };
  gather(node.children, code, isPreformatted(node));
  const text = code.parts.join('').replaceAll('\u00a0', ' ');
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function isPreformatted(node: ElementNode): boolean {
  return node.tag === 'pre' || node.tag === 'code' || node.tag === 'listing' || node.tag === 'xmp';
}

function gather(nodes: readonly HtmlNode[], code: Code, gapsCount: boolean): void {
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index] as HtmlNode;
    if (node.kind === 'text') {
      if (gapsCount || !isGap(node.text)) code.parts.push(node.text);
    } else if (!isLeftOut(node)) {
      gatherElement(node, nodes[index + 1], code, gapsCount);
    }
  }
}

function gatherElement(node: ElementNode, next: HtmlNode | undefined, code: Code, gapsCount: boolean): void {
  if (node.tag === 'br') {
    code.parts.push('\n');
    return;
  }
  const isTable = node.tag === 'table' || node.tag === 'tbody' || node.tag === 'tr';
  const isLine = LINE_TAGS.has(node.tag) || (node.flags & flag.codeLine) !== 0;
  if (isLine && LINE_TAGS.has(node.tag)) startLine(code);
  const before = code.parts.length;
  gather(node.children, code, gapsCount ? !isTable : isLine && node.tag !== 'tr');
  if (isLine) endLine(code, before, next);
}

/** A block element begins a line of its own. */
function startLine(code: Code): void {
  const last = code.parts[code.parts.length - 1];
  if (last !== undefined && !last.endsWith('\n')) code.parts.push('\n');
}

/** Ends a line unless its own text or the text behind it does. */
function endLine(code: Code, before: number, next: HtmlNode | undefined): void {
  const last = code.parts[code.parts.length - 1] ?? '';
  const isEmpty = code.parts.length === before;
  if (!isEmpty && last.endsWith('\n')) return;
  if (next === undefined) {
    if (isEmpty) code.parts.push('');
    return;
  }
  if (next.kind === 'text' && next.text.startsWith('\n') && code.gapsCount) return;
  if (next.kind === 'element' && next.tag === 'br') return;
  code.parts.push('\n');
}

function isGap(text: string): boolean {
  return /^\s*$/.test(text);
}

function isLeftOut(node: ElementNode): boolean {
  if (NO_CODE.has(node.tag)) return true;
  if ((node.flags & (flag.hidden | flag.codeFurniture)) !== 0) return true;
  return isLineNumber(node);
}

/** Line numbers without a known class: nothing but a number, in an attribute or a cell that says so. */
function isLineNumber(node: ElementNode): boolean {
  return node.attributes['data-line-number'] !== undefined && /^\d*$/.test(ownText(node).trim());
}

function ownText(node: ElementNode): string {
  return node.children.map((child) => (child.kind === 'text' ? child.text : ownText(child))).join('');
}

/** True for a pre that holds the numbers of another one's lines. */
export function isNumbersOnly(text: string): boolean {
  return /^[\s\d]+$/.test(text) && /\d/.test(text) && isCounting(text);
}

function isCounting(text: string): boolean {
  const numbers = text.trim().split(/\s+/).map(Number);
  return numbers.every((number, index) => index === 0 || number === (numbers[index - 1] as number) + 1);
}

/** True where every element that is seen is a line of code. */
export function isMadeOfLines(node: ElementNode): boolean {
  let lines = 0;
  for (const child of node.children) {
    if (child.kind === 'text' || (child.flags & flag.hidden) !== 0) continue;
    if ((child.flags & flag.codeLine) !== 0) lines += 1;
    else if (child.tag !== 'a') return false;
  }
  return lines > 0;
}
