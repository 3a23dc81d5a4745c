// Finds query terms in a text without tokenizing the other words, by a Bloom-filter check per word.

import { eachWord } from '../tokenize/scan-words.ts';
import { isStopToken } from '../tokenize/stop-tokens.ts';
import { bloomOf, tokensAt, type TokenBloom } from '../tokenize/token-cache.ts';
import { prefixSigilToken, suffixSigilToken } from '../tokenize/tokenize-word.ts';

/** The terms, with a Bloom filter that rejects most words of a text. */
export interface TermMatcher extends TokenBloom {
  readonly terms: ReadonlySet<string>;
}

/** `tokens` are in the form the tokenizer produces. */
export function createTermMatcher(tokens: Iterable<string>): TermMatcher {
  const terms = new Set(tokens);
  return { terms, ...bloomOf(terms) };
}

/** `position` counts the tokens up to and including the term, stop words excluded. */
export function matchTerms(
  { terms, firstBits, secondBits }: TermMatcher,
  text: string,
  visit: (term: string, position: number) => void,
): void {
  let position = 0;
  const visitToken = (token: string): void => {
    if (!isStopToken(token)) position += 1;
    if (terms.has(token)) visit(token, position);
  };
  eachWord(text, (word) => {
    const cached = tokensAt(text, word);
    if ((cached.firstBits & firstBits) === 0 || (cached.secondBits & secondBits) === 0)
      position += cached.contentTokens;
    else for (const token of cached.tokens) visitToken(token);
    const prefixToken = prefixSigilToken(word, cached.whole);
    if (prefixToken !== '') visitToken(prefixToken);
    const suffixToken = suffixSigilToken(word, cached.whole);
    if (suffixToken !== '') visitToken(suffixToken);
  });
}
