// The block structure of a text as the reference parser and as our scanner see it, in the same notation: one entry
// `kind first-last` for each block that is in no other, items of lists separately, and `code first-last` for all code
// inside lists and quotes. Lines are 1-based.

import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfmTable } from 'micromark-extension-gfm-table';
import { mdxMd } from 'micromark-extension-mdx-md';
import { htmlBlockEnd } from '../../../src/core/markdown/markdown-line.ts';
import { scanBlocks } from '../../../src/core/markdown/scan-blocks.ts';
import type { Block, BlockKind } from '../../../src/core/markdown/scan-state.ts';

type Node = ReturnType<typeof fromMarkdown>['children'][number];

export interface StructureOptions {
  readonly isMdx?: boolean;
}

export function referenceStructure(text: string, { isMdx = false }: StructureOptions = {}): readonly string[] {
  const root = fromMarkdown(text, {
    extensions: [frontmatter(['yaml', 'toml']), gfmTable(), ...(isMdx ? [mdxMd()] : [])],
    mdastExtensions: [frontmatterFromMarkdown(['yaml', 'toml']), gfmTableFromMarkdown()],
  });
  const entries: Entry[] = [];
  for (const node of root.children) {
    if (node.type === 'list') for (const item of node.children) addContainer(entries, 'item', item);
    else if (node.type === 'blockquote') addContainer(entries, 'quote', node);
    else entries.push(entryOf(referenceKind(node, text), node));
  }
  const lines = text.split('\n');
  return describe(entries.map((entry) => ({ ...entry, last: lastVisible(lines, entry) })));
}

function lastVisible(lines: readonly string[], { first, last }: Entry): number {
  let line = last;
  while (line > first && /^[\s>]*$/.test(lines[line - 1] ?? '')) line -= 1;
  return line;
}

interface Entry {
  readonly kind: string;
  readonly first: number;
  readonly last: number;
}

function entryOf(kind: string, node: Node): Entry {
  return { kind, first: node.position?.start.line ?? 0, last: node.position?.end.line ?? 0 };
}

function addContainer(entries: Entry[], kind: string, node: Node): void {
  entries.push(entryOf(kind, node));
  const visit = (inner: Node): void => {
    if (inner.type === 'code') entries.push(entryOf('code', inner));
    else if ('children' in inner) for (const child of inner.children) visit(child);
  };
  visit(node);
}

function referenceKind(node: Node, text: string): string {
  if (node.type === 'heading') return `heading${node.depth}`;
  if (node.type === 'code') return /^ {0,3}(?:`{3}|~{3})/.test(sourceLine(text, node)) ? 'fence' : 'indented';
  // A tag that is not a block element starts no HTML block: its content is Markdown for us.
  if (node.type === 'html') return startsHtmlBlock(sourceLine(text, node).trim()) ? 'html' : 'paragraph';
  return REFERENCE_KINDS.get(node.type) ?? node.type;
}

const REFERENCE_KINDS: ReadonlyMap<string, string> = new Map([
  ['thematicBreak', 'rule'],
  ['yaml', 'front-matter'],
  ['toml', 'front-matter'],
  // A definition has no block of its own here: it is a paragraph that shows nothing.
  ['definition', 'paragraph'],
]);

function sourceLine(text: string, node: Node): string {
  const at = node.position?.start.offset ?? 0;
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end === -1 ? text.length : end);
}

function startsHtmlBlock(line: string): boolean {
  return htmlBlockEnd(line, 0, line.length) !== null;
}

const OWN_KINDS: Partial<Record<BlockKind, string>> = { admonition: 'paragraph', module: 'paragraph' };

export function ownStructure(text: string, { isMdx = false }: StructureOptions = {}): readonly string[] {
  const starts = lineStarts(text);
  const lineAt = (offset: number): number => lineOf(starts, offset);
  const entries: Entry[] = [];
  for (const block of scanBlocks(text, { isMdx })) {
    const { first, last } = visibleLines(text, block, lineAt);
    const kind = block.kind === 'heading' ? `heading${block.level}` : (OWN_KINDS[block.kind] ?? block.kind);
    entries.push({ kind, first, last });
    if (block.kind !== 'item' && block.kind !== 'quote') continue;
    for (const code of block.code) {
      entries.push({ kind: 'code', ...visibleLines(text, code, lineAt) });
    }
  }
  return describe(entries);
}

/** Without the blank lines at both ends. */
function visibleLines(
  text: string,
  { start, end }: Pick<Block, 'start' | 'end'>,
  lineAt: (offset: number) => number,
): { readonly first: number; readonly last: number } {
  const visible = text.slice(start, end);
  return {
    first: lineAt(start + visible.search(/\S/)),
    last: lineAt(start + visible.replace(/(?:\n[\s>]*)$/, '').length - 1),
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adjacent blocks without a blank line between them: the reference splits off definitions and code after a lazy line. */
function describe(entries: readonly Entry[]): readonly string[] {
  const merged: Entry[] = [];
  for (const entry of entries) {
    const previous = merged.at(-1);
    const isSame = previous?.kind === entry.kind && (entry.kind === 'paragraph' || entry.kind === 'indented');
    if (isSame && previous.last + 1 === entry.first) merged[merged.length - 1] = { ...previous, last: entry.last };
    else merged.push(entry);
  }
  return merged.map(({ kind, first, last }) => `${kind} ${first}-${last}`);
}
