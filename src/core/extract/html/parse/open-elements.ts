// The stack of open elements: where the next node goes, and which elements a tag closes. Every search is bounded by the
// depth limit, and unmatched end tags are rejected by a count, so hostile nesting stays linear.

import { append, createElement, NO_ATTRIBUTES, type Attributes, type ElementNode } from './html-node.ts';
import { TAG_NAMES, tagNamed, type TagInfo } from './tag-info.ts';
import { CLOSES_IN_TABLE, HEADING_TAGS, LIST_SCOPE_TAGS, SCOPE_TAGS } from './tag-rules.table.ts';

export const MAX_ELEMENT_DEPTH = 512;

export interface OpenElements {
  current(): ElementNode;
  /** The element created by the last open(). */
  latest(): ElementNode | null;
  has(tag: TagInfo): boolean;
  /** Elements are opened and closed at this offset from here on. */
  moveTo(offset: number): void;
  inForeign(): boolean;
  open(tag: TagInfo, attributes: Attributes, isVoid: boolean): ElementNode;
  close(tag: TagInfo): void;
}

interface Stack {
  readonly nodes: ElementNode[];
  readonly tags: TagInfo[];
  /** How many elements of each known tag are open. Unknown tags share a count that is never read. */
  readonly counts: Int32Array;
  /** How many elements over the depth limit are open, by tag; they are in the tree but have no children. */
  readonly tooDeep: Map<string, number>;
  latest: ElementNode | null;
  /** Offset in the HTML. */
  at: number;
}

const PARAGRAPH = tagNamed('p');
const [SVG, MATH] = [tagNamed('svg').id, tagNamed('math').id];

export function createOpenElements(root: ElementNode): OpenElements {
  const stack: Stack = {
    nodes: [root],
    tags: [tagNamed(root.tag)],
    counts: new Int32Array(TAG_NAMES.length + 1),
    tooDeep: new Map(),
    latest: null,
    at: 0,
  };
  const { counts } = stack;
  const count = (id: number): number => counts[id] as number;
  return {
    current: () => top(stack),
    latest: () => stack.latest,
    has: (tag) => count(tag.id) > 0,
    moveTo: (offset) => void (stack.at = offset),
    inForeign: () => count(SVG) + count(MATH) > 0,
    open(tag, attributes, isVoid) {
      closeImplied(stack, tag);
      return push(stack, tag, attributes, isVoid);
    },
    close(tag) {
      const open = stack.tooDeep.size === 0 ? 0 : (stack.tooDeep.get(tag.name) ?? 0);
      if (open > 0) stack.tooDeep.set(tag.name, open - 1);
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
  const node = createElement(tag.name, parent, attributes, tag.flags);
  append(parent, node);
  node.start = stack.at;
  node.end = stack.at;
  stack.latest = node;
  if (isVoid) return node;
  if (stack.nodes.length >= MAX_ELEMENT_DEPTH) {
    stack.tooDeep.set(tag.name, (stack.tooDeep.get(tag.name) ?? 0) + 1);
    return node;
  }
  stack.nodes.push(node);
  stack.tags.push(tag);
  stack.counts[tag.id] = (stack.counts[tag.id] as number) + 1;
  return node;
}

function pop(stack: Stack): void {
  const node = stack.nodes.pop();
  if (node !== undefined) node.end = stack.at;
  const tag = stack.tags.pop();
  if (tag !== undefined) stack.counts[tag.id] = (stack.counts[tag.id] as number) - 1;
}

function popThrough(stack: Stack, index: number): void {
  while (stack.nodes.length > index) pop(stack);
}

/** An unclosed head is closed by the first tag that cannot be inside it. */
const HEAD_TAGS = new Set(['title', 'meta', 'link', 'base', 'style', 'script', 'noscript', 'template', 'object']);

function closeImplied(stack: Stack, tag: TagInfo): void {
  if (top(stack).tag === 'head' && !HEAD_TAGS.has(tag.name)) pop(stack);
  if (tag.closesSvg && stack.counts[SVG] !== 0) closeSvg(stack);
  if (tag.closesParagraph) closeParagraph(stack);
  if (tag.closesSiblings) closeSiblings(stack, tag.name);
}

/** An unclosed svg would swallow the page: HTML inside it closes it, unless it is inside a foreignObject. */
function closeSvg(stack: Stack): void {
  for (let index = stack.nodes.length - 1; index > 0; index -= 1) {
    const { tag } = stack.nodes[index] as ElementNode;
    if (tag === 'foreignobject' || tag === 'desc' || tag === 'title') return;
    if (tag === 'svg') {
      popThrough(stack, index);
      return;
    }
  }
}

function closeSiblings(stack: Stack, tag: string): void {
  const closedInTable = CLOSES_IN_TABLE.get(tag);
  if (closedInTable !== undefined) closeTableParts(stack, closedInTable);
  else if (tag === 'li') closeNearest(stack, LI);
  else if (tag === 'dt' || tag === 'dd') closeNearest(stack, TERMS);
  else if (HEADING_TAGS.has(tag) && HEADING_TAGS.has(top(stack).tag)) pop(stack);
  else if ((tag === 'option' || tag === 'a') && top(stack).tag === tag) pop(stack);
}

const LI: ReadonlySet<string> = new Set(['li']);
const TERMS: ReadonlySet<string> = new Set(['dt', 'dd']);

function closeParagraph(stack: Stack): void {
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

/** Closes the nearest open item, unless a list or another container is in between. */
function closeNearest(stack: Stack, closed: ReadonlySet<string>): void {
  for (let index = stack.nodes.length - 1; index > 0; index -= 1) {
    const { tag } = stack.nodes[index] as ElementNode;
    if (closed.has(tag)) {
      popThrough(stack, index);
      return;
    }
    if (SCOPE_TAGS.has(tag) || LIST_SCOPE_TAGS.has(tag)) return;
  }
}

/** Closes every open part of the innermost table that cannot contain the new part. */
function closeTableParts(stack: Stack, closed: ReadonlySet<string>): void {
  let from = stack.nodes.length;
  for (let index = stack.nodes.length - 1; index > 0; index -= 1) {
    const { tag } = stack.nodes[index] as ElementNode;
    if (closed.has(tag)) from = index;
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
