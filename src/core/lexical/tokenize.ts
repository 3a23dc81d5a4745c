// The one tokenizer, for texts and for queries, on every engine. A name is kept whole and in parts: `readFileSync` gives
// readfilesync, read, file and sync. Every token is made of letters and digits only, so that any engine takes it as it is.

import { isWordCode } from './characters.ts';
import { copyOf } from './copy-of.ts';
import { MAX_TOKEN_CHARS, nameTokens, type NameTokens } from './name-tokens.ts';
import { eachName } from './read-names.ts';

/** Grows whenever the same text gives other tokens; an index made with another version is made anew. */
export const tokenizerVersion = 1;

export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  eachToken(text, (token) => tokens.push(token));
  return tokens;
}

export function eachToken(text: string, emit: (token: string) => void): void {
  eachName(text, (start, end) => {
    const { tokens, whole } = tokensOf(text.slice(start, end));
    for (const token of tokens) emit(token);
    const before = markBefore(text, start);
    if (before !== '' && takesMark(whole)) emit(`${before}${whole}`);
    const after = markAfter(text, end);
    if (after !== '' && whole.length === 1) emit(`${whole}${after}`);
  });
}

/** Some megabytes. Longer spellings rarely come again. */
const MOST_SPELLINGS = 20_000;
const LONGEST_SPELLING = 32;
const spellings = new Map<string, NameTokens>();

/** A search reads the same words in a hundred passages: a spelling that was met before is not taken apart again. */
function tokensOf(name: string): NameTokens {
  const known = spellings.get(name);
  if (known !== undefined) return known;
  const { tokens, whole } = nameTokens(name);
  if (name.length > LONGEST_SPELLING) return { tokens, whole };
  if (spellings.size >= MOST_SPELLINGS) spellings.clear();
  const kept = { tokens: tokens.map(copyOf), whole: copyOf(whole) };
  spellings.set(copyOf(name), kept);
  return kept;
}

/** A mark before a name that belongs to it, as letters: `--watch`, `@media`, `.env`. */
export function markBefore(text: string, start: number): 'flag' | 'at' | 'dot' | '' {
  const code = text.charCodeAt(start - 1);
  if ((code !== 0x2d && code !== 0x40 && code !== 0x2e) || isWordCode(text.charCodeAt(start - 2))) return '';
  if (code === 0x2d) return 'flag';
  return code === 0x40 ? 'at' : 'dot';
}

/** A mark after a name of one letter: `C++`, `C#`. */
export function markAfter(text: string, end: number): 'pp' | 'sharp' | '' {
  const code = text.charCodeAt(end);
  if (code === 0x23) return 'sharp';
  return code === 0x2b && text.charCodeAt(end + 1) === 0x2b ? 'pp' : '';
}

export function takesMark(whole: string): boolean {
  return whole !== '' && whole.length <= MAX_TOKEN_CHARS - 4;
}
