// Words that nothing has get a second chance: the known words that they are nearly written like.

import type { QueryTerm } from '../core/lexical/query-terms.ts';
import type { VersionId } from '../core/model/run.ts';
import { mayBeMisspelt, nearestWords, reachOf } from '../core/model/edit-distance.ts';
import type { FoundPostings, SearchRows } from '../store/port.ts';

export interface Correction {
  readonly word: string;
  readonly readAs: readonly string[];
}

interface AskedTerms {
  readonly terms: readonly QueryTerm[];
  readonly found: FoundPostings;
  readonly corrections: readonly Correction[];
}

/** More unknown words than this are no slips of the pen. */
const MOST_CORRECTED = 4;
const READINGS = 2;
/** A guess counts less than a word that was written. */
const GUESS_WEIGHT = 0.7;
/** The first letters are seldom wrong. */
const PREFIX = 2;

export async function secondChance(
  rows: SearchRows,
  versions: readonly VersionId[],
  asked: readonly QueryTerm[],
): Promise<AskedTerms> {
  const words = asked.map(({ term }) => term);
  const found = await rows.postings(versions, words);
  const unknown = words.filter((word, at) => found.having[at] === 0 && mayBeMisspelt(word));
  const corrections: Correction[] = [];
  for (const word of unknown.slice(0, MOST_CORRECTED)) {
    const letters = { least: word.length - reachOf(word), most: word.length + reachOf(word) };
    const near = nearestWords(word, await rows.nearTerms(versions, word.slice(0, PREFIX), letters), READINGS);
    if (near.length > 0) corrections.push({ word, readAs: near.map(({ term }) => term) });
  }
  const added = [...new Set(corrections.flatMap(({ readAs }) => readAs))].filter((word) => !words.includes(word));
  if (added.length === 0) return { terms: asked, found, corrections };
  const terms = [...asked, ...added.map((term) => ({ term, weight: GUESS_WEIGHT }))];
  const again = await rows.postings(
    versions,
    terms.map(({ term }) => term),
  );
  return { terms, found: again, corrections };
}
