// The tokenizer, shared by texts and queries on every engine. An identifier gives its whole and its parts: `readFileSync`
// becomes readfilesync, read, file and sync. Tokens consist of letters and digits only, so any engine accepts them as is.

import { eachWord } from './scan-words.ts';
import { isStopToken } from './stop-tokens.ts';
import { tokensAt } from './token-cache.ts';
import { prefixSigilToken, suffixSigilToken } from './tokenize-word.ts';

/** Incremented whenever the same text gives different tokens; an index built with another version is rebuilt. */
export const tokenizerVersion = 2;

export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  eachToken(text, (token) => tokens.push(token));
  return tokens;
}

/** The distinct tokens that are not stop words. */
export function contentTokens(text: string): Set<string> {
  const tokens = new Set<string>();
  eachToken(text, (token) => {
    if (!isStopToken(token)) tokens.add(token);
  });
  return tokens;
}

export function eachToken(text: string, emit: (token: string) => void): void {
  eachWord(text, (word) => {
    const { tokens, whole } = tokensAt(text, word);
    for (let at = 0; at < tokens.length; at += 1) emit(tokens[at] ?? '');
    const prefixToken = prefixSigilToken(word, whole);
    if (prefixToken !== '') emit(prefixToken);
    const suffixToken = suffixSigilToken(word, whole);
    if (suffixToken !== '') emit(suffixToken);
  });
}
