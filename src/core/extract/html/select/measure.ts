// Measures the tree once, bottom up: how much text, how much of it in links, which kinds of content are inside, and which
// elements are chrome. Content selection and writing use these measurements instead of walking the tree.

import { NO_ATTRIBUTES, type ElementNode } from '../parse/html-node.ts';
import { flag, PROPAGATED_UP, NOT_WRITTEN } from '../parse/node-flags.ts';
import { consistsOfLines } from '../write/code-text.ts';
import { hasWords } from '../write/element-text.ts';
import { chromeVerdict } from './chrome.ts';

export interface MeasureOptions {
  /** True to treat navigation and footers as content, for pages that have nothing else. */
  readonly keepChrome: boolean;
}

const DEFAULT_OPTIONS: MeasureOptions = { keepChrome: false };

/** Returns the length of the visible text, including chrome. */
export function measure(root: ElementNode, options: MeasureOptions = DEFAULT_OPTIONS): number {
  const visible = { text: 0 };
  measureElement(root, { inContent: false, link: 'none', options, visible });
  return visible.text;
}

interface MeasureContext {
  /** Inside main, article or section: a header there belongs to the content. */
  readonly inContent: boolean;
  readonly link: 'none' | 'away' | 'fragment';
  readonly options: MeasureOptions;
  readonly visible: { text: number };
}

const CONTENT_TAGS = new Set(['main', 'article', 'section']);
/** Inline elements are chrome only by class. */
const MAY_BE_CHROME = flag.hasBlock | flag.namedChrome | flag.weakChrome;
const MAX_PERMALINK_CHARS = 12;
const NOT_SPACE = /\S/;

function measureElement(node: ElementNode, context: MeasureContext): void {
  const childContext = contextInside(node, context);
  node.textLength = 0;
  node.linkLength = 0;
  node.fragmentLength = 0;
  node.flags = (node.flags & ~flag.chrome) | ownFlags(node);
  let inherited = 0;
  for (const child of node.children) {
    if (child.kind === 'text') addText(node, child.text, childContext);
    else inherited |= addElement(node, child, childContext);
  }
  node.flags |= inherited;
  // A long text with a permalink class is a title that links to itself.
  if (node.textLength > MAX_PERMALINK_CHARS) node.flags &= ~flag.permalink;
  // What remains besides the tooltip text is the icon that triggers it.
  if ((node.flags & flag.tooltip) !== 0 && isIconOnly(node)) node.flags |= flag.hidden;
  if (context.options.keepChrome || (node.flags & MAY_BE_CHROME) === 0) return;
  if (chromeVerdict(node, context.inContent) !== 'content') node.flags |= flag.chrome;
}

const MAX_ICON_CHARS = 4;

/** An icon such as an i in a circle, without readable text. */
function isIconOnly(node: ElementNode): boolean {
  if (node.textLength > MAX_ICON_CHARS) return false;
  let textLength = 0;
  for (const child of node.children) {
    if (child.kind !== 'text') continue;
    if (hasWords(child.text)) return false;
    if (NOT_SPACE.test(child.text)) textLength += child.text.length;
  }
  return textLength === node.textLength;
}

function contextInside(node: ElementNode, context: MeasureContext): MeasureContext {
  if (node.attributes === NO_ATTRIBUTES && !CONTENT_TAGS.has(node.tag)) return context;
  const href = node.tag === 'a' ? node.attributes['href'] : undefined;
  const inContent = context.inContent || CONTENT_TAGS.has(node.tag) || node.attributes['role'] === 'main';
  if (href === undefined && inContent === context.inContent) return context;
  const link = href === undefined ? context.link : href.startsWith('#') ? 'fragment' : 'away';
  return { inContent, link, options: context.options, visible: context.visible };
}

function ownFlags(node: ElementNode): number {
  if (node.attributes === NO_ATTRIBUTES) return 0;
  let bits = 0;
  if (node.attributes['role'] === 'tabpanel' || (node.flags & (flag.tabPanel | flag.codeGroup)) !== 0) {
    bits |= flag.hasTabPanel;
  }
  if ((node.flags & flag.codeLines) !== 0) bits |= consistsOfLines(node) ? flag.hasBlock | flag.hasPre : flag.hasBlock;
  return bits;
}

function addText(node: ElementNode, text: string, { link, visible }: MeasureContext): void {
  if (!NOT_SPACE.test(text)) return;
  visible.text += text.length;
  node.textLength += text.length;
  if (link === 'none') return;
  node.linkLength += text.length;
  if (link === 'fragment') node.fragmentLength += text.length;
}

/** Adds a child's measurements to its parent and returns the bits that propagate. */
function addElement(node: ElementNode, child: ElementNode, context: MeasureContext): number {
  if ((child.flags & (flag.nonText | flag.hidden)) !== 0) return 0;
  measureElement(child, context);
  if ((child.flags & NOT_WRITTEN) !== 0) return 0;
  node.textLength += child.textLength;
  node.linkLength += child.linkLength;
  node.fragmentLength += child.fragmentLength;
  return child.flags & PROPAGATED_UP;
}
