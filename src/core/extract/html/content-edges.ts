// Pagers and bars of links at the edges of the content, on pages that give them no name: `Prev | Up | Next`.

import { walk, type ElementNode } from './html-node.ts';
import { flag, NOT_WRITTEN } from './node-flags.ts';
import { plainText } from './plain-text.ts';

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

function trim(node: ElementNode, side: 'start' | 'end', limits: { depth: number; maxText: number }): void {
  const { depth, maxText } = limits;
  const children = side === 'start' ? node.children : [...node.children].reverse();
  let bars = 0;
  for (const child of children) {
    if (child.kind === 'text') {
      if (child.text.trim() === '') continue;
      return;
    }
    if ((child.flags & NOT_WRITTEN) !== 0 || (child.textLength === 0 && child.tag !== 'img')) continue;
    if (child.textLength <= maxText && bars < MAX_BARS && isBar(child)) {
      child.flags |= flag.chrome;
      bars += 1;
      continue;
    }
    if (depth < MAX_DEPTH && (child.tag === 'div' || child.tag === 'section' || child.tag === 'center')) {
      trim(child, side, { depth: depth + 1, maxText });
    }
    return;
  }
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
