// A chunk is the unit we store, embed, rank and cite.

import { sha256Hex, type Sha256 } from './hash.ts';

export type ChunkId = Sha256 & { readonly __noun: 'chunk' };

/** A new kind goes to the end: its position is stored with segments. */
export const PASSAGE_KINDS = ['prose', 'code', 'table', 'data', 'image'] as const;
export type PassageKind = (typeof PASSAGE_KINDS)[number];

export interface Chunk {
  readonly id: ChunkId;
  /** SHA-256 of `text`; vectors are keyed by it. */
  readonly contentHash: Sha256;
  readonly passageKind: PassageKind;
  /** Headings from the page title down to this chunk, outermost first. */
  readonly headings: readonly string[];
  /** Fragment of the nearest heading, without `#`; null if it has none. */
  readonly anchor: string | null;
  /** The function, class, operation or option that this chunk defines; null otherwise. */
  readonly symbol: string | null;
  /** Position of the chunk inside a structured document, such as `$.paths`; null otherwise. */
  readonly jsonPath: string | null;
  readonly text: string;
  /** 1-based and inclusive, counted in the extracted document; a bundle has those of the HTML file. */
  readonly lines: { readonly first: number; readonly last: number };
  /** Estimated tokens of `text`. */
  readonly tokens: number;
  /** Word vector of its headings and text by core/vector/word-vectors.ts; set on the way to the store, which returns it by place only. */
  readonly wordVector?: Uint8Array;
}

/**
 * Same path, same text, same id, on any machine and in any browser. `path` is the canonical URL of a page or the
 * relative path of a file. `nth` distinguishes identical texts on one page ("Returns: void" in every method), from 0.
 */
export function chunkId(path: string, contentHash: Sha256, nth: number): ChunkId {
  return sha256Hex(`${path}\n${contentHash}\n${nth}`) as ChunkId;
}

/** Characters over four: 2.6 % below a real tokenizer on documentation, and the same everywhere. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
