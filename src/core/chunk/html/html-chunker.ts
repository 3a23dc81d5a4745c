// Chunks HTML that was not extracted, such as a file in a folder: without scripts and styles, cut at its headings. A
// chunk's line numbers refer to the HTML; its text is the visible text as light Markdown.

import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import type { Document } from '../../model/document.ts';
import type { ChunkWarning, Chunker } from '../chunker.ts';
import { markdownChunker } from '../markdown/markdown-chunker.ts';
import { createHtmlWriter, type HtmlLines, type HtmlWriter } from './html-writer.ts';

export const htmlChunker: Chunker = {
  name: 'html',
  version: 1,
  formats: ['html'],

  chunk(document, limits) {
    const { text, sourceLines, outline } = htmlToLines(document.text);
    const readable: Document = { ...document, format: 'markdown', text, outline };
    const { chunks, warnings, repeats } = markdownChunker.chunk(readable, limits);
    const sourceLine = (line: number): number => sourceLines[line - 1] ?? 1;
    return {
      repeats,
      chunks: chunks.map((chunk) => ({
        ...chunk,
        lines: { first: sourceLine(chunk.lines.first), last: sourceLine(chunk.lines.last) },
      })),
      warnings: warnings.map((warning) => withSourceLine(warning, sourceLine)),
    };
  },
};

function withSourceLine(warning: ChunkWarning, sourceLine: (line: number) => number): ChunkWarning {
  return warning.kind === 'cut-as-text' ? warning : { ...warning, line: sourceLine(warning.line) };
}

const SKIPPED_TAGS = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head', 'iframe', 'object']);

/** Works on tokens and builds no tree: a page of a million nested elements costs no more than its length. */
function htmlToLines(html: string): HtmlLines {
  const writer = createHtmlWriter(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, tokenCallbacks(html, writer));
  tokenizer.write(html);
  tokenizer.end();
  return writer.finish();
}

function ignore(): void {}

function tokenCallbacks(html: string, writer: HtmlWriter): TokenizerCallbacks {
  let name = '';
  let id: string | null = null;
  let attribute = '';
  /** The tag of the skipped element that is open, and how many of that tag are nested. */
  let skipped = '';
  let depth = 0;
  const onOpenTag = (): void => {
    if (skipped === '' && SKIPPED_TAGS.has(name)) skipped = name;
    if (skipped === name && name !== '') depth += 1;
    if (skipped === '') writer.open(name, id);
  };
  return {
    onattribname: (start, end) => (attribute = html.slice(start, end).toLowerCase()),
    onattribdata: (start, end) => {
      if (attribute === 'id') id = (id ?? '') + html.slice(start, end);
    },
    onattribentity: ignore,
    onattribend: ignore,
    oncdata: ignore,
    oncomment: ignore,
    ondeclaration: ignore,
    onprocessinginstruction: ignore,
    onend: ignore,
    onopentagname: (start, end) => {
      name = html.slice(start, end).toLowerCase();
      id = null;
    },
    onopentagend: onOpenTag,
    onselfclosingtag: onOpenTag,
    onclosetag: (start, end) => {
      const closing = html.slice(start, end).toLowerCase();
      if (skipped === '') writer.close(closing);
      else if (closing === skipped) depth -= 1;
      if (depth === 0) skipped = '';
    },
    ontext: (start, end) => {
      if (skipped === '') writer.write(html.slice(start, end), start);
    },
    ontextentity: (codepoint, end) => {
      if (skipped === '') writer.write(String.fromCodePoint(codepoint), end);
    },
  };
}
