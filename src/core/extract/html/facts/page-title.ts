// The title of a page may stand outside its content, in a header that is otherwise chrome or left out. It is taken in alone.

import { element, find, type ElementNode, type HtmlNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { beginsWith, endsWith } from '../page-title.ts';
import { plainText } from '../write/element-text.ts';

export function titleOutside(root: ElementNode, body: ElementNode, headTitle: string | null): ElementNode | null {
  if (headTitle === null) return null;
  if (hasTitle(root)) return titleBox(root, body, headTitle);
  const heading = find(body, (node) => node.tag === 'h1' && (node.flags & flag.hidden) === 0);
  if (heading === null) return titleBox(root, body, headTitle);
  if (heading.textLength === 0 || (heading.flags & NOT_WRITTEN) !== 0) return null;
  return beginsWith(headTitle, plainText(heading)) ? heading : null;
}

function hasTitle(root: ElementNode): boolean {
  return find(root, (node) => node.tag === 'h1' && (node.flags & NOT_WRITTEN) === 0) !== null;
}

/** A box that is called the title and says what the head says, as a heading: some generators write no h1 for it. */
function titleBox(root: ElementNode, body: ElementNode, headTitle: string): ElementNode | null {
  const box = findBeside(body, root);
  if (box === null) return null;
  const title = element('h1', box.parent, box.attributes, flag.hasBlock | flag.hasHeading);
  title.children = leadingLine(box);
  const text = plainText(title);
  if (text === '' || !(beginsWith(headTitle, text) || endsWith(headTitle, text))) return null;
  title.textLength = text.length;
  return saysTheSame(root, text) ? null : title;
}

const TITLE_CLASS = /(?:^|\s)title(?:\s|$)/;

function findBeside(node: ElementNode, root: ElementNode): ElementNode | null {
  for (const child of node.children) {
    if (child.kind !== 'element' || child === root || (child.flags & NOT_WRITTEN) !== 0) continue;
    if (child.tag === 'div' && child.textLength > 0 && TITLE_CLASS.test(child.attributes['class'] ?? '')) return child;
    const below = findBeside(child, root);
    if (below !== null) return below;
  }
  return null;
}

/** What stands before the first block: groups and versions follow in boxes of their own. */
function leadingLine(box: ElementNode): readonly HtmlNode[] {
  const end = box.children.findIndex((child) => child.kind === 'element' && (child.flags & flag.hasBlock) !== 0);
  return end === -1 ? box.children : box.children.slice(0, end);
}

function saysTheSame(root: ElementNode, title: string): boolean {
  return find(root, (node) => node.tag === 'h1' && plainText(node) === title) !== null;
}
