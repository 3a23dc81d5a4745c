// Finds the names of a text: words, and words that are joined into one name. Only where they begin and end; what they
// are worth is decided by their spelling alone, so that it can be remembered.
//
// A text is read as numbers in an array: asking a string for each of its characters, several times over, takes longer than
// all the rest.

import { APOSTROPHE, BRACKET, codeClass, HIGH, isWordPair, JOINS, WORD_CODE } from './characters.ts';

/** Longer names are data, not language. */
export const MAX_ATOMS = 12;

/** The code units of a text, and a 0 after its end, which is part of no name. */
export type Codes = Uint16Array;

/** A name of a text, from `start` to before `end`. Only lent: the next name is written into the same one. */
export interface NameAt {
  codes: Codes;
  start: number;
  end: number;
  /** Of its code units. Names that differ may share it. */
  hash: number;
}

/** Long enough for nearly every chunk. Larger ones are given back to the system. */
const KEPT_CODES = 1 << 16;
let kept: NameAt | null = { codes: new Uint16Array(KEPT_CODES), start: 0, end: 0, hash: 0 };

export function codesOf(text: string, room: Codes = new Uint16Array(text.length + 1)): Codes {
  const { length } = text;
  for (let at = 0; at < length; at += 1) room[at] = text.charCodeAt(at);
  room[length] = 0;
  return room;
}

/** In the order of the text. Addresses of links are no words of it. */
export function eachName(text: string, visit: (name: NameAt) => void): void {
  const lent = text.length < KEPT_CODES ? kept : null;
  if (lent === null) return readNames({ codes: codesOf(text), start: 0, end: 0, hash: 0 }, text.length, visit);
  // Whoever reads another text inside of `visit` gets one of its own.
  kept = null;
  codesOf(text, lent.codes);
  readNames(lent, text.length, visit);
  kept = lent;
}

function readNames(name: NameAt, length: number, visit: (name: NameAt) => void): void {
  const { codes } = name;
  let at = 0;
  while (at < length) {
    const kind = codeClass(codes[at] ?? 0);
    if (kind === WORD_CODE || (kind === HIGH && isPair(codes, at))) {
      readName(name, at);
      visit(name);
      at = name.end;
    } else at = kind === BRACKET ? skipLinkTarget(codes, at) : at + 1;
  }
}

function isPair(codes: Codes, at: number): boolean {
  return isWordPair(codes[at] ?? 0, codes[at + 1] ?? 0);
}

const PRIME = 0x01000193;

function readName(name: NameAt, start: number): void {
  const { codes } = name;
  let at = start;
  let hash = 0;
  for (let atoms = 1; ; atoms += 1) {
    const end = atomEnd(codes, at);
    for (; at < end; at += 1) hash = Math.imul(hash ^ (codes[at] ?? 0), PRIME);
    const next = atoms < MAX_ATOMS ? afterJoiner(codes, end) : -1;
    if (next === -1) break;
    for (; at < next; at += 1) hash = Math.imul(hash ^ (codes[at] ?? 0), PRIME);
  }
  name.start = start;
  name.end = at;
  name.hash = hash;
}

/** An atom is a run of letters and digits, with apostrophes inside at most. */
export function atomEnd(codes: Codes, start: number): number {
  let at = start;
  for (;;) {
    let kind = codeClass(codes[at] ?? 0);
    while (kind === WORD_CODE) {
      at += 1;
      kind = codeClass(codes[at] ?? 0);
    }
    if (kind === HIGH && isPair(codes, at)) at += 2;
    else if (kind === APOSTROPHE && at > start && codeClass(codes[at + 1] ?? 0) === WORD_CODE) at += 1;
    else return at;
  }
}

/** Offset of the atom that goes on with the name, or -1. At most two joiners stand between atoms: `::`, `->` is none. */
export function afterJoiner(codes: Codes, end: number): number {
  if (codeClass(codes[end] ?? 0) !== JOINS) return -1;
  const at = codeClass(codes[end + 1] ?? 0) === JOINS ? end + 2 : end + 1;
  const kind = codeClass(codes[at] ?? 0);
  return kind === WORD_CODE || (kind === HIGH && isPair(codes, at)) ? at : -1;
}

/** `handlers[name](event)` is no link. */
function skipLinkTarget(codes: Codes, at: number): number {
  if (codes[at + 1] !== 0x28 || !isAddressStart(codes, at + 2)) return at + 1;
  let end = at + 2;
  for (let code = codes[end] ?? 0; code > 0x20 && code !== 0x29; code = codes[end] ?? 0) end += 1;
  return end;
}

const SCHEMES = ['http', 'mailto:'].map((scheme) => codesOf(scheme).subarray(0, scheme.length));

function isAddressStart(codes: Codes, at: number): boolean {
  const code = codes[at] ?? 0;
  if (code === 0x2f || code === 0x23 || code === 0x2e) return true;
  return SCHEMES.some((scheme) => scheme.every((own, nth) => codes[at + nth] === own));
}
