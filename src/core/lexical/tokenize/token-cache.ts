// Caches the tokens of surface forms on the query side: a search reads the same words in a hundred passages. A 4-way
// associative cache, keyed by code units so that a hit allocates no string. Keys live in flat arrays, because chasing
// pointers from object to object costs more than the comparison.

import { detachString } from './detach-string.ts';
import { tokenizeWord, type WordTokens } from './tokenize-word.ts';
import type { WordSpan } from './scan-words.ts';
import { isStopToken } from './stop-tokens.ts';

/** A Bloom filter over tokens, two bits each: rules out quickly that a term is among them. */
export interface TokenBloom {
  readonly firstBits: number;
  readonly secondBits: number;
}

export interface CachedTokens extends WordTokens, TokenBloom {
  /** How many of the tokens are not stop words. */
  readonly contentTokens: number;
}

/** A few megabytes. */
const SLOTS = 2 ** 15;
/** Longer surface forms rarely recur. */
const MAX_SURFACE_CHARS = 48;
/** Slots per surface form. A small constant, so that no crafted text can make a lookup slow. */
const WAYS = 4;

const entries: Array<CachedTokens | undefined> = Array.from({ length: SLOTS }, () => undefined);
const hashes = new Int32Array(SLOTS);
const lengths = new Uint8Array(SLOTS);
const surfaceCodes = new Uint16Array(SLOTS * MAX_SURFACE_CHARS);
let nextWay = 0;

/** The tokens of a word of `text`. */
export function tokensAt(text: string, span: WordSpan): CachedTokens {
  const { codes, start, end, hash } = span;
  const length = end - start;
  if (length > MAX_SURFACE_CHARS) return computeTokens(text.slice(start, end));
  const home = (hash ^ (hash >>> 16)) & (SLOTS - WAYS);
  for (let slot = home; slot < home + WAYS; slot += 1) {
    if (hashes[slot] !== hash || lengths[slot] !== length) continue;
    const cached = matchesSurface(slot, span) ? entries[slot] : undefined;
    if (cached !== undefined) return cached;
  }
  const computed = computeTokens(text.slice(start, end));
  nextWay = (nextWay + 1) % WAYS;
  const slot = home + nextWay;
  entries[slot] = computed;
  hashes[slot] = hash;
  lengths[slot] = length;
  for (let nth = 0; nth < length; nth += 1) surfaceCodes[slot * MAX_SURFACE_CHARS + nth] = codes[start + nth] ?? 0;
  return computed;
}

function matchesSurface(slot: number, { codes, start, end }: WordSpan): boolean {
  const from = slot * MAX_SURFACE_CHARS - start;
  for (let at = start; at < end; at += 1) if (surfaceCodes[from + at] !== codes[at]) return false;
  return true;
}

function computeTokens(word: string): CachedTokens {
  const { tokens, whole } = tokenizeWord(word);
  const contentTokens = tokens.filter((token) => !isStopToken(token)).length;
  return { tokens: tokens.map(detachString), whole: detachString(whole), contentTokens, ...bloomOf(tokens) };
}

export function bloomOf(tokens: Iterable<string>): TokenBloom {
  let firstBits = 0;
  let secondBits = 0;
  for (const token of tokens) {
    let hash = token.length;
    for (let at = 0; at < token.length; at += 1) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
    firstBits |= 1 << ((hash >>> 16) & 31);
    secondBits |= 1 << ((hash >>> 24) & 31);
  }
  return { firstBits, secondBits };
}
