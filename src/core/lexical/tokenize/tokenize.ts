// The one tokenizer, for texts and for queries, on every engine. A name is kept whole and in parts: `readFileSync` gives
// readfilesync, read, file and sync. Every token is made of letters and digits only, so that any engine takes it as it is.

import { eachName } from './scan-words.ts';
import { spellingAt } from './token-cache.ts';
import { markedAfter, markedBefore } from '../marks.ts';

/** Grows whenever the same text gives other tokens; an index made with another version is made anew. */
export const tokenizerVersion = 2;

export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  eachToken(text, (token) => tokens.push(token));
  return tokens;
}

export function eachToken(text: string, emit: (token: string) => void): void {
  eachName(text, (name) => {
    const { tokens, whole } = spellingAt(text, name);
    for (let at = 0; at < tokens.length; at += 1) emit(tokens[at] ?? '');
    const before = markedBefore(name, whole);
    if (before !== '') emit(before);
    const after = markedAfter(name, whole);
    if (after !== '') emit(after);
  });
}
