// A cell of a GFM table is one line: paragraphs and items inside it are set apart by <br>.

import type { ElementNode, HtmlNode } from './parse/html-node.ts';
import { flag, NOT_WRITTEN } from './parse/node-flags.ts';

type Inline = (nodes: readonly HtmlNode[]) => string;

export function cellMarkdown(cell: ElementNode, inline: Inline): string {
  const parts: string[] = [];
  gather(cell.children, inline, parts, '');
  const text = parts.join('\n');
  return text.replaceAll('|', '\\|').replaceAll('\n', '<br>');
}

const LISTS = new Set(['ul', 'ol', 'dl', 'menu']);

function gather(nodes: readonly HtmlNode[], inline: Inline, parts: string[], marker: string): void {
  let run: HtmlNode[] = [];
  let mark = marker;
  const flush = (): void => {
    const text = run.length === 0 ? '' : inline(run);
    run = [];
    if (text === '') return;
    parts.push(mark + text);
    mark = '';
  };
  for (const node of nodes) {
    if (node.kind === 'text' || (node.flags & flag.hasBlock) === 0) {
      run.push(node);
      continue;
    }
    flush();
    if ((node.flags & NOT_WRITTEN) !== 0) continue;
    gather(node.children, inline, parts, node.tag === 'li' ? '- ' : LISTS.has(node.tag) ? '' : mark);
  }
  flush();
}
