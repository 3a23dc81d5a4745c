// Parses a query: its terms with their weights, adjacent pairs for proximity, and the identifiers it contains.

import { isLowWeightToken, isStopToken } from '../tokenize/stop-tokens.ts';
import { tokenize } from '../tokenize/tokenize.ts';
import type { Chunk } from '../../model/chunk.ts';
import type { QueryTerm, TermFrequencies } from './index-query.ts';
import { nameKey } from './name-key.ts';
import { createTermMatcher, matchTerms, type TermMatcher } from './match-terms.ts';

/** Longer queries are truncated. */
const MAX_TERMS = 48;
const MAX_QUERY_CHARS = 4000;

export function queryTokens(query: string): string[] {
  return tokenize(query.slice(0, MAX_QUERY_CHARS));
}

const LOW_WEIGHT = 0.4;

/**
 * The distinct terms of a query. Stop words are kept only if there is little else: "to be" may be an identifier, "of" in a
 * long query is not. Low-weight words count less if there are at least two other content words.
 */
export function queryTerms(query: string, stopWeight: number): QueryTerm[] {
  const tokens = [...new Set(queryTokens(query))];
  const contentTokens = tokens.filter((token) => !isStopToken(token)).slice(0, MAX_TERMS);
  const lowWeightCount = contentTokens.filter((token) => isLowWeightToken(token)).length;
  const lowWeight = contentTokens.length - lowWeightCount >= 2 ? LOW_WEIGHT : 1;
  if (contentTokens.length >= 2) {
    return contentTokens.map((term) => ({ term, weight: isLowWeightToken(term) ? lowWeight : 1 }));
  }
  return tokens.slice(0, MAX_TERMS).map((term) => ({ term, weight: isStopToken(term) ? stopWeight : 1 }));
}

/** Robertson–Sparck Jones inverse document frequency; a document is a chunk. */
function idf(docFrequency: number, total: number): number {
  return Math.log(1 + Math.max(0, total - docFrequency + 0.5) / (docFrequency + 0.5));
}

/** The terms of a query with their weights times idf. */
export function weighTerms(terms: readonly QueryTerm[], { chunks, docFrequencies }: TermFrequencies): QueryTerm[] {
  return terms.map(({ term, weight }, at) => ({ term, weight: weight * idf(docFrequencies[at] ?? 0, chunks) }));
}

export interface ParsedQuery {
  /** Weight times idf of each term. */
  readonly termWeights: ReadonlyMap<string, number>;
  readonly totalWeight: number;
  /** Finds the same terms in texts. */
  readonly matcher: TermMatcher;
  /** Adjacent terms, stop words removed; each pair has the smaller weight of the two. */
  readonly pairs: ReadonlyArray<{ readonly first: string; readonly second: string; readonly weight: number }>;
  readonly totalPairWeight: number;
  /** Identifiers, flags and options as written, in lower case. */
  readonly identifiers: readonly string[];
  /** All its words, stop words included, in the form of `phraseText`. */
  readonly words: readonly string[];
  /** What the query may call a section by: identifiers, and the query itself if it is one word; keys of `nameKey`. */
  readonly names: ReadonlySet<string>;
  /** Cosine similarity of a text's word vector to the query's; absent without word vectors. */
  readonly similarityTo?: ((text: Pick<Chunk, 'headings' | 'text'>) => number) | undefined;
  /** Whether the query names a source, if several are searched. */
  readonly namesSource?: ((name: string) => boolean) | undefined;
  /** Names of the sources whose pages are ranked a little higher. */
  readonly preferred?: ReadonlySet<string> | undefined;
}

/** `terms` have their weights by `weighTerms`. */
export function parseQuery(query: string, terms: readonly QueryTerm[]): ParsedQuery {
  const termWeights = new Map(terms.map(({ term, weight }) => [term, weight]));
  const pairs = adjacentPairs(query, termWeights);
  return {
    termWeights,
    totalWeight: Math.max(1e-9, sum([...termWeights.values()])),
    matcher: createTermMatcher(termWeights.keys()),
    pairs,
    totalPairWeight: Math.max(1e-9, sum(pairs.map((pair) => pair.weight))),
    identifiers: identifiersIn(query),
    names: namesIn(query),
    words: phraseText(query.slice(0, MAX_QUERY_CHARS)).split(' ').slice(0, MAX_TERMS),
  };
}

function adjacentPairs(query: string, termWeights: ReadonlyMap<string, number>): ParsedQuery['pairs'] {
  const tokens = queryTokens(query).filter((token) => !isStopToken(token));
  const pairs: Array<ParsedQuery['pairs'][number]> = [];
  for (let at = 0; at + 1 < tokens.length && at < MAX_PAIRS; at += 1) {
    const first = tokens[at] ?? '';
    const second = tokens[at + 1] ?? '';
    const weight = Math.min(termWeights.get(first) ?? 0, termWeights.get(second) ?? 0);
    if (first !== second && weight > 0) pairs.push({ first, second, weight });
  }
  return pairs;
}

/** The query terms that occur in a text. */
export function matchedTerms({ matcher }: ParsedQuery, text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  matchTerms(matcher, text, (term) => terms.add(term));
  return terms;
}

export function weightOfTerms({ termWeights }: ParsedQuery, terms: Iterable<string>): number {
  let weight = 0;
  for (const term of terms) weight += termWeights.get(term) ?? 0;
  return weight;
}

/** The sum of the weights of all query terms that occur in a text. */
export function matchedWeight(query: ParsedQuery, text: string): number {
  return weightOfTerms(query, matchedTerms(query, text));
}

/** A text in which phrases are compared: words in lower case, one space between them. */
export function phraseText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim();
}

const MAX_PAIRS = 48;
const MAX_IDENTIFIERS = 8;
const IDENTIFIER = /[a-z][A-Z]|[\w)][_.:@/-]+\w|^--?\w|^@\w|^[A-Z][A-Z_]{2,}$|\(\)$/;

/** What looks like code in a query: `readFileSync`, `--watch`, `max_connections`, `EACCES`. */
export function identifiersIn(query: string): string[] {
  const words = query.slice(0, 1000).split(/[\s,;"'`?!<>{}[\]=|]+/);
  const identifiers = words.filter((word) => word.length > 2 && word.length <= 80 && IDENTIFIER.test(word));
  const bare = identifiers.map((word) => trimPunctuation(word.toLowerCase())).filter((word) => word.length > 2);
  return [...new Set(bare)].slice(0, MAX_IDENTIFIERS);
}

function namesIn(query: string): Set<string> {
  const [word = '', ...others] = query.trim().slice(0, 1000).split(/\s+/);
  const whole = others.length === 0 ? [trimPunctuation(word.toLowerCase())] : [];
  return new Set([...identifiersIn(query), ...whole].map(nameKey).filter((name) => name.length > 1));
}

function trimPunctuation(word: string): string {
  let end = word.length;
  while (end > 0 && '().:/,'.includes(word.charAt(end - 1))) end -= 1;
  let start = 0;
  while (start < end && '(./:'.includes(word.charAt(start))) start += 1;
  return word.slice(start, end);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
