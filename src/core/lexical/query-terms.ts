// The words of a question, each once, with what it may count.

import { stem } from './tokenize/stem.ts';
import { isStopToken } from './tokenize/stop-tokens.ts';
import { lightWords } from './tokenize/stop-words.table.ts';
import { tokenize } from './tokenize/tokenize.ts';

export interface QueryTerm {
  readonly term: string;
  /** 1 for a word that says something, less for a stop word or a guess. */
  readonly weight: number;
}

/** As the tokenizer leaves them. */
const lightTokens: ReadonlySet<string> = new Set([...lightWords].map(stem));

/** Longer questions are cut: what comes after is rarely read by a person either. */
const MAX_TERMS = 48;
const MAX_QUERY_CHARS = 4000;

export function queryTokens(query: string): string[] {
  return tokenize(query.slice(0, MAX_QUERY_CHARS));
}

const LIGHT_WEIGHT = 0.4;

/**
 * Stop words are kept where a question has little else: "to be" is a name, "of" in a long question is not. Light words count
 * less where two others say more.
 */
export function queryTerms(query: string, stopWeight: number): QueryTerm[] {
  const tokens = [...new Set(queryTokens(query))];
  const saying = tokens.filter((token) => !isStopToken(token)).slice(0, MAX_TERMS);
  const light = saying.filter((token) => lightTokens.has(token)).length;
  const lightWeight = saying.length - light >= 2 ? LIGHT_WEIGHT : 1;
  if (saying.length >= 2) {
    return saying.map((term) => ({ term, weight: lightTokens.has(term) ? lightWeight : 1 }));
  }
  return tokens.slice(0, MAX_TERMS).map((term) => ({ term, weight: isStopToken(term) ? stopWeight : 1 }));
}

/** How much a word tells, by how many of the chunks have it. */
export function rarity(having: number, chunks: number): number {
  return Math.log(1 + Math.max(0, chunks - having + 0.5) / (having + 0.5));
}
