// Guards against a root that holds too little of the page: a `main` around the introduction alone,
// the first of twenty `article` elements, a class word that means something else on this site.

import type { ElementNode } from './parse/html-node.ts';

/** Text in links counts little: navigation is made of it, content is not. */
const LINK_WEIGHT = 0.2;

export function prose(node: ElementNode): number {
  return node.textLength - node.linkLength * (1 - LINK_WEIGHT);
}

/** The share of `whole`'s prose that `part` holds. */
export function coverage(part: ElementNode, whole: ElementNode): number {
  const all = prose(whole);
  return all <= 0 ? 1 : prose(part) / all;
}

/** The same, of text outside links alone. */
export function ownWordsCoverage(part: ElementNode, whole: ElementNode): number {
  const all = whole.textLength - whole.linkLength;
  return all <= 0 ? coverage(part, whole) : (part.textLength - part.linkLength) / all;
}

/** Prose outside a root that a cookie text or a licence line may have: too little to doubt what the page says. */
const UNDOUBTED_TEXT = 600;

export function holdsTooLittle(part: ElementNode, body: ElementNode, leastShare: number): boolean {
  return prose(body) - prose(part) > UNDOUBTED_TEXT && coverage(part, body) < leastShare;
}

const ENOUGH = 0.7;

/** The nearest ancestor that holds enough. */
export function widen(node: ElementNode, body: ElementNode): ElementNode {
  let at = node;
  while (at !== body && at.parent !== null && coverage(at, body) < ENOUGH) at = at.parent;
  return at;
}
