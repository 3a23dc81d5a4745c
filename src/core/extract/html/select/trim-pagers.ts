// Pagers and bars of links at the edges of the content, on pages that give them no name: `Prev | Up | Next`.

import { walk, type ElementNode, type HtmlNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { plainText } from '../write/element-text.ts';

const MAX_BAR_TEXT = 300;
const MAX_BARS = 4;
const MAX_DEPTH = 6;
const CONTENT_BITS = flag.hasHeading | flag.hasPre;
const MAX_BAR_LINKS = 8;
const DIRECTION = /^\W*(?:prev(?:ious)?|next|up|home|top|back|index|contents|toc)\b|[«»←→‹›⟨⟩]/i;

export function trimEdges(root: ElementNode): void {
  // What is more than half of the content is no edge of it.
  const maxText = Math.min(MAX_BAR_TEXT, root.textLength / 2);
  trim(root, 'start', { depth: 0, maxText });
  trim(root, 'end', { depth: 0, maxText });
}

type Limits = { readonly depth: number; readonly maxText: number };

function trim(node: ElementNode, side: 'start' | 'end', limits: Limits): void {
  const children = side === 'start' ? node.children : node.children.toReversed();
  let bars = 0;
  for (const child of children) {
    if (isBlank(child)) continue;
    if (child.kind === 'text') return;
    if (child.textLength > limits.maxText || bars >= MAX_BARS || !isBar(child)) {
      if (limits.depth < MAX_DEPTH && CONTAINERS.has(child.tag))
        trim(child, side, { ...limits, depth: limits.depth + 1 });
      return;
    }
    child.flags |= flag.chrome;
    bars += 1;
  }
}

const CONTAINERS = new Set(['div', 'section', 'center']);

function isBlank(node: HtmlNode): boolean {
  if (node.kind === 'text') return node.text.trim() === '';
  return (node.flags & NOT_WRITTEN) !== 0 || (node.textLength === 0 && node.tag !== 'img');
}

function isBar(node: ElementNode): boolean {
  if ((node.flags & CONTENT_BITS) !== 0) return false;
  return node.linkLength * 10 > node.textLength * 6 && leadsAlong(node);
}

/** A few links, one of which says that it leads to the next or another fixed page. */
function leadsAlong(node: ElementNode): boolean {
  const texts: string[] = [];
  walk(node, (child) => {
    if (child.tag === 'a') texts.push(plainText(child));
    return true;
  });
  return texts.length <= MAX_BAR_LINKS && texts.some((text) => DIRECTION.test(text));
}
