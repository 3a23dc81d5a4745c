// Finds the container of the text on pages that say nothing: goes down while one child holds nearly all prose and
// what is left outside is links.

import { prose } from './coverage-guard.ts';
import type { ElementNode } from './parse/html-node.ts';
import { flag, NOT_WRITTEN } from './parse/node-flags.ts';
import { linksPrevail } from './select/chrome.ts';

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
  return losesContent(node, best) ? null : best;
}

function nonLink(node: ElementNode): number {
  return node.textLength - node.linkLength;
}

/** What is left outside may be bars and footers, but no heading, no paragraph and nothing that is called content. */
function losesContent(node: ElementNode, kept: ElementNode): boolean {
  return node.children.some((child) => {
    if (child === kept || child.kind !== 'element' || (child.flags & NOT_WRITTEN) !== 0) return false;
    if (linksPrevail(child) || child.textLength === 0) return false;
    if ((child.flags & (flag.hasHeading | flag.contentRoot)) !== 0) return true;
    return PROSE_TAGS.has(child.tag) && nonLink(child) > MOST_LEFT_LINE;
  });
}

const PROSE_TAGS = new Set(['p', 'ul', 'ol', 'dl', 'pre', 'blockquote']);
const MOST_LEFT_LINE = 20;
