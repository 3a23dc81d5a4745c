// Counts the terms of one text after another. Terms and surface forms are interned and the count arrays are reused, so that
// counting a word that was seen before allocates almost nothing.

import { detachString } from '../tokenize/detach-string.ts';
import { growArray } from '../tokenize/grow-array.ts';
import { eachWord, type WordSpan } from '../tokenize/scan-words.ts';
import { createTermIdCache } from '../tokenize/term-id-cache.ts';
import { prefixSigilToken, suffixSigilToken, tokenizeWord } from '../tokenize/tokenize-word.ts';
import { fieldNames } from './fields.ts';

export interface TermCounter {
  /** Terms by id. */
  readonly terms: readonly string[];
  /** Adds the terms of a text to a field of the current chunk; returns how many there are. */
  add(text: string, field: number): number;
  /** Visits each term of the current chunk once, with its counts per field (a reused array). The next text starts a new chunk. */
  drain(visit: (termId: number, counts: Uint32Array) => void): void;
  /** Drops all terms if there are more than `maxTerms`. Invalidates every term id. */
  trim(maxTerms?: number): void;
}

const FIELDS = fieldNames.length;
/** Terms that survive a `trim`: a few megabytes. */
const MAX_TERMS = 60_000;

export function createTermCounter(): TermCounter {
  const idByTerm = new Map<string, number>();
  const terms: string[] = [];
  const cache = createTermIdCache();
  const tally = createTally();

  function termIdOf(token: string): number {
    const cached = idByTerm.get(token);
    if (cached !== undefined) return cached;
    const term = detachString(token);
    idByTerm.set(term, terms.length);
    return terms.push(term) - 1;
  }

  return {
    terms,
    add(text, field) {
      let count = 0;
      const add = (termId: number): void => {
        tally.add(termId, field);
        count += 1;
      };
      const addNew = (span: WordSpan): string => {
        const { tokens, whole } = tokenizeWord(text.slice(span.start, span.end));
        const termIds = tokens.map(termIdOf);
        for (const termId of termIds) add(termId);
        cache.add(span, termIds, whole);
        return whole;
      };
      eachWord(text, (span) => {
        const cached = cache.find(span);
        if (cached !== -1) cache.eachTerm(cached, add);
        const whole = cached === -1 ? addNew(span) : cache.whole(cached);
        const prefixToken = prefixSigilToken(span, whole);
        if (prefixToken !== '') add(termIdOf(prefixToken));
        const suffixToken = suffixSigilToken(span, whole);
        if (suffixToken !== '') add(termIdOf(suffixToken));
      });
      return count;
    },
    drain: (visit) => tally.drain(visit),
    trim(maxTerms = MAX_TERMS) {
      if (terms.length <= maxTerms) return;
      idByTerm.clear();
      cache.clear();
      terms.length = 0;
    },
  };
}

interface Tally {
  add(termId: number, field: number): void;
  drain(visit: (termId: number, counts: Uint32Array) => void): void;
}

/** Each term of the current chunk has a row of counts, one per field. */
function createTally(): Tally {
  let rowOfTerm = new Uint32Array(4096);
  let counts = new Uint32Array(512 * FIELDS);
  const termIds: number[] = [];
  const termCounts = new Uint32Array(FIELDS);

  function newRow(termId: number): number {
    while (termId >= rowOfTerm.length) rowOfTerm = growArray(rowOfTerm);
    // Counted from 1: a term without a row has 0.
    const row = termIds.push(termId);
    rowOfTerm[termId] = row;
    if (row * FIELDS > counts.length) counts = growArray(counts);
    return row;
  }

  return {
    add(termId, field) {
      let row = rowOfTerm[termId] ?? 0;
      if (row === 0) row = newRow(termId);
      const at = (row - 1) * FIELDS + field;
      counts[at] = (counts[at] ?? 0) + 1;
    },
    drain(visit) {
      for (let row = 0; row < termIds.length; row += 1) {
        for (let field = 0; field < FIELDS; field += 1) termCounts[field] = counts[row * FIELDS + field] ?? 0;
        const termId = termIds[row] ?? 0;
        rowOfTerm[termId] = 0;
        visit(termId, termCounts);
      }
      counts.fill(0, 0, termIds.length * FIELDS);
      termIds.length = 0;
    },
  };
}
