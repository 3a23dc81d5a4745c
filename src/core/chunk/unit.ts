// A unit is a stretch of the document that is only cut when it is longer than a chunk may be.

import type { ChunkKind } from '../model/chunk.ts';

/** What must be repeated when a chunk ends inside a fence or a table. Both end with a line feed or are empty. */
export interface Container {
  readonly reopen: string;
  readonly close: string;
}

export interface Unit {
  /** Offsets in the document's text; `end` is exclusive and takes the line feed along. */
  readonly start: number;
  readonly end: number;
  /** How good a place the unit's start is for a cut; a higher rank always wins over a lower one nearby. */
  readonly rank: CutRank;
  /** Set when the unit goes on with a fence or table that an earlier unit began. */
  readonly continues: Container | null;
  /** Set on the last unit of a fence that the document never closes. */
  readonly unclosed?: Container;
  readonly kind: ChunkKind;
}

/** 0 inside a sentence or code, 1 inside a list or table, 2 before what a paragraph introduces, 3 between paragraphs. */
export type CutRank = 0 | 1 | 2 | 3;

/** What all pieces of one section have in common. */
export interface Place {
  readonly headings: readonly string[];
  readonly anchor: string | null;
  readonly symbol: string | null;
  readonly address: string | null;
}

/** A chunk before it has a name. */
export interface Piece extends Place {
  readonly start: number;
  readonly end: number;
  readonly kind: ChunkKind;
  readonly before: string;
  readonly after: string;
}
