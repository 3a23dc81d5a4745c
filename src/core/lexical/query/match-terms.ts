// Finds some words in a text without making the tokens of all the others.

import { markedAfter, markedBefore } from '../marks.ts';
import { eachName } from '../tokenize/scan-words.ts';
import { bitsOf, spellingAt, type TokenBits } from '../tokenize/token-cache.ts';
import { isStopToken } from '../tokenize/stop-tokens.ts';

/** Most names of a text have none of the bits of its words. */
export interface SpottedWords extends TokenBits {
  readonly words: ReadonlySet<string>;
}

/** Words are tokens, as the tokenizer leaves them. */
export function spottedWords(words: Iterable<string>): SpottedWords {
  const all = new Set(words);
  return { words: all, ...bitsOf(all) };
}

/** `place` is the number of tokens up to the word, without stop words. */
export function spotWords(
  { words, one, other }: SpottedWords,
  text: string,
  visit: (word: string, place: number) => void,
): void {
  let place = 0;
  const meet = (token: string): void => {
    if (!isStopToken(token)) place += 1;
    if (words.has(token)) visit(token, place);
  };
  eachName(text, (name) => {
    const spelling = spellingAt(text, name);
    if ((spelling.one & one) === 0 || (spelling.other & other) === 0) place += spelling.saying;
    else for (const token of spelling.tokens) meet(token);
    const before = markedBefore(name, spelling.whole);
    if (before !== '') meet(before);
    const after = markedAfter(name, spelling.whole);
    if (after !== '') meet(after);
  });
}
