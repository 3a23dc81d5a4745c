// AsciiDoc: sections, code, tables, admonitions, lists, conditions and attributes.

import { decodePage } from '../../core/extract/decode/charset.ts';
import { cleanText } from '../../core/extract/decode/clean-text.ts';
import type { Extraction, RawPage } from '../../core/extract/extractor.ts';
import { escapeHtml } from '../../core/extract/html/write/escape-markdown.ts';
import { MAX_NESTING, splitLines } from '../../core/extract/markup/indented-lines.ts';
import { markupDocument, paragraph, type Markup } from '../../core/extract/markup/markup-document.ts';
import { writeAsciidocBlock, writeAsciidocBlocks } from './asciidoc-blocks.ts';
import type { AsciidocContext } from './asciidoc-context.ts';
import { inlineAsciidoc } from './asciidoc-inline.ts';
import { applyConditions, collectTitles, sectionTitle } from './asciidoc-lines.ts';

export function extractAsciidoc(page: RawPage): Extraction {
  return markupDocument(page, writeAsciidoc(splitLines(cleanText(decodePage(page)))));
}

function writeAsciidoc(source: readonly string[]): Markup {
  const lines = applyConditions(source);
  const document = {
    title: null,
    levelOffset: 0,
    usesOldQuotes: lines.slice(0, 40).some((_, at) => sectionTitle(lines, at)?.end === at + 2),
  };
  const html = writeAsciidocBlocks(
    lines,
    contextAt(0, { attributes: new Map(), titles: collectTitles(lines), document }),
  );
  return { html, title: document.title };
}

function contextAt(
  depth: number,
  shared: Pick<AsciidocContext, 'attributes' | 'titles' | 'document'>,
): AsciidocContext {
  const context: AsciidocContext = {
    ...shared,
    depth,
    inline: (text) => inlineAsciidoc(text, shared),
    blocks: (lines) =>
      depth >= MAX_NESTING
        ? paragraph(escapeHtml(lines.join('\n')))
        : writeAsciidocBlocks(lines, contextAt(depth + 1, shared)),
    block: (lines, at, inList) =>
      depth >= MAX_NESTING
        ? { html: paragraph(escapeHtml(lines[at] ?? '')), end: at + 1 }
        : writeAsciidocBlock(lines, at, contextAt(depth + 1, shared), inList),
  };
  return context;
}
