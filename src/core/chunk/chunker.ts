// The port of the chunkers: what one is given, what it owes, and how large a chunk may be.

import type { Chunk } from '../model/chunk.ts';
import type { Document, DocumentFormat } from '../model/document.ts';

/** Sizes are in characters (UTF-16 code units). */
export interface ChunkLimits {
  /** What fits in it stays together; longer text is cut into pieces of about this size. */
  readonly targetChars: number;
  /** No chunk is longer than this. */
  readonly capChars: number;
  readonly maxChunks: number;
}

export const bundleLimits: ChunkLimits = { targetChars: 4000, capChars: 8000, maxChunks: 2000 };

export type ChunkWarning =
  /** A line longer than the cap was cut inside a word. */
  | { readonly kind: 'line-cut'; readonly line: number; readonly chars: number }
  /** What follows `line` was left out: the document has more than `limit` chunks. */
  | { readonly kind: 'too-many-chunks'; readonly line: number; readonly limit: number }
  /** The document is not what its format says and was cut as text. */
  | { readonly kind: 'cut-as-text'; readonly format: DocumentFormat; readonly because: string };

/** What a chunk repeats from elsewhere, in characters at the start and the end of its text. */
export interface Repeat {
  /** Index in `chunks`. */
  readonly chunk: number;
  readonly before: number;
  readonly after: number;
}

export interface ChunkResult {
  /** In the order of the document. */
  readonly chunks: readonly Chunk[];
  readonly warnings: readonly ChunkWarning[];
  /** Reopened fences and repeated table headers. Without them the chunks join to the document's text. */
  readonly repeats: readonly Repeat[];
}

/**
 * Cuts one document. Pure and synchronous: the same document and limits give the same chunks and ids everywhere, in
 * linear time. A chunker never fails on content; where it cannot read it, it cuts it as text and warns. What must be
 * loaded first (a grammar) is loaded before, and its absence is an error.
 *
 * Chunks of Markdown, text, code, JSON and OpenAPI join back to the document's text (`joinChunks`).
 */
export interface Chunker {
  readonly name: string;
  /** Grows whenever the same input gives other chunks; stored pages are then cut again. */
  readonly version: number;
  readonly formats: readonly DocumentFormat[];
  chunk(document: Document, limits: ChunkLimits): ChunkResult;
}
