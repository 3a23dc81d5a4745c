// The unit of cutting: a span of the document that is only split if it is longer than a chunk may be.

import type { PassageKind } from '../model/chunk.ts';

/** What to repeat when a chunk ends inside a fence or a table. Both texts end with a line feed or are empty. */
export interface Container {
  readonly reopen: string;
  readonly close: string;
}

export interface Unit {
  /** Offsets in the document's text; `end` is exclusive and includes the line feed. */
  readonly start: number;
  readonly end: number;
  /** How good a cut before this unit is; a higher priority always wins over a lower one nearby. */
  readonly cutPriority: CutPriority;
  /** Set if the unit continues a fence or table that an earlier unit began. */
  readonly continues: Container | null;
  /** Set on the last unit of a fence that the document never closes. */
  readonly unclosed?: Container;
  readonly passageKind: PassageKind;
}

/** 0 inside a sentence or code, 1 inside a list or table, 2 before what a paragraph introduces, 3 between paragraphs. */
export type CutPriority = 0 | 1 | 2 | 3;

/** What all chunks of one section have in common. */
export interface ChunkContext {
  readonly headings: readonly string[];
  readonly anchor: string | null;
  readonly symbol: string | null;
  readonly jsonPath: string | null;
}

/** A chunk before it gets its text, lines and id. */
export interface ChunkDraft extends ChunkContext {
  readonly start: number;
  readonly end: number;
  readonly passageKind: PassageKind;
  readonly before: string;
  readonly after: string;
}
