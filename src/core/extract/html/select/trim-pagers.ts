// Marks unlabelled pagers and link bars at the edges of the content as chrome: `Prev | Up | Next`.

import { walk, type ElementNode, type HtmlNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { elementText } from '../write/element-text.ts';

const MAX_PAGER_CHARS = 300;
const MAX_PAGERS = 4;
const MAX_DEPTH = 6;
const CONTENT_BITS = flag.hasHeading | flag.hasPre;
const MAX_PAGER_LINKS = 8;
const DIRECTION = /^\W*(?:prev(?:ious)?|next|up|home|top|back|index|contents|toc)\b|[«»←→‹›⟨⟩]/i;

export function trimPagers(root: ElementNode): void {
  // An element with more than half of the content is not an edge.
  const maxText = Math.min(MAX_PAGER_CHARS, root.textLength / 2);
  trim(root, 'start', { depth: 0, maxText });
  trim(root, 'end', { depth: 0, maxText });
}

type Limits = { readonly depth: number; readonly maxText: number };

function trim(node: ElementNode, side: 'start' | 'end', limits: Limits): void {
  const children = side === 'start' ? node.children : node.children.toReversed();
  let pagers = 0;
  for (const child of children) {
    if (isBlank(child)) continue;
    if (child.kind === 'text') return;
    if (child.textLength > limits.maxText || pagers >= MAX_PAGERS || !isPager(child)) {
      if (limits.depth < MAX_DEPTH && CONTAINERS.has(child.tag))
        trim(child, side, { ...limits, depth: limits.depth + 1 });
      return;
    }
    child.flags |= flag.chrome;
    pagers += 1;
  }
}

const CONTAINERS = new Set(['div', 'section', 'center']);

function isBlank(node: HtmlNode): boolean {
  if (node.kind === 'text') return node.text.trim() === '';
  return (node.flags & NOT_WRITTEN) !== 0 || (node.textLength === 0 && node.tag !== 'img');
}

function isPager(node: ElementNode): boolean {
  if ((node.flags & CONTENT_BITS) !== 0) return false;
  return node.linkLength * 10 > node.textLength * 6 && hasPagerLinks(node);
}

/** A few links, at least one of which goes to the next or another fixed page. */
function hasPagerLinks(node: ElementNode): boolean {
  const texts: string[] = [];
  walk(node, (child) => {
    if (child.tag === 'a') texts.push(elementText(child));
    return true;
  });
  return texts.length <= MAX_PAGER_LINKS && texts.some((text) => DIRECTION.test(text));
}
