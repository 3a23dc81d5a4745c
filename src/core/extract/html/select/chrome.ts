// Decides whether an element is chrome: navigation, breadcrumbs, pagers, search boxes, footers, cookie bars. Tags, roles
// and class words decide if they are unambiguous; a word that content may use too counts only for mostly links.

import type { ElementNode } from '../parse/html-node.ts';
import { flag } from '../parse/node-flags.ts';
import { HEADING_TAGS } from '../parse/tag-rules.table.ts';
import { elementText } from '../write/element-text.ts';

export type ChromeVerdict = 'content' | 'by-tag' | 'by-role' | 'by-class' | 'contents-list' | 'form' | 'languages';

const ROLES = new Set([
  'navigation',
  'search',
  'contentinfo',
  'banner',
  'menu',
  'menubar',
  'doc-toc',
  'toolbar',
  'tooltip',
]);

export function chromeVerdict(node: ElementNode, inContent: boolean): ChromeVerdict {
  if (NEVER_CHROME.has(node.tag)) return 'content';
  if (isChromeTag(node, inContent)) return 'by-tag';
  const role = node.attributes['role'];
  if (role !== undefined && isChromeRole(node, role, inContent)) return 'by-role';
  if ((node.flags & CLASS_BITS) !== 0 && isChromeClass(node)) return 'by-class';
  if (isTableOfContents(node)) return 'contents-list';
  if (node.tag === 'form' && isSmallForm(node)) return 'form';
  return isLanguageSwitch(node) ? 'languages' : 'content';
}

const NEVER_CHROME = new Set(['body', 'html', 'main', '#root']);
const CLASS_BITS = flag.namedChrome | flag.weakChrome;
const CONTENT_BITS = flag.hasHeading | flag.hasPre | flag.hasTable;
/** A search or feedback form has labels, not paragraphs. */
const MAX_FORM_CHARS = 150;

function isChromeTag(node: ElementNode, inContent: boolean): boolean {
  switch (node.tag) {
    case 'nav':
    case 'search':
      return true;
    case 'footer':
      return node.parent?.tag !== 'blockquote' && node.parent?.tag !== 'figure';
    case 'header':
      return !inContent;
    case 'aside':
      return (node.flags & flag.admonition) === 0 && node.attributes['role'] !== 'note' && isSidebar(node, inContent);
    default:
      return false;
  }
}

/** An aside outside the content is a sidebar; inside, only if it is mostly links and has no footnotes. */
function isSidebar(node: ElementNode, inContent: boolean): boolean {
  return !inContent || (isMostlyLinks(node) && !/footnote|citation/.test(node.attributes['class'] ?? ''));
}

function isChromeRole(node: ElementNode, role: string, inContent: boolean): boolean {
  return ROLES.has(role) || (role === 'complementary' && isSidebar(node, inContent));
}

function isSmallForm(node: ElementNode): boolean {
  return node.textLength <= MAX_FORM_CHARS && (node.flags & CONTENT_BITS) === 0;
}

function isChromeClass(node: ElementNode): boolean {
  if (node.tag === 'span' || node.tag === 'code' || node.tag === 'pre' || HEADING_TAGS.has(node.tag)) return false;
  if ((node.flags & flag.namedChrome) !== 0) return true;
  if ((node.flags & flag.weakChrome) === 0) return false;
  if (isMostlyLinks(node) || node.textLength <= MIN_WEAK_CHARS) return true;
  return (node.flags & CONTENT_BITS) === 0 && node.textLength <= MAX_WEAK_CHARS;
}

/** Enough for a date or a motto, too little for any content. */
const MIN_WEAK_CHARS = 60;
/** Enough for the licence and copyright lines of a footer, too little for a section. */
const MAX_WEAK_CHARS = 600;

export function isMostlyLinks(node: ElementNode): boolean {
  return node.linkLength * 2 > node.textLength;
}

const CONTAINERS = new Set(['ul', 'ol', 'menu', 'dir', 'div', 'details', 'section', 'aside', 'table', 'td', 'dl', 'p']);
const LISTS = new Set(['ul', 'ol', 'menu', 'dir']);
const CONTENTS_TITLE =
  /^(?:(?:table of )?contents|toc|on this page|in this article|inhalt(?:sverzeichnis)?|sommaire|table des matières|contenidos?|índice|目次|目录|内容)\s*:?$/i;

/** A list of links into the page itself repeats its headings, if a class or the title before it shows that. */
function isTableOfContents(node: ElementNode): boolean {
  if (!CONTAINERS.has(node.tag)) return false;
  if ((node.flags & flag.tableOfContents) !== 0) {
    // Only the title is left if the list inside was already recognized.
    if (node.fragmentLength * 2 > node.textLength) return true;
    return (
      node.textLength - node.fragmentLength <= MAX_TITLE_CHARS && (node.flags & (flag.hasPre | flag.hasTable)) === 0
    );
  }
  if (node.fragmentLength === 0) return false;
  if (!LISTS.has(node.tag) || node.fragmentLength * 20 <= node.textLength * 17) return false;
  const title = previousElement(node);
  return title !== null && title.textLength <= MAX_TITLE_CHARS && CONTENTS_TITLE.test(elementText(title));
}

const MAX_TITLE_CHARS = 40;

function previousElement(node: ElementNode): ElementNode | null {
  const siblings = node.parent?.children ?? [];
  for (let at = node.childIndex - 1; at >= 0; at -= 1) {
    const sibling = siblings[at];
    if (sibling?.kind === 'element') return sibling;
    if (sibling?.kind === 'text' && sibling.text.trim() !== '') return null;
  }
  return null;
}

function isLanguageSwitch(node: ElementNode): boolean {
  if (node.tag !== 'p' && node.tag !== 'div') return false;
  if (!isMostlyLinks(node)) return false;
  let links = 0;
  for (const child of node.children) {
    if (child.kind === 'element' && child.tag === 'a' && child.attributes['hreflang'] !== undefined) links += 1;
  }
  return links >= 2;
}
