// Merges the sorted term lists of some segments into one.

import { createPostingWriter, readPostings } from '../../../core/lexical/segment/postings.ts';
import type { SegmentTerm } from '../../../core/lexical/segment/segment-builder.ts';

export interface TermRow {
  readonly term: string;
  readonly postings: Uint8Array;
}

/** A part of a merge: its terms up to some point, and the new number of each of its chunks, or -1. */
export interface MergePart {
  readonly rows: readonly TermRow[];
  readonly renumber: Int32Array;
}

/**
 * Terms up to `end`, or all for null. Parts are read in order and their pages keep it, so the new numbers are ascending.
 * A term that no remaining chunk contains is left out.
 */
export function mergeTerms(parts: readonly MergePart[], end: string | null): readonly SegmentTerm[] {
  const merged: SegmentTerm[] = [];
  const writer = createPostingWriter();
  const next = parts.map(() => 0);
  for (;;) {
    const term = smallestTerm(parts, next);
    if (term === null || (end !== null && compareCodePoints(term, end) > 0)) return merged;
    for (const [at, { rows, renumber }] of parts.entries()) {
      const row = rows[next[at] ?? 0];
      if (row?.term !== term) continue;
      next[at] = (next[at] ?? 0) + 1;
      readPostings(row.postings, (chunk, impact) => {
        const number = renumber[chunk] ?? -1;
        if (number !== -1) writer.add(number, impact);
      });
    }
    const postings = writer.flush();
    if (postings.count > 0) merged.push({ term, ...postings });
  }
}

function smallestTerm(parts: readonly MergePart[], next: readonly number[]): string | null {
  let smallest: string | null = null;
  for (const [at, { rows }] of parts.entries()) {
    const term = rows[next[at] ?? 0]?.term;
    if (term !== undefined && (smallest === null || compareCodePoints(term, smallest) < 0)) smallest = term;
  }
  return smallest;
}

/** The order of terms in both databases. Code units have the same order except for surrogates. */
export function compareCodePoints(left: string, right: string): number {
  const { length } = left.length < right.length ? left : right;
  for (let at = 0; at < length; at += 1) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one === other) continue;
    return codePointOrder(one) - codePointOrder(other);
  }
  return left.length - right.length;
}

/** A surrogate belongs to a code point above all others. */
function codePointOrder(code: number): number {
  return (code & 0xf800) === 0xd800 ? code + 0x10000 : code;
}
