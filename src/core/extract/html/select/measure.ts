// Measures the tree once, bottom up: how much text, how much of it in links, what kinds of content are inside,
// and which elements are chrome. Content selection and writing read these figures and never walk to find them.

import { chromeVerdict } from './chrome.ts';
import { NO_ATTRIBUTES, type ElementNode } from '../parse/html-node.ts';
import { isMadeOfLines } from '../write/code-text.ts';
import { flag, INHERITED_UP, NOT_WRITTEN } from '../parse/node-flags.ts';
import { hasWords } from '../write/element-text.ts';

export interface MeasureOptions {
  /** True to take navigation and footers for content: pages that have nothing else. */
  readonly keepChrome: boolean;
}

const STRICT: MeasureOptions = { keepChrome: false };

/** Returns how much text the page shows, chrome included. */
export function measure(root: ElementNode, options: MeasureOptions = STRICT): number {
  const seen = { text: 0 };
  measureElement(root, { inContent: false, link: 'none', options, seen });
  return seen.text;
}

interface Surroundings {
  /** Inside main, article or section: a header there is the head of the content. */
  readonly inContent: boolean;
  readonly link: 'none' | 'away' | 'fragment';
  readonly options: MeasureOptions;
  readonly seen: { text: number };
}

const CONTENT_TAGS = new Set(['main', 'article', 'section']);
/** Inline elements are chrome only by their class. */
const MAY_BE_CHROME = flag.hasBlock | flag.namedChrome | flag.weakChrome;
const MAX_PERMALINK_TEXT = 12;
const NOT_SPACE = /\S/;

function measureElement(node: ElementNode, around: Surroundings): void {
  const inside = surroundingsInside(node, around);
  node.textLength = 0;
  node.linkLength = 0;
  node.fragmentLength = 0;
  node.flags = (node.flags & ~flag.chrome) | ownFlags(node);
  let inherited = 0;
  for (const child of node.children) {
    if (child.kind === 'text') addText(node, child.text, inside);
    else inherited |= addElement(node, child, inside);
  }
  node.flags |= inherited;
  // A long text behind a permalink's class is a title that links to itself.
  if (node.textLength > MAX_PERMALINK_TEXT) node.flags &= ~flag.permalink;
  // What is left beside its hover text is a mark to point at.
  if ((node.flags & flag.hoverBox) !== 0 && isMark(node)) node.flags |= flag.hidden;
  if (around.options.keepChrome || (node.flags & MAY_BE_CHROME) === 0) return;
  if (chromeVerdict(node, around.inContent) !== 'content') node.flags |= flag.chrome;
}

const MAX_MARK_TEXT = 4;

/** A sign such as an i in a circle, and nothing that can be read. */
function isMark(node: ElementNode): boolean {
  if (node.textLength > MAX_MARK_TEXT) return false;
  let own = 0;
  for (const child of node.children) {
    if (child.kind !== 'text') continue;
    if (hasWords(child.text)) return false;
    if (NOT_SPACE.test(child.text)) own += child.text.length;
  }
  return own === node.textLength;
}

function surroundingsInside(node: ElementNode, around: Surroundings): Surroundings {
  if (node.attributes === NO_ATTRIBUTES && !CONTENT_TAGS.has(node.tag)) return around;
  const href = node.tag === 'a' ? node.attributes['href'] : undefined;
  const inContent = around.inContent || CONTENT_TAGS.has(node.tag) || node.attributes['role'] === 'main';
  if (href === undefined && inContent === around.inContent) return around;
  const link = href === undefined ? around.link : href.startsWith('#') ? 'fragment' : 'away';
  return { inContent, link, options: around.options, seen: around.seen };
}

function ownFlags(node: ElementNode): number {
  if (node.attributes === NO_ATTRIBUTES) return 0;
  let bits = 0;
  if (node.attributes['role'] === 'tabpanel' || (node.flags & (flag.tabPanel | flag.codeGroup)) !== 0) {
    bits |= flag.hasTabPanel;
  }
  if ((node.flags & flag.codeLines) !== 0) bits |= isMadeOfLines(node) ? flag.hasBlock | flag.hasPre : flag.hasBlock;
  return bits;
}

function addText(node: ElementNode, text: string, { link, seen }: Surroundings): void {
  if (!NOT_SPACE.test(text)) return;
  seen.text += text.length;
  node.textLength += text.length;
  if (link === 'none') return;
  node.linkLength += text.length;
  if (link === 'fragment') node.fragmentLength += text.length;
}

/** Adds a child's figures to its parent and returns the bits that it passes on. */
function addElement(node: ElementNode, child: ElementNode, around: Surroundings): number {
  if ((child.flags & (flag.silent | flag.hidden)) !== 0) return 0;
  measureElement(child, around);
  if ((child.flags & NOT_WRITTEN) !== 0) return 0;
  node.textLength += child.textLength;
  node.linkLength += child.linkLength;
  node.fragmentLength += child.fragmentLength;
  return child.flags & INHERITED_UP;
}
