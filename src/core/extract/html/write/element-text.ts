// The text of an element on one line, without markup: titles, labels, link texts.

import type { ElementNode, HtmlNode } from '../parse/html-node.ts';
import { NOT_WRITTEN } from '../parse/node-flags.ts';
import { BLOCK_TAGS } from '../parse/tag-rules.table.ts';
import { collapse } from './inline-text.ts';

export function elementText(node: ElementNode): string {
  const [first] = node.children;
  if (first?.kind === 'text' && node.children.length === 1) return collapse(first.text).trim();
  const parts: string[] = [];
  collectText(node.children, parts);
  return collapse(parts.join('')).trim();
}

function collectText(nodes: readonly HtmlNode[], parts: string[]): void {
  for (const node of nodes) {
    if (node.kind === 'text') {
      parts.push(node.text);
      continue;
    }
    if ((node.flags & NOT_WRITTEN) !== 0) continue;
    const separates = node.tag === 'br' || BLOCK_TAGS.has(node.tag);
    if (separates) parts.push(' ');
    collectText(node.children, parts);
    if (separates) parts.push(' ');
  }
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

export function hasWords(text: string): boolean {
  return LETTER_OR_DIGIT.test(text);
}
