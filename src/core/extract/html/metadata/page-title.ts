// The title of a page: the heading to hoist into the content if it is outside, in a header that is otherwise dropped, and
// the title of the document.

import type { OutlineEntry } from '../../../model/document.ts';
import { createElement, find, type ElementNode, type HtmlNode } from '../parse/html-node.ts';
import { NOT_WRITTEN, flag } from '../parse/node-flags.ts';
import { elementText } from '../write/element-text.ts';

/** The title heading outside the content root that belongs above it, or null. */
export function hoistTitle(root: ElementNode, body: ElementNode, headTitle: string | null): ElementNode | null {
  if (headTitle === null) return null;
  if (hasTitle(root)) return titleFromBox(root, body, headTitle);
  const heading = find(body, (node) => node.tag === 'h1' && (node.flags & flag.hidden) === 0);
  if (heading === null) return titleFromBox(root, body, headTitle);
  if (heading.textLength === 0 || (heading.flags & NOT_WRITTEN) !== 0) return null;
  return beginsWith(headTitle, elementText(heading)) ? heading : null;
}

function hasTitle(root: ElementNode): boolean {
  return find(root, (node) => node.tag === 'h1' && (node.flags & NOT_WRITTEN) === 0) !== null;
}

/** A box with the class `title` and the text of the head's title, as a heading: some generators write no h1. */
function titleFromBox(root: ElementNode, body: ElementNode, headTitle: string): ElementNode | null {
  const box = findTitleBox(body, root);
  if (box === null) return null;
  const title = createElement('h1', box.parent, box.attributes, flag.hasBlock | flag.hasHeading);
  title.children = leadingLine(box);
  const text = elementText(title);
  if (text === '' || !(beginsWith(headTitle, text) || endsWith(headTitle, text))) return null;
  title.textLength = text.length;
  return hasSameHeading(root, text) ? null : title;
}

const TITLE_CLASS = /(?:^|\s)title(?:\s|$)/;

function findTitleBox(node: ElementNode, root: ElementNode): ElementNode | null {
  for (const child of node.children) {
    if (child.kind !== 'element' || child === root || (child.flags & NOT_WRITTEN) !== 0) continue;
    if (child.tag === 'div' && child.textLength > 0 && TITLE_CLASS.test(child.attributes['class'] ?? '')) return child;
    const below = findTitleBox(child, root);
    if (below !== null) return below;
  }
  return null;
}

/** The nodes before the first block: groups and versions follow in separate boxes. */
function leadingLine(box: ElementNode): readonly HtmlNode[] {
  const end = box.children.findIndex((child) => child.kind === 'element' && (child.flags & flag.hasBlock) !== 0);
  return end === -1 ? box.children : box.children.slice(0, end);
}

function hasSameHeading(root: ElementNode, title: string): boolean {
  return find(root, (node) => node.tag === 'h1' && elementText(node) === title) !== null;
}

/** `os.path — Python 3.12 documentation` */
const SITE_SUFFIX = /\s[-–—|]\s[^-–—|]{1,60}\bdocumentation$/i;

/** The page's first heading if the head's title starts or ends with it, otherwise the head's title without the site's name. */
export function pageTitle(headTitle: string | null, outline: readonly OutlineEntry[], url: string): string {
  const [firstHeading] = outline.filter(({ definition }) => definition === undefined);
  const heading = (outline.find((entry) => entry.level === 1) ?? firstHeading)?.text ?? '';
  if (headTitle === null) return heading !== '' ? heading : lastSegment(url);
  const isOwn = heading !== '' && (beginsWith(headTitle, heading) || endsWith(headTitle, heading));
  return isOwn ? heading : headTitle.replace(SITE_SUFFIX, '');
}

const SEPARATOR_AHEAD = /^\s*(?:[-–—|:·»«•‹›/]|$)/;
const SEPARATOR_BEHIND = /(?:^|[-–—|:·»«•‹›/])\s*$/;

/** `Items — Scrapy documentation` starts with `Items`; `Items of interest` does not. */
function beginsWith(title: string, heading: string): boolean {
  const [whole, part] = [title.toLowerCase(), heading.toLowerCase()];
  return whole.startsWith(part) && SEPARATOR_AHEAD.test(whole.slice(part.length));
}

function endsWith(title: string, heading: string): boolean {
  const [whole, part] = [title.toLowerCase(), heading.toLowerCase()];
  return whole.endsWith(part) && SEPARATOR_BEHIND.test(whole.slice(0, -part.length));
}

function lastSegment(url: string): string {
  const path = new URL(url).pathname.replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1) || url;
}
