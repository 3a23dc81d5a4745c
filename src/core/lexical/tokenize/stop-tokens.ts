// Stop words and low-weight words, in the form the tokenizer produces.

import { stem } from './stem.ts';
import { lowWeightWords, stopWords } from './stop-words.table.ts';

const stopTokens: ReadonlySet<string> = new Set([...stopWords].map(stem));
const lowWeightTokens: ReadonlySet<string> = new Set([...lowWeightWords].map(stem));

export function isStopToken(token: string): boolean {
  return stopTokens.has(token);
}

export function isLowWeightToken(token: string): boolean {
  return lowWeightTokens.has(token);
}
