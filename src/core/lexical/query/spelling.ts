// Spelling correction: which words of a query may be typos, and which indexed terms they may stand for.

import { editDistance } from '../../text/edit-distance.ts';
import type { IndexedTerm } from './index-query.ts';

const MIN_WORD_CHARS = 4;
const MAX_WORD_CHARS = 32;
const LONG_WORD_CHARS = 8;
/** The first letters are rarely wrong. */
const PREFIX_CHARS = 2;

/** Only plain words are corrected; identifiers and numbers are taken literally. */
export function isCorrectable(token: string): boolean {
  return token.length >= MIN_WORD_CHARS && token.length <= MAX_WORD_CHARS && /^[a-z]+$/.test(token);
}

/** What the terms that a word may be a typo of have in common. */
export function spellingRange(word: string): {
  readonly prefix: string;
  readonly length: { readonly min: number; readonly max: number };
} {
  const edits = maxEdits(word);
  return { prefix: word.slice(0, PREFIX_CHARS), length: { min: word.length - edits, max: word.length + edits } };
}

/** Longer words tolerate more edits. */
function maxEdits(token: string): number {
  return token.length >= LONG_WORD_CHARS ? 2 : 1;
}

/** Smallest edit distance first, then the more frequent term. */
export function closestTerms(token: string, vocabulary: readonly IndexedTerm[], limit: number): IndexedTerm[] {
  const maxDistance = maxEdits(token);
  const close: Array<{ readonly indexed: IndexedTerm; readonly distance: number }> = [];
  for (const indexed of vocabulary) {
    if (Math.abs(indexed.term.length - token.length) > maxDistance) continue;
    const distance = editDistance(token, indexed.term, maxDistance);
    if (distance > 0 && distance <= maxDistance) close.push({ indexed, distance });
  }
  close.sort(
    (left, right) =>
      left.distance - right.distance ||
      right.indexed.docFrequency - left.indexed.docFrequency ||
      (left.indexed.term < right.indexed.term ? -1 : 1),
  );
  return close.slice(0, limit).map(({ indexed }) => indexed);
}
