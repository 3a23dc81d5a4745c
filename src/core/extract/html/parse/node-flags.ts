// Properties of an element, one bit each: testing a bit is cheaper than looking up a set of words.

import type { ElementNode } from './html-node.ts';

export const flag = {
  /** Not visible on the page. */
  hidden: 1 << 0,
  /** Navigation, footer, search box, cookie bar: not part of the document. */
  chrome: 1 << 1,
  /** Chrome by a class word that content never uses. */
  namedChrome: 1 << 25,
  /** Chrome by a word that content may use too: trusted only if the element is mostly links. */
  weakChrome: 1 << 2,
  /** Line numbers next to code, its language label, a copy button. */
  codeChrome: 1 << 3,
  /** The pilcrow of a heading, an edit link, a link to the source. */
  permalink: 1 << 4,
  admonition: 1 << 5,
  /** The title of an admonition. */
  boxTitle: 1 << 6,
  tabPanel: 1 << 7,
  tabLabel: 1 << 8,
  /** Contains the labels of tabs. */
  tabList: 1 << 9,
  /** One line of a code block. */
  codeLine: 1 << 10,
  /** Contains a code block made of line elements without a pre. */
  codeLines: 1 << 11,
  /** Has a class or id that generators give to the content. */
  contentRoot: 1 << 12,
  tableOfContents: 1 << 13,
  /** A signature in a definition list. */
  signature: 1 << 14,
  math: 1 << 15,
  hasBlock: 1 << 16,
  hasHeading: 1 << 17,
  hasPre: 1 << 18,
  hasTable: 1 << 19,
  hasLineBreak: 1 << 20,
  hasImage: 1 << 21,
  /** Wraps one code block: labels next to it are not content. */
  codeWrapper: 1 << 22,
  mathDisplay: 1 << 23,
  hasTabPanel: 1 << 24,
  /** Contains the same code in several languages, with tabs. */
  codeGroup: 1 << 26,
  /** Scripts, styles, drawings: not text of the page. */
  nonText: 1 << 27,
  /** Inside the content, as computed for a link; `outsideContent` is the opposite. */
  inContent: 1 << 28,
  outsideContent: 1 << 29,
  /** Contains a text that appears on hover. */
  tooltip: 1 << 30,
} as const;

/** Bits that propagate to the parent. */
export const PROPAGATED_UP =
  flag.hasBlock | flag.hasHeading | flag.hasPre | flag.hasTable | flag.hasLineBreak | flag.hasImage | flag.hasTabPanel;

/** Bits of elements that are never written. */
export const NOT_WRITTEN = flag.hidden | flag.chrome | flag.permalink | flag.nonText;

/** Whether no child is a block or has one. */
export function isLeafBlock(node: ElementNode): boolean {
  return node.children.every((child) => child.kind === 'text' || (child.flags & flag.hasBlock) === 0);
}
