// reStructuredText: sections, code, tables, admonitions, lists and links. Sphinx directives that only a build can answer
// (autodoc, indices) are dropped.

import { decodePage } from '../../core/extract/decode/charset.ts';
import { cleanText } from '../../core/extract/decode/clean-text.ts';
import type { Extraction, RawPage } from '../../core/extract/extractor.ts';
import { escapeHtml } from '../../core/extract/html/write/escape-markdown.ts';
import { dedent, MAX_NESTING, splitLines } from '../../core/extract/markup/indented-lines.ts';
import { markupDocument, paragraph, type Markup } from '../../core/extract/markup/markup-document.ts';
import { writeRstBlocks } from './rst-blocks.ts';
import type { RstContext } from './rst-context.ts';
import { collectDefinitions, type RstDefinitions } from './rst-definitions.ts';
import { inlineRst } from './rst-inline.ts';

export function extractRst(page: RawPage): Extraction {
  return markupDocument(page, writeRst(splitLines(cleanText(decodePage(page)))));
}

function writeRst(lines: readonly string[]): Markup {
  const definitions = collectDefinitions(lines);
  const document = { title: null, codeLanguage: null };
  const html = writeRstBlocks(lines, contextAt(0, { definitions, document, sectionStyles: [] }));
  return { html, title: document.title };
}

type Shared = Pick<RstContext, 'document' | 'sectionStyles'> & { readonly definitions: RstDefinitions };

function contextAt(depth: number, shared: Shared): RstContext {
  const context: RstContext = {
    ...shared,
    depth,
    inline: (text) => inlineRst(text, shared.definitions),
    blocks: (lines) =>
      depth >= MAX_NESTING
        ? paragraph(escapeHtml(lines.join('\n')))
        : writeRstBlocks(dedent(lines), contextAt(depth + 1, shared)),
  };
  return context;
}
