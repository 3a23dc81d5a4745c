// The blocks of a document without nesting: lines of code and items of lists are single paragraphs, which
// are put together here.

import { escapeHtml } from '../html/write/escape-markdown.ts';
import { codeBlock, heading, paragraph } from './markup-document.ts';

export type FlowBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly html: string; readonly id?: string | null }
  | { readonly kind: 'paragraph'; readonly html: string }
  /** One paragraph of code; those that follow each other are one block. */
  | { readonly kind: 'code'; readonly text: string }
  /** `level` counts from 0. */
  | { readonly kind: 'item'; readonly level: number; readonly isOrdered: boolean; readonly html: string }
  /** A further paragraph or block of the item before it. */
  | { readonly kind: 'continuation'; readonly html: string }
  | { readonly kind: 'block'; readonly html: string };

/** Office has nine levels of a list. */
const MAX_LEVEL = 8;

export function writeFlow(blocks: readonly FlowBlock[]): string {
  const out: string[] = [];
  for (let at = 0; at < blocks.length;) {
    const block = blocks[at] as FlowBlock;
    const end = endOfGroup(blocks, at);
    const group = blocks.slice(at, end);
    at = end;
    if (block.kind === 'heading') out.push(heading(block.level, block.html, block.id ?? null));
    else if (block.kind === 'item') out.push(writeList(group));
    else if (block.kind === 'code') out.push(writeCode(group));
    else if (block.kind === 'block') out.push(block.html);
    else out.push(paragraph(block.html));
  }
  return out.join('');
}

/** Where the paragraphs that belong together end: code, or a list with what continues its items. */
function endOfGroup(blocks: readonly FlowBlock[], start: number): number {
  const first = blocks[start]?.kind;
  let end = start + 1;
  if (first === 'code') while (blocks[end]?.kind === 'code') end += 1;
  if (first === 'item') while (blocks[end]?.kind === 'item' || blocks[end]?.kind === 'continuation') end += 1;
  return end;
}

function writeCode(group: readonly FlowBlock[]): string {
  return codeBlock(group.map((block) => (block.kind === 'code' ? block.text : '')).join('\n'), null);
}

interface OpenList {
  readonly level: number;
  readonly tag: 'ol' | 'ul';
}

function writeList(group: readonly FlowBlock[]): string {
  const out: string[] = [];
  const open: OpenList[] = [];
  for (const block of group) {
    if (block.kind === 'item') openItem(Math.min(MAX_LEVEL, block.level), block.isOrdered ? 'ol' : 'ul', open, out);
    if (block.kind === 'item' || block.kind === 'continuation') out.push(paragraph(block.html));
  }
  while (open.length > 0) closeList(open, out);
  return out.join('');
}

function openItem(level: number, tag: OpenList['tag'], open: OpenList[], out: string[]): void {
  while ((open.at(-1)?.level ?? -1) > level) closeList(open, out);
  if (open.at(-1)?.level === level && open.at(-1)?.tag !== tag) closeList(open, out);
  if (open.at(-1)?.level === level) {
    out.push('</li>\n<li>');
    return;
  }
  open.push({ level, tag });
  out.push(`<${tag}><li>`);
}

function closeList(open: OpenList[], out: string[]): void {
  out.push(`</li></${open.pop()?.tag ?? 'ul'}>\n`);
}

/** The text of a cell; one paragraph needs no separate element. */
export function cellHtml(blocks: readonly FlowBlock[]): string {
  const inline = blocks.map((block): FlowBlock =>
    block.kind === 'code' ? { kind: 'paragraph', html: `<code>${escapeHtml(block.text)}</code>` } : block,
  );
  const [only] = inline;
  return inline.length === 1 && only?.kind === 'paragraph' ? only.html : writeFlow(inline);
}

/** Families and names of fonts whose letters have one width. */
export function isMonospace(font: string | null | undefined): boolean {
  return /mono|courier|consol|menlo|monaco|lucida console|typewriter|fixed|source code|fira code|cascadia|inconsolata|terminal|\bcmtt|\bsftt|\blmtt/i.test(
    font ?? '',
  );
}

/** Names that writers give to styles of code. */
export function isCodeStyle(name: string): boolean {
  return /^(?:source[ _]?code|code|code block|preformatted(?:[ _]?text)?|html preformatted|verbatim|listing|macro text|macro|literal block|plain text|programlisting)$/i.test(
    name,
  );
}
