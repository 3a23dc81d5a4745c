// The light tree that extraction works on: elements with the few attributes that matter, and text.

export interface TextNode {
  readonly kind: 'text';
  text: string;
}

/** Only those of ATTRIBUTE_NAMES in tag-rules.table.ts. */
export type Attributes = Readonly<Record<string, string | undefined>>;

export interface ElementNode {
  readonly kind: 'element';
  /** Lower case. */
  readonly tag: string;
  readonly attributes: Attributes;
  readonly parent: ElementNode | null;
  /** The place among the parent's children, so that neighbours are found without a search. */
  readonly place: number;
  /** Grows by append() alone: an array that is pushed to has room for 17 at once, and most elements hold one or two. */
  children: readonly HtmlNode[];
  /** Bits of node-flags.ts, set while the tree is built and measured. */
  flags: number;
  /** Characters of visible text that is no chrome; set by measure(). */
  textLength: number;
  /** How many of them are inside links. */
  linkLength: number;
  /** How many of them are inside links to an anchor of this page. */
  fragmentLength: number;
}

export type HtmlNode = ElementNode | TextNode;

export const NO_ATTRIBUTES: Attributes = Object.freeze({ class: undefined, href: undefined, id: undefined });

/** Of the same inner kind as arrays that hold nodes. */
const NO_CHILDREN: readonly HtmlNode[] = [{ kind: 'text', text: '' } satisfies TextNode].slice(1);
/** Up to three children have an array of just their size. */
export function append(parent: ElementNode, child: HtmlNode): void {
  const { children } = parent;
  const [first, second] = children;
  if (first === undefined) parent.children = [child];
  else if (second === undefined) parent.children = [first, child];
  else if (children.length === 2) parent.children = [first, second, child];
  else (children as HtmlNode[]).push(child);
}

export function element(
  tag: string,
  parent: ElementNode | null,
  attributes: Attributes = NO_ATTRIBUTES,
  flags = 0,
): ElementNode {
  return {
    kind: 'element',
    tag,
    attributes,
    parent,
    place: parent === null ? 0 : parent.children.length,
    children: NO_CHILDREN,
    flags,
    textLength: 0,
    linkLength: 0,
    fragmentLength: 0,
  };
}

export function classWords(node: ElementNode): readonly string[] {
  const value = node.attributes['class'];
  return value === undefined ? [] : value.split(/\s+/).filter((word) => word !== '');
}

/** Every node below `node` in document order, `node` itself first; `enter` may refuse a subtree. */
export function walk(node: ElementNode, enter: (node: ElementNode) => boolean): void {
  if (!enter(node)) return;
  for (const child of node.children) if (child.kind === 'element') walk(child, enter);
}

/** The first element below `node`, in document order, that satisfies `wanted`. */
export function find(node: ElementNode, wanted: (node: ElementNode) => boolean): ElementNode | null {
  for (const child of node.children) {
    if (child.kind !== 'element') continue;
    if (wanted(child)) return child;
    const below = find(child, wanted);
    if (below !== null) return below;
  }
  return null;
}

export function isInside(node: ElementNode, ancestor: ElementNode): boolean {
  for (let at: ElementNode | null = node; at !== null; at = at.parent) if (at === ancestor) return true;
  return false;
}
