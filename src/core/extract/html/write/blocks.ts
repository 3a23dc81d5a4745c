// The dispatcher of the writer: looks at each node once and hands it to the writer of its kind.

import type { OutlineEntry } from '../../../model/document.ts';
import { admonitionLabel, writeAdmonition } from './admonition.ts';
import { withoutLabels, writeCodeBlock, writeFence } from './code-block.ts';
import { codeLanguage } from './code-language.ts';
import { codeText, isMadeOfLines } from './code-text.ts';
import { writeDefinitionList } from './definition-list.ts';
import { escapeLineStarts } from './escape-markdown.ts';
import { writeHeading } from './heading.ts';
import type { ElementNode, HtmlNode } from '../parse/html-node.ts';
import { inlineMarkdown, isFurniture } from './inline.ts';
import { writeList } from './list.ts';
import { markdownLines, type MarkdownLines } from '../markdown-lines.ts';
import { flag, NOT_WRITTEN } from '../parse/node-flags.ts';
import { plainText } from './element-text.ts';
import { writeTable } from './table.ts';
import { isPanel, isTabList, tabLabels, type TabLabels } from './tabs.ts';
import type { Definition, Writing } from './write-context.ts';

export interface WrittenBlocks {
  readonly lines: MarkdownLines;
  readonly outline: readonly OutlineEntry[];
  readonly definitions: readonly Definition[];
}

export function writeBlocks(
  nodes: readonly HtmlNode[],
  root: ElementNode,
  resolve: (href: string) => string | null,
): WrittenBlocks {
  const labels = tabLabels(root);
  const writing: Writing = {
    lines: markdownLines(),
    resolve,
    outline: [],
    definitions: [],
    blocks: (some) => writeAll(some, writing, labels),
    paragraph: (some) => writeParagraph(some, writing),
    inline: (some) => inlineMarkdown(some, { resolve, links: true, buttons: false }),
  };
  writing.blocks(nodes);
  return { lines: writing.lines, outline: writing.outline, definitions: writing.definitions };
}

function writeAll(nodes: readonly HtmlNode[], writing: Writing, labels: TabLabels): void {
  let from = -1;
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index] as HtmlNode;
    if (isInlineNode(node) && !(labels.size > 0 && node.kind === 'element' && isTabList(node))) {
      if (from === -1) from = index;
      continue;
    }
    if (from !== -1) writing.paragraph(nodes.slice(from, index));
    from = -1;
    if (node.kind === 'element' && isWritten(node)) writeElement(node, writing, labels);
  }
  if (from !== -1) writing.paragraph(nodes.slice(from));
}

function isInlineNode(node: HtmlNode): boolean {
  return node.kind === 'text' || ((node.flags & flag.hasBlock) === 0 && !isPanel(node));
}

function isWritten(node: ElementNode): boolean {
  return (node.flags & NOT_WRITTEN) === 0 && !isFurniture(node) && !isTabList(node);
}

function writeParagraph(nodes: readonly HtmlNode[], writing: Writing): void {
  const text = writing.inline(nodes);
  if (text === '') return;
  writing.lines.gap();
  writing.lines.write(escapeLineStarts(text));
  writing.lines.gap();
}

type BlockWriter = (node: ElementNode, writing: Writing) => void;

const writeQuote: BlockWriter = (node, writing) => {
  writing.lines.gap();
  writing.lines.within('> ', '> ', () => writing.blocks(node.children));
  writing.lines.gap();
};

/** The summary of a fold is its label. */
const writeSummary: BlockWriter = (node, writing) => {
  if ((node.flags & flag.hasHeading) !== 0) return writing.blocks(node.children);
  const label = plainText(node);
  if (label === '') return;
  writing.lines.gap();
  writing.lines.write(`**${writing.inline([{ kind: 'text', text: label }])}**`);
  writing.lines.gap();
};

const WRITERS: ReadonlyMap<string, BlockWriter> = new Map<string, BlockWriter>([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag): [string, BlockWriter] => [tag, writeHeading]),
  ...['pre', 'listing', 'xmp'].map((tag): [string, BlockWriter] => [tag, writeCodeBlock]),
  ...['ul', 'ol', 'menu', 'dir'].map((tag): [string, BlockWriter] => [tag, writeList]),
  ['dl', writeDefinitionList],
  ['table', writeTable],
  ['blockquote', writeQuote],
  ['summary', writeSummary],
]);

function writeElement(node: ElementNode, writing: Writing, labels: TabLabels): void {
  const label = labels.get(node);
  if (label !== undefined && label !== '') writeLabel(label, writing);
  const admonition = admonitionLabel(node);
  if (admonition !== null) return writeAdmonition(node, admonition, writing);
  if ((node.flags & flag.codeLines) !== 0 && isMadeOfLines(node)) {
    return writeFence(codeText(node), codeLanguage(node, null), writing);
  }
  if ((node.flags & flag.math) !== 0 && (node.flags & flag.hasPre) === 0 && isLeafBlock(node)) {
    return writing.paragraph([node]);
  }
  const writer = WRITERS.get(node.tag);
  if (writer !== undefined) return writer(node, writing);
  writing.blocks((node.flags & flag.codeWrapper) === 0 ? node.children : withoutLabels(node));
}

function writeLabel(label: string, writing: Writing): void {
  writing.lines.gap();
  writing.lines.write(`**${writing.inline([{ kind: 'text', text: label }])}**`);
  writing.lines.gap();
}

function isLeafBlock(node: ElementNode): boolean {
  return node.children.every((child) => child.kind === 'text' || (child.flags & flag.hasBlock) === 0);
}
