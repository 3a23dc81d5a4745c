// Finds the container of the text on pages that say nothing: goes down while one child holds nearly all prose and
// what is left outside is links.

import { prose } from './coverage-guard.ts';
import type { ElementNode } from './html-node.ts';
import { flag, NOT_WRITTEN } from './node-flags.ts';
import { linksPrevail } from './chrome.ts';

const CONTAINERS = new Set([
  'div',
  'section',
  'td',
  'table',
  'tbody',
  'tr',
  'form',
  'center',
  'span',
  'font',
  'article',
]);

/** The most prose that may be left outside, as a share and in characters. */
const MOST_LEFT_SHARE = 0.05;
const MOST_LEFT_TEXT = 400;

export function densestContainer(body: ElementNode): ElementNode {
  let at = body;
  for (;;) {
    const next = denserChild(at);
    if (next === null) return at;
    at = next;
  }
}

function denserChild(node: ElementNode): ElementNode | null {
  let best: ElementNode | null = null;
  for (const child of node.children) {
    if (child.kind !== 'element' || (child.flags & NOT_WRITTEN) !== 0 || !CONTAINERS.has(child.tag)) continue;
    if (best === null || prose(child) > prose(best)) best = child;
  }
  if (best === null || best.textLength === 0) return null;
  const left = nonLink(node) - nonLink(best);
  if (left > MOST_LEFT_TEXT || left > nonLink(node) * MOST_LEFT_SHARE) return null;
  return losesHeading(node, best) ? null : best;
}

function nonLink(node: ElementNode): number {
  return node.textLength - node.linkLength;
}

function losesHeading(node: ElementNode, kept: ElementNode): boolean {
  for (const child of node.children) {
    if (child === kept || child.kind !== 'element' || (child.flags & NOT_WRITTEN) !== 0) continue;
    if ((child.flags & flag.hasHeading) !== 0 && !linksPrevail(child)) return true;
  }
  return false;
}
