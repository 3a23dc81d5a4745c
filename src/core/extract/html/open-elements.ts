// The stack of open elements: where the next node goes, and which elements a tag ends.
// Every search is bounded by the depth cap, and unmatched end tags are refused by a count, so hostile nesting stays linear.

import { element, type Attributes, type ElementNode } from './html-node.ts';
import { ENDS_PARAGRAPH, ENDS_WITHIN_TABLE, HEADING_TAGS, LIST_SCOPE_TAGS, SCOPE_TAGS } from './tag-rules.table.ts';

export const MAX_DEPTH = 512;

export interface OpenElements {
  current(): ElementNode;
  /** The element that the last open() made. */
  latest(): ElementNode | null;
  has(tag: string): boolean;
  inPre(): boolean;
  inForeign(): boolean;
  open(tag: string, attributes: Attributes, isVoid: boolean): ElementNode;
  close(tag: string): void;
}

interface Stack {
  readonly nodes: ElementNode[];
  readonly counts: Map<string, number>;
  /** How many elements beyond the cap are open; they are in the tree, but nothing is inside them. */
  readonly beyond: Map<string, number>;
  latest: ElementNode | null;
}

export function openElements(root: ElementNode): OpenElements {
  const stack: Stack = { nodes: [root], counts: new Map(), beyond: new Map(), latest: null };
  const count = (tag: string): number => stack.counts.get(tag) ?? 0;
  return {
    current: () => top(stack),
    latest: () => stack.latest,
    has: (tag) => count(tag) > 0,
    inPre: () => count('pre') > 0 || count('listing') > 0 || count('xmp') > 0,
    inForeign: () => count('svg') > 0 || count('math') > 0,
    open(tag, attributes, isVoid) {
      endImplied(stack, tag);
      return push(stack, tag, attributes, isVoid);
    },
    close(tag) {
      const beyond = stack.beyond.get(tag) ?? 0;
      if (beyond > 0) stack.beyond.set(tag, beyond - 1);
      else if (count(tag) > 0) closeMatching(stack, tag);
      else if (tag === 'p') push(stack, 'p', {}, true);
    },
  };
}

function top(stack: Stack): ElementNode {
  return stack.nodes[stack.nodes.length - 1] as ElementNode;
}

function push(stack: Stack, tag: string, attributes: Attributes, isVoid: boolean): ElementNode {
  const parent = top(stack);
  const node = element(tag, parent, attributes);
  parent.children.push(node);
  stack.latest = node;
  if (isVoid) return node;
  if (stack.nodes.length >= MAX_DEPTH) {
    stack.beyond.set(tag, (stack.beyond.get(tag) ?? 0) + 1);
    return node;
  }
  stack.nodes.push(node);
  stack.counts.set(tag, (stack.counts.get(tag) ?? 0) + 1);
  return node;
}

function pop(stack: Stack): void {
  const node = stack.nodes.pop();
  if (node !== undefined) stack.counts.set(node.tag, (stack.counts.get(node.tag) ?? 1) - 1);
}

function popThrough(stack: Stack, index: number): void {
  while (stack.nodes.length > index) pop(stack);
}

/** A page may leave its head open: the first thing that cannot be inside ends it. */
const HEAD_TAGS = new Set(['title', 'meta', 'link', 'base', 'style', 'script', 'noscript', 'template', 'object']);

function endImplied(stack: Stack, tag: string): void {
  if (top(stack).tag === 'head' && !HEAD_TAGS.has(tag)) pop(stack);
  if (ENDS_PARAGRAPH.has(tag)) endParagraph(stack);
  const inTable = ENDS_WITHIN_TABLE.get(tag);
  if (inTable !== undefined) endWhile(stack, inTable);
  else if (tag === 'li') endNearest(stack, LI);
  else if (tag === 'dt' || tag === 'dd') endNearest(stack, TERMS);
  else if (HEADING_TAGS.has(tag) && HEADING_TAGS.has(top(stack).tag)) pop(stack);
  else if (tag === 'option' && top(stack).tag === 'option') pop(stack);
  else if (tag === 'a' && top(stack).tag === 'a') pop(stack);
}

const LI: ReadonlySet<string> = new Set(['li']);
const TERMS: ReadonlySet<string> = new Set(['dt', 'dd']);

function endParagraph(stack: Stack): void {
  if ((stack.counts.get('p') ?? 0) === 0) return;
  for (let index = stack.nodes.length - 1; index > 0; index -= 1) {
    const { tag } = stack.nodes[index] as ElementNode;
    if (tag === 'p') {
      popThrough(stack, index);
      return;
    }
    if (SCOPE_TAGS.has(tag) || tag === 'button') return;
  }
}

/** Ends the nearest open item, unless a list or another container lies between. */
function endNearest(stack: Stack, ended: ReadonlySet<string>): void {
  for (let index = stack.nodes.length - 1; index > 0; index -= 1) {
    const { tag } = stack.nodes[index] as ElementNode;
    if (ended.has(tag)) {
      popThrough(stack, index);
      return;
    }
    if (SCOPE_TAGS.has(tag) || LIST_SCOPE_TAGS.has(tag)) return;
  }
}

/** Ends every open part of the innermost table that the new part cannot be inside of. */
function endWhile(stack: Stack, ended: ReadonlySet<string>): void {
  let from = stack.nodes.length;
  for (let index = stack.nodes.length - 1; index > 0; index -= 1) {
    const { tag } = stack.nodes[index] as ElementNode;
    if (ended.has(tag)) from = index;
    else if (tag === 'table' || tag === 'tr' || tag === 'tbody' || tag === 'thead' || tag === 'html') break;
  }
  popThrough(stack, from);
}

const TABLE_PARTS = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th', 'caption']);

function closeMatching(stack: Stack, tag: string): void {
  const passesScope = TABLE_PARTS.has(tag) || SCOPE_TAGS.has(tag);
  for (let index = stack.nodes.length - 1; index > 0; index -= 1) {
    const node = stack.nodes[index] as ElementNode;
    if (node.tag === tag) {
      popThrough(stack, index);
      return;
    }
    if (passesScope ? node.tag === 'table' : SCOPE_TAGS.has(node.tag)) return;
  }
}
