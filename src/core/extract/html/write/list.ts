// Writes lists. A list whose items contain headings is not written as one: some generators lay out whole pages in items.

import type { ElementNode, HtmlNode } from '../parse/html-node.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { escapeLineStarts } from './escape-markdown.ts';
import type { WriteContext } from './write-context.ts';

export function writeList(list: ElementNode, context: WriteContext): void {
  if ((list.flags & flag.hasHeading) !== 0) {
    for (const child of list.children) {
      if (child.kind === 'element') context.blocks(child.tag === 'li' ? child.children : [child]);
    }
    return;
  }
  if (!isNested(list)) context.lines.gap();
  let number = firstNumber(list);
  for (const child of list.children) {
    if (child.kind === 'text') context.paragraph([child]);
    else if ((child.flags & NOT_WRITTEN) === 0) {
      writeItem(child, list.tag === 'ol' ? `${number}. ` : '- ', context);
      number += 1;
    }
  }
  if (!isNested(list)) context.lines.gap();
}

const MAX_NUMBER = 999_999_999;

function firstNumber(list: ElementNode): number {
  const start = Number.parseInt(list.attributes['start'] ?? '1', 10);
  return start >= 0 && start <= MAX_NUMBER ? start : 1;
}

function writeItem(item: ElementNode, marker: string, context: WriteContext): void {
  const content: readonly HtmlNode[] = item.tag === 'li' ? item.children : [item];
  if (LISTS.has(item.tag)) {
    // A list directly inside a list: its items are one level deeper.
    context.lines.withPrefix('  ', '  ', () => writeList(item, context));
    return;
  }
  if (item.textLength === 0 && (item.flags & flag.hasImage) === 0) return;
  context.lines.withPrefix(marker, ' '.repeat(marker.length), () => writeItemContent(content, context));
}

const LISTS = new Set(['ul', 'ol', 'menu', 'dir']);

/** Text and lists follow each other without blank lines; everything else is separated. */
function writeItemContent(nodes: readonly HtmlNode[], context: WriteContext): void {
  let inline: HtmlNode[] = [];
  let written = false;
  const flush = (): void => {
    const text = inline.length === 0 ? '' : context.inline(inline);
    inline = [];
    if (text === '') return;
    if (written) context.lines.gap();
    context.lines.write(escapeLineStarts(text));
    written = true;
  };
  for (const node of nodes) {
    if (node.kind === 'text' || (node.flags & flag.hasBlock) === 0) inline.push(node);
    else if (LISTS.has(node.tag) && (node.flags & NOT_WRITTEN) === 0) {
      flush();
      writeList(node, context);
      written = true;
    } else if (node.tag === 'p' && (node.flags & NOT_WRITTEN) === 0) {
      flush();
      inline.push(...node.children);
      flush();
    } else {
      flush();
      context.blocks([node]);
      written = true;
    }
  }
  flush();
}

function isNested(list: ElementNode): boolean {
  const { parent } = list;
  return parent !== null && (parent.tag === 'li' || LISTS.has(parent.tag)) && (parent.flags & flag.hasHeading) === 0;
}
