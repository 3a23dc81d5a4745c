// BM25F: the weighted counts of a term in all fields are summed before saturation, so that a term in title and body does
// not count as two matches.

import { defaultWeights, fieldNames, type LexicalWeights } from '../segment/fields.ts';
import { matchesFilter, type SearchFilter } from '../query/search-filter.ts';
import { countIn, fieldCount, type IndexEntry, type LexicalIndex } from './lexical-index.ts';
import { isStopToken } from '../tokenize/stop-tokens.ts';
import { tokenize } from '../tokenize/tokenize.ts';

export interface LexicalHit {
  readonly entry: IndexEntry;
  /** The entry's number in the index. */
  readonly number: number;
  readonly score: number;
}

export interface SearchOptions {
  readonly limit: number;
  readonly filter?: SearchFilter;
  readonly weights?: LexicalWeights;
}

/** Any text is a valid query: there is no query syntax. Equal scores are in entry order. */
export function searchIndex(index: LexicalIndex, query: string, options: SearchOptions): LexicalHit[] {
  const weights = options.weights ?? defaultWeights;
  const scores = new Float64Array(index.entries.length);
  const norms = fieldNorms(index, weights);
  for (const [token, times] of countTokens(query)) {
    const term = index.terms.get(token);
    if (term !== undefined) addScores(index, term, times * tokenWeight(token, weights), { scores, norms, weights });
  }
  return topHits(index, scores, options);
}

function countTokens(query: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokenize(query)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function tokenWeight(token: string, weights: LexicalWeights): number {
  return isStopToken(token) ? weights.stopWord : 1;
}

interface Norm {
  readonly weight: number;
  readonly fixed: number;
  /** Multiplied by the length of the field. */
  readonly perToken: number;
}

/** Length normalization, precomputed: `1 - b + b × length ÷ average` becomes one multiplication. */
function fieldNorms(index: LexicalIndex, weights: LexicalWeights): readonly Norm[] {
  return fieldNames.map((name, field) => {
    const { weight, b } = weights.fields[name];
    let total = 0;
    for (let at = field; at < index.lengths.length; at += fieldCount) total += index.lengths[at] ?? 0;
    const average = total / Math.max(1, index.entries.length);
    return { weight, fixed: 1 - b, perToken: average === 0 ? 0 : b / average };
  });
}

interface Scoring {
  readonly scores: Float64Array;
  readonly norms: readonly Norm[];
  readonly weights: LexicalWeights;
}

function addScores(index: LexicalIndex, term: number, times: number, { scores, norms, weights }: Scoring): void {
  const from = index.offsets[term] ?? 0;
  const to = index.offsets[term + 1] ?? from;
  const docFrequency = to - from;
  const idf = Math.log(1 + (index.entries.length - docFrequency + 0.5) / (docFrequency + 0.5));
  for (let at = from; at < to; at += 1) {
    const entry = index.postings[at] ?? 0;
    const packed = index.counts[at] ?? 0;
    let weightedTf = 0;
    for (let field = 0; field < fieldCount; field += 1) {
      const count = countIn(packed, field);
      const norm = norms[field];
      if (count === 0 || norm === undefined) continue;
      weightedTf +=
        (norm.weight * count) / (norm.fixed + norm.perToken * (index.lengths[entry * fieldCount + field] ?? 0));
    }
    scores[entry] = (scores[entry] ?? 0) + (times * idf * weightedTf) / (weights.k1 + weightedTf);
  }
}

function topHits(index: LexicalIndex, scores: Float64Array, { limit, filter }: SearchOptions): LexicalHit[] {
  const found: LexicalHit[] = [];
  let floor = 0;
  // Collects twice the limit before sorting and truncating: as fast as a heap, and simpler.
  const cut = (): void => {
    found.sort((left, right) => right.score - left.score || left.number - right.number);
    found.length = Math.min(found.length, limit);
    if (found.length === limit) floor = found.at(-1)?.score ?? 0;
  };
  for (let number = 0; number < scores.length; number += 1) {
    const score = scores[number] ?? 0;
    if (score <= floor) continue;
    const entry = index.entries[number];
    if (entry === undefined || (filter !== undefined && !matchesFilter(filter, entry))) continue;
    found.push({ entry, number, score });
    if (found.length >= limit * 2) cut();
  }
  cut();
  return found;
}
