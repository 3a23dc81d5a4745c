// The dispatcher of the block writers: passes each node to the writer of its tag.

import type { ElementNode, HtmlNode } from '../parse/html-node.ts';
import { flag, isLeafBlock, NOT_WRITTEN } from '../parse/node-flags.ts';
import { admonitionLabel, writeAdmonition } from './admonition.ts';
import { withoutLabels, writeCodeBlock, writeFence } from './code-block.ts';
import { codeLanguage } from './code-language.ts';
import { codeText, consistsOfLines } from './code-text.ts';
import { writeDefinitionList } from './definition-list.ts';
import { elementText } from './element-text.ts';
import { escapeLineStarts } from './escape-markdown.ts';
import { writeHeading } from './heading.ts';
import { inlineMarkdown, isCodeChrome } from './inline.ts';
import { writeList } from './list.ts';
import { writeTable } from './table.ts';
import { isPanel, isTabList, tabLabels, type TabLabels } from './tabs.ts';
import { createPageWriters, type LineWriter, type WriteContext } from './write-context.ts';

export interface WrittenBlocks {
  readonly lines: LineWriter;
  readonly outline: ReturnType<WriteContext['outline']['finish']>;
}

export function writeBlocks(
  nodes: readonly HtmlNode[],
  root: ElementNode,
  resolve: (href: string) => string | null,
): WrittenBlocks {
  const labels = tabLabels(root);
  const context: WriteContext = {
    ...createPageWriters(),
    resolve,
    blocks: (children) => writeNodes(children, context, labels),
    paragraph: (children) => writeParagraph(children, context),
    inline: (children) => inlineMarkdown(children, { resolve, links: true, buttons: false }),
  };
  context.blocks(nodes);
  return { lines: context.lines, outline: context.outline.finish(context.lines.written()) };
}

function writeNodes(nodes: readonly HtmlNode[], context: WriteContext, labels: TabLabels): void {
  let from = -1;
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index] as HtmlNode;
    if (isInlineNode(node) && !(labels.size > 0 && node.kind === 'element' && isTabList(node))) {
      if (from === -1) from = index;
      continue;
    }
    if (from !== -1) writeInline(nodes.slice(from, index), context);
    from = -1;
    if (node.kind === 'element' && isWritten(node)) {
      context.lines.readFrom(node.start, node.end);
      writeElement(node, context, labels);
    }
  }
  if (from !== -1) writeInline(nodes.slice(from), context);
}

function writeInline(nodes: readonly HtmlNode[], context: WriteContext): void {
  const last = nodes.at(-1);
  const first = nodes.find((node) => node.kind === 'element' || node.text.trim() !== '');
  if (first !== undefined && last !== undefined) context.lines.readFrom(startOf(first), endOf(last));
  context.paragraph(nodes);
}

/** Without the white space in front of a text. An entity may stand for several characters, but never for a line feed alone. */
function startOf(node: HtmlNode): number {
  return node.kind === 'element' ? node.start : node.start + node.text.length - node.text.trimStart().length;
}

function endOf(node: HtmlNode): number {
  return node.kind === 'element' ? node.end : node.start + node.text.trimEnd().length;
}

function isInlineNode(node: HtmlNode): boolean {
  return node.kind === 'text' || ((node.flags & flag.hasBlock) === 0 && !isPanel(node));
}

function isWritten(node: ElementNode): boolean {
  return (node.flags & NOT_WRITTEN) === 0 && !isCodeChrome(node) && !isTabList(node);
}

function writeParagraph(nodes: readonly HtmlNode[], context: WriteContext): void {
  const text = context.inline(nodes);
  if (text === '') return;
  context.lines.gap();
  context.lines.write(escapeLineStarts(text));
  context.lines.gap();
}

type BlockWriter = (node: ElementNode, writing: WriteContext) => void;

const writeQuote: BlockWriter = (node, context) => {
  context.lines.gap();
  context.lines.withPrefix('> ', '> ', () => context.blocks(node.children));
  context.lines.gap();
};

/** The summary of a disclosure is its label. */
const writeSummary: BlockWriter = (node, context) => {
  if ((node.flags & flag.hasHeading) !== 0) return context.blocks(node.children);
  const label = elementText(node);
  if (label === '') return;
  context.lines.gap();
  context.lines.write(`**${context.inline([{ kind: 'text', text: label, start: -1 }])}**`);
  context.lines.gap();
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

function writeElement(node: ElementNode, context: WriteContext, labels: TabLabels): void {
  const label = labels.get(node);
  if (label !== undefined && label !== '') writeLabel(label, context);
  const admonition = admonitionLabel(node);
  if (admonition !== null) return writeAdmonition(node, admonition, context);
  if ((node.flags & flag.codeLines) !== 0 && consistsOfLines(node)) {
    return writeFence(codeText(node), codeLanguage(node, null), context);
  }
  if ((node.flags & flag.math) !== 0 && (node.flags & flag.hasPre) === 0 && isLeafBlock(node)) {
    return context.paragraph([node]);
  }
  const writer = WRITERS.get(node.tag);
  if (writer !== undefined) return writer(node, context);
  context.blocks((node.flags & flag.codeWrapper) === 0 ? node.children : withoutLabels(node));
}

function writeLabel(label: string, context: WriteContext): void {
  context.lines.gap();
  context.lines.write(`**${context.inline([{ kind: 'text', text: label, start: -1 }])}**`);
  context.lines.gap();
}
