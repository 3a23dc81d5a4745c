// The title of a page may stand outside its content, in a header that is otherwise chrome. It is taken in alone.

import { find, type ElementNode } from './html-node.ts';
import { flag, NOT_WRITTEN } from './node-flags.ts';
import { beginsWith } from './page-title.ts';
import { plainText } from './plain-text.ts';

export function titleOutside(root: ElementNode, body: ElementNode, headTitle: string | null): ElementNode | null {
  if (headTitle === null || hasTitle(root)) return null;
  const heading = find(body, (node) => node.tag === 'h1' && (node.flags & flag.hidden) === 0);
  if (heading === null || heading.textLength === 0 || (heading.flags & NOT_WRITTEN) !== 0) return null;
  return beginsWith(headTitle, plainText(heading)) ? heading : null;
}

function hasTitle(root: ElementNode): boolean {
  return find(root, (node) => node.tag === 'h1' && (node.flags & NOT_WRITTEN) === 0) !== null;
}
