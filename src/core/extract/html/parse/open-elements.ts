// The stack of open elements: where the next node goes, and which elements a tag ends.
// Every search is bounded by the depth cap, and unmatched end tags are refused by a count, so hostile nesting stays linear.

import { append, element, NO_ATTRIBUTES, type Attributes, type ElementNode } from './html-node.ts';
import { TAG_NAMES, tagNamed, type TagInfo } from './tag-info.ts';
import { ENDS_WITHIN_TABLE, HEADING_TAGS, LIST_SCOPE_TAGS, SCOPE_TAGS } from './tag-rules.table.ts';

export const MAX_DEPTH = 512;

export interface OpenElements {
  current(): ElementNode;
  /** The element that the last open() made. */
  latest(): ElementNode | null;
  has(tag: TagInfo): boolean;
  inPre(): boolean;
  inForeign(): boolean;
  open(tag: TagInfo, attributes: Attributes, isVoid: boolean): ElementNode;
  close(tag: TagInfo): void;
}

interface Stack {
  readonly nodes: ElementNode[];
  readonly tags: TagInfo[];
  /** How many elements of each known tag are open. Unknown tags share a count that is never asked. */
  readonly counts: Int32Array;
  /** How many elements beyond the cap are open; they are in the tree, but nothing is inside them. */
  readonly beyond: Map<string, number>;
  latest: ElementNode | null;
}

const PARAGRAPH = tagNamed('p');
const [PRE, LISTING, XMP] = [tagNamed('pre').id, tagNamed('listing').id, tagNamed('xmp').id];
const [SVG, MATH] = [tagNamed('svg').id, tagNamed('math').id];

export function openElements(root: ElementNode): OpenElements {
  const stack: Stack = {
    nodes: [root],
    tags: [tagNamed(root.tag)],
    counts: new Int32Array(TAG_NAMES.length + 1),
    beyond: new Map(),
    latest: null,
  };
  const { counts } = stack;
  const count = (id: number): number => counts[id] as number;
  return {
    current: () => top(stack),
    latest: () => stack.latest,
    has: (tag) => count(tag.id) > 0,
    inPre: () => count(PRE) + count(LISTING) + count(XMP) > 0,
    inForeign: () => count(SVG) + count(MATH) > 0,
    open(tag, attributes, isVoid) {
      endImplied(stack, tag);
      return push(stack, tag, attributes, isVoid);
    },
    close(tag) {
      const beyond = stack.beyond.size === 0 ? 0 : (stack.beyond.get(tag.name) ?? 0);
      if (beyond > 0) stack.beyond.set(tag.name, beyond - 1);
      else if (tag.id === 0 || count(tag.id) > 0) closeMatching(stack, tag);
      else if (tag === PARAGRAPH) push(stack, PARAGRAPH, NO_ATTRIBUTES, true);
    },
  };
}

function top(stack: Stack): ElementNode {
  return stack.nodes[stack.nodes.length - 1] as ElementNode;
}

function push(stack: Stack, tag: TagInfo, attributes: Attributes, isVoid: boolean): ElementNode {
  const parent = top(stack);
  const node = element(tag.name, parent, attributes, tag.flags);
  append(parent, node);
  stack.latest = node;
  if (isVoid) return node;
  if (stack.nodes.length >= MAX_DEPTH) {
    stack.beyond.set(tag.name, (stack.beyond.get(tag.name) ?? 0) + 1);
    return node;
  }
  stack.nodes.push(node);
  stack.tags.push(tag);
  stack.counts[tag.id] = (stack.counts[tag.id] as number) + 1;
  return node;
}

function pop(stack: Stack): void {
  stack.nodes.pop();
  const tag = stack.tags.pop();
  if (tag !== undefined) stack.counts[tag.id] = (stack.counts[tag.id] as number) - 1;
}

function popThrough(stack: Stack, index: number): void {
  while (stack.nodes.length > index) pop(stack);
}

/** A page may leave its head open: the first thing that cannot be inside ends it. */
const HEAD_TAGS = new Set(['title', 'meta', 'link', 'base', 'style', 'script', 'noscript', 'template', 'object']);

function endImplied(stack: Stack, tag: TagInfo): void {
  if (top(stack).tag === 'head' && !HEAD_TAGS.has(tag.name)) pop(stack);
  if (tag.endsDrawing && stack.counts[SVG] !== 0) endDrawing(stack);
  if (tag.endsParagraph) endParagraph(stack);
  if (tag.endsOthers) endOthers(stack, tag.name);
}

/** A drawing left open would swallow the page: HTML inside it ends it, unless it is inside a foreignObject. */
function endDrawing(stack: Stack): void {
  for (let index = stack.nodes.length - 1; index > 0; index -= 1) {
    const { tag } = stack.nodes[index] as ElementNode;
    if (tag === 'foreignobject' || tag === 'desc' || tag === 'title') return;
    if (tag === 'svg') {
      popThrough(stack, index);
      return;
    }
  }
}

function endOthers(stack: Stack, tag: string): void {
  const inTable = ENDS_WITHIN_TABLE.get(tag);
  if (inTable !== undefined) endWhile(stack, inTable);
  else if (tag === 'li') endNearest(stack, LI);
  else if (tag === 'dt' || tag === 'dd') endNearest(stack, TERMS);
  else if (HEADING_TAGS.has(tag) && HEADING_TAGS.has(top(stack).tag)) pop(stack);
  else if ((tag === 'option' || tag === 'a') && top(stack).tag === tag) pop(stack);
}

const LI: ReadonlySet<string> = new Set(['li']);
const TERMS: ReadonlySet<string> = new Set(['dt', 'dd']);

function endParagraph(stack: Stack): void {
  if (stack.counts[PARAGRAPH.id] === 0) return;
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

function closeMatching(stack: Stack, { name, isScope }: TagInfo): void {
  const passesScope = isScope || TABLE_PARTS.has(name);
  for (let index = stack.nodes.length - 1; index > 0; index -= 1) {
    const open = stack.tags[index] as TagInfo;
    if (open.name === name) {
      popThrough(stack, index);
      return;
    }
    if (passesScope ? open.name === 'table' : open.isScope) return;
  }
}
