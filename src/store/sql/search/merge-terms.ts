// The words of some segments as those of one: a step over their lists, which are in order, side by side.

import { createPostingWriter, readPostings } from '../../../core/lexical/segment/postings.ts';
import type { SegmentTerm } from '../../../core/lexical/segment/segment-builder.ts';

export interface TermRow {
  readonly term: string;
  readonly postings: Uint8Array;
}

/** A part of a merge: its words up to some point, and the new number of each of its chunks, or -1. */
export interface MergePart {
  readonly rows: readonly TermRow[];
  readonly renumber: Int32Array;
}

/**
 * Words up to `end`, or all for null. Parts are read in order and their pages keep it, so the new numbers ascend by
 * themselves. A word that no living chunk has is left out.
 */
export function mergeTerms(parts: readonly MergePart[], end: string | null): readonly SegmentTerm[] {
  const merged: SegmentTerm[] = [];
  const writer = createPostingWriter();
  const next = parts.map(() => 0);
  for (;;) {
    const term = leastOf(parts, next);
    if (term === null || (end !== null && byCodePoints(term, end) > 0)) return merged;
    for (const [at, { rows, renumber }] of parts.entries()) {
      const row = rows[next[at] ?? 0];
      if (row?.term !== term) continue;
      next[at] = (next[at] ?? 0) + 1;
      readPostings(row.postings, (chunk, impact) => {
        const number = renumber[chunk] ?? -1;
        if (number !== -1) writer.add(number, impact);
      });
    }
    const taken = writer.take();
    if (taken.count > 0) merged.push({ term, ...taken });
  }
}

function leastOf(parts: readonly MergePart[], next: readonly number[]): string | null {
  let least: string | null = null;
  for (const [at, { rows }] of parts.entries()) {
    const term = rows[next[at] ?? 0]?.term;
    if (term !== undefined && (least === null || byCodePoints(term, least) < 0)) least = term;
  }
  return least;
}

/** As both databases order terms. Code units order them the same way, but for the halves of rare characters. */
export function byCodePoints(left: string, right: string): number {
  const { length } = left.length < right.length ? left : right;
  for (let at = 0; at < length; at += 1) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one === other) continue;
    return weight(one) - weight(other);
  }
  return left.length - right.length;
}

/** A half stands for a character beyond all that are written as one. */
function weight(code: number): number {
  return (code & 0xf800) === 0xd800 ? code + 0x10000 : code;
}
