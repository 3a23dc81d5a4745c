// HTML that comes without extraction, such as a file of a folder: scripts and styles out, cut at its headings. The lines
// of a chunk are those of the HTML; its text is what a reader sees.

import type { Document } from '../../model/document.ts';
import type { Chunker, ChunkWarning } from '../chunker.ts';
import { htmlLines } from '../html-lines.ts';
import { markdownChunker } from '../markdown/markdown-chunker.ts';

export const htmlChunker: Chunker = {
  name: 'html',
  version: 1,
  formats: ['html'],

  chunk(document, limits) {
    const { text, sourceLines, outline } = htmlLines(document.text);
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
