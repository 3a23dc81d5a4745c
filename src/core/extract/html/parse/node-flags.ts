// What is known of an element, one bit each. A bit set is one comparison where a set of words would be a search.

export const flag = {
  /** The reader of the page does not see it. */
  hidden: 1 << 0,
  /** Navigation, footer, search box, cookie bar: no part of the document. */
  chrome: 1 << 1,
  /** Chrome by a class word that content does not use. */
  namedChrome: 1 << 25,
  /** Chrome by a word that content may use too: believed only where links prevail. */
  weakChrome: 1 << 2,
  /** Line numbers beside code, the label of its language, a copy button. */
  codeFurniture: 1 << 3,
  /** The pilcrow of a heading, an edit link, a link to the source. */
  permalink: 1 << 4,
  admonition: 1 << 5,
  /** The title of an admonition. */
  boxTitle: 1 << 6,
  tabPanel: 1 << 7,
  tabLabel: 1 << 8,
  /** Holds the labels of tabs. */
  tabList: 1 << 9,
  /** One line of a code block. */
  codeLine: 1 << 10,
  /** Holds a code block that is made of lines without a pre. */
  codeLines: 1 << 11,
  /** A class or id that generators give to the content. */
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
  /** Holds one code block: labels beside it are furniture. */
  codeWrapper: 1 << 22,
  mathDisplay: 1 << 23,
  hasTabPanel: 1 << 24,
  /** Holds the same code in several languages, with tabs. */
  codeGroup: 1 << 26,
  /** Scripts, styles, drawings: no text of the page. */
  silent: 1 << 27,
  /** Inside the content, for a link that asked; `offContent` is the other answer. */
  inContent: 1 << 28,
  offContent: 1 << 29,
  /** Holds a text that appears under the pointer. */
  hoverBox: 1 << 30,
} as const;

/** Bits that an element passes on to its parent. */
export const INHERITED_UP =
  flag.hasBlock | flag.hasHeading | flag.hasPre | flag.hasTable | flag.hasLineBreak | flag.hasImage | flag.hasTabPanel;

/** Bits of what is never written. */
export const NOT_WRITTEN = flag.hidden | flag.chrome | flag.permalink | flag.silent;
