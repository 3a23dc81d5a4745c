// The chunker port: what a chunker receives, what it returns, and the size limits of a chunk.

import type { Chunk } from '../model/chunk.ts';
import type { Document, DocumentFormat } from '../model/document.ts';

/** Sizes are in characters (UTF-16 code units). */
export interface ChunkLimits {
  /** Text that fits stays in one chunk; longer text is cut into chunks of about this size. */
  readonly targetChars: number;
  /** No chunk is longer than this. */
  readonly capChars: number;
  readonly maxChunks: number;
  /** Whether each heading with text below it begins a chunk, however short the sections are. */
  readonly cutsAtHeadings?: boolean;
}

/** The options for local files. */
export const bundleLimits: ChunkLimits = { targetChars: 4000, capChars: 8000, maxChunks: 2000, cutsAtHeadings: true };

export type ChunkWarning =
  /** A line longer than the cap was cut inside a word. */
  | { readonly kind: 'line-cut'; readonly line: number; readonly chars: number }
  /** Everything from `line` on was dropped: the document has more than `limit` chunks. */
  | { readonly kind: 'too-many-chunks'; readonly line: number; readonly limit: number }
  /** The file has more pages than are read of one. */
  | { readonly kind: 'too-many-pages'; readonly read: number; readonly left: number }
  /** The document could not be parsed as its format and was chunked as plain text. `install` is a package that changes that. */
  | {
      readonly kind: 'cut-as-text';
      readonly format: DocumentFormat;
      readonly reason: string;
      readonly install?: string;
    };

/** What a reader should know about a page whose text is not whole, in a sentence. */
export function warningMessage(warning: ChunkWarning): string {
  switch (warning.kind) {
    case 'line-cut':
      return `line ${warning.line} has ${warning.chars} characters and was truncated`;
    case 'too-many-chunks':
      return `everything after line ${warning.line} was dropped: more than ${warning.limit} chunks`;
    case 'too-many-pages':
      return `everything after page ${warning.read} was dropped: ${warning.left} more pages`;
    case 'cut-as-text':
      return `it was chunked as plain text: ${warning.reason}`;
  }
}

/** The warnings about text that is missing or torn; they are exported with the page. */
export function truncations(warnings: readonly ChunkWarning[]): string[] {
  return warnings.filter(({ kind }) => kind !== 'cut-as-text').map(warningMessage);
}

/** Text that a chunk repeats from another chunk, in characters at the start and the end of its text. */
export interface RepeatedText {
  /** Index in `chunks`. */
  readonly chunk: number;
  readonly before: number;
  readonly after: number;
}

export interface ChunkResult {
  /** Chunks in document order. */
  readonly chunks: readonly Chunk[];
  readonly warnings: readonly ChunkWarning[];
  /** Reopened fences and repeated table headers. With these removed, the chunks join to the document's text. */
  readonly repeats: readonly RepeatedText[];
}

/**
 * Splits one document into chunks. Pure and synchronous: the same document and limits give the same chunks and ids on
 * every machine, in linear time. A chunker never fails on content; what it cannot parse it chunks as plain text, with a
 * warning. Grammars are loaded in advance; one that was not is an error.
 *
 * Chunks of Markdown, text, code, JSON and OpenAPI join back to the document's text (`joinChunks`).
 */
export interface Chunker {
  readonly name: string;
  /** Incremented whenever the same input gives different chunks; stored pages are then chunked again. */
  readonly version: number;
  readonly formats: readonly DocumentFormat[];
  chunk(document: Document, limits: ChunkLimits): ChunkResult;
}
