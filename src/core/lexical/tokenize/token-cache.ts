// What names are worth, for spellings that were met before: a search reads the same words in a hundred passages. A name is
// found here by its codes, without making a string of it; what is asked most often stands in arrays of numbers, because
// the way from object to object takes longer than the work.

import { copyOf } from './detach-string.ts';
import { nameTokens, type NameTokens } from './tokenize-word.ts';
import type { NameAt } from './scan-words.ts';
import { isStopToken } from './stop-tokens.ts';

/** Two bits for each of some tokens: tell quickly that a word is not among them. */
export interface TokenBits {
  readonly one: number;
  readonly other: number;
}

export interface Spelling extends NameTokens, TokenBits {
  /** Tokens that are no stop words. */
  readonly saying: number;
}

/** Some megabytes. */
const SLOTS = 2 ** 15;
/** Longer spellings rarely come again. */
const LONGEST = 48;
/** Slots where a spelling may stand. A few: however a text is made, it cannot make this slow. */
const WAYS = 4;

const spellings: Array<Spelling | undefined> = Array.from({ length: SLOTS }, () => undefined);
const hashes = new Int32Array(SLOTS);
const lengths = new Uint8Array(SLOTS);
const spelled = new Uint16Array(SLOTS * LONGEST);
let turn = 0;

/** Of a name of `text`. */
export function spellingAt(text: string, name: NameAt): Spelling {
  const { codes, start, end, hash } = name;
  const length = end - start;
  if (length > LONGEST) return spellingOf(text.slice(start, end));
  const home = (hash ^ (hash >>> 16)) & (SLOTS - WAYS);
  for (let slot = home; slot < home + WAYS; slot += 1) {
    if (hashes[slot] !== hash || lengths[slot] !== length) continue;
    const known = isSpelled(slot, name) ? spellings[slot] : undefined;
    if (known !== undefined) return known;
  }
  const learnt = spellingOf(text.slice(start, end));
  turn = (turn + 1) % WAYS;
  const slot = home + turn;
  spellings[slot] = learnt;
  hashes[slot] = hash;
  lengths[slot] = length;
  for (let nth = 0; nth < length; nth += 1) spelled[slot * LONGEST + nth] = codes[start + nth] ?? 0;
  return learnt;
}

function isSpelled(slot: number, { codes, start, end }: NameAt): boolean {
  const from = slot * LONGEST - start;
  for (let at = start; at < end; at += 1) if (spelled[from + at] !== codes[at]) return false;
  return true;
}

function spellingOf(name: string): Spelling {
  const { tokens, whole } = nameTokens(name);
  const saying = tokens.filter((token) => !isStopToken(token)).length;
  return { tokens: tokens.map(copyOf), whole: copyOf(whole), saying, ...bitsOf(tokens) };
}

export function bitsOf(tokens: Iterable<string>): TokenBits {
  let one = 0;
  let other = 0;
  for (const token of tokens) {
    let hash = token.length;
    for (let at = 0; at < token.length; at += 1) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
    one |= 1 << ((hash >>> 16) & 31);
    other |= 1 << ((hash >>> 24) & 31);
  }
  return { one, other };
}
