// The words of a question, each once, with what it may count.

import { stem } from './stem.ts';
import { stopWords } from './stop-words.table.ts';
import { tokenize } from './tokenize.ts';

export interface QueryTerm {
  readonly term: string;
  /** 1 for a word that says something, less for a stop word or a guess. */
  readonly weight: number;
}

/** As the tokenizer leaves them. */
const stopTokens: ReadonlySet<string> = new Set([...stopWords].map(stem));

export function isStopToken(token: string): boolean {
  return stopTokens.has(token);
}

/** Longer questions are cut: what comes after is rarely read by a person either. */
const MAX_TERMS = 48;
const MAX_QUERY_CHARS = 4000;

export function queryTokens(query: string): string[] {
  return tokenize(query.slice(0, MAX_QUERY_CHARS));
}

/** Stop words are kept where a question has little else: "to be" is a name, "of" in a long question is not. */
export function queryTerms(query: string, stopWeight: number): QueryTerm[] {
  const tokens = [...new Set(queryTokens(query))];
  const saying = tokens.filter((token) => !isStopToken(token));
  if (saying.length >= 2) return saying.slice(0, MAX_TERMS).map((term) => ({ term, weight: 1 }));
  return tokens.slice(0, MAX_TERMS).map((term) => ({ term, weight: isStopToken(term) ? stopWeight : 1 }));
}

/** How much a word tells, by how many of the chunks have it. */
export function rarity(having: number, chunks: number): number {
  return Math.log(1 + Math.max(0, chunks - having + 0.5) / (having + 0.5));
}
