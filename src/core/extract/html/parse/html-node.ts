// The light tree of an HTML page: text, and elements with the few attributes that matter.

export interface TextNode {
  readonly kind: 'text';
  text: string;
  /** Offset in the HTML; -1 for a text that the page does not have. */
  readonly start: number;
}

/** Only those of ATTRIBUTE_NAMES in tag-rules.table.ts. */
export type Attributes = Readonly<Record<string, string | undefined>>;

export interface ElementNode {
  readonly kind: 'element';
  /** Lower case. */
  readonly tag: string;
  readonly attributes: Attributes;
  readonly parent: ElementNode | null;
  /** Index among the parent's children, so that siblings are found without a search. */
  readonly childIndex: number;
  /** Grows only by append(): an array allocates capacity for 17 on the first push, and most elements have one or two. */
  children: readonly HtmlNode[];
  /** Bits of node-flags.ts, set while the tree is built and measured. */
  flags: number;
  /** Characters of visible text outside chrome; set by measure(). */
  textLength: number;
  /** How many of them are inside links. */
  linkLength: number;
  /** How many of them are inside links to a fragment of this page. */
  fragmentLength: number;
  /** Offsets in the HTML; -1 for an element that the page does not have. */
  start: number;
  end: number;
}

export type HtmlNode = ElementNode | TextNode;

export const NO_ATTRIBUTES: Attributes = Object.freeze({ class: undefined, href: undefined, id: undefined });

/** Has the same V8 elements kind as arrays of nodes. */
const NO_CHILDREN: readonly HtmlNode[] = [{ kind: 'text', text: '', start: -1 } satisfies TextNode].slice(1);
/** Up to three children are in an array of exactly that size. */
export function append(parent: ElementNode, child: HtmlNode): void {
  const { children } = parent;
  const [first, second] = children;
  if (first === undefined) parent.children = [child];
  else if (second === undefined) parent.children = [first, child];
  else if (children.length === 2) parent.children = [first, second, child];
  else (children as HtmlNode[]).push(child);
}

export function createElement(
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
    childIndex: parent === null ? 0 : parent.children.length,
    children: NO_CHILDREN,
    flags,
    textLength: 0,
    linkLength: 0,
    fragmentLength: 0,
    start: -1,
    end: -1,
  };
}

export function classWords(node: ElementNode): readonly string[] {
  const value = node.attributes['class'];
  return value === undefined ? [] : value.split(/\s+/).filter((word) => word !== '');
}

/** Visits `node` and its descendants in document order; `enter` returns false to skip a subtree. */
export function walk(node: ElementNode, enter: (node: ElementNode) => boolean): void {
  if (!enter(node)) return;
  for (const child of node.children) if (child.kind === 'element') walk(child, enter);
}

/** The first element below `node`, in document order, that satisfies `matches`. */
export function find(node: ElementNode, matches: (node: ElementNode) => boolean): ElementNode | null {
  for (const child of node.children) {
    if (child.kind !== 'element') continue;
    if (matches(child)) return child;
    const below = find(child, matches);
    if (below !== null) return below;
  }
  return null;
}

export function isInside(node: ElementNode, ancestor: ElementNode): boolean {
  for (let at: ElementNode | null = node; at !== null; at = at.parent) if (at === ancestor) return true;
  return false;
}
