// Finds the names of a text: words, and words that are joined into one name. Only where they begin and end; what they
// are worth is decided by their spelling alone, so that it can be remembered.
//
// A text is read as numbers in an array: asking a string for each of its characters, several times over, takes longer than
// all the rest.

import { asciiClass, isApostrophe, isWordCode, JOINER } from './characters.ts';

/** Longer names are data, not language. */
export const MAX_ATOMS = 12;

/** The code units of a text, and a 0 after its end, which is part of no name. */
export type Codes = Uint16Array;

/** Long enough for nearly every chunk. Larger ones are given back to the system. */
const KEPT_CODES = 1 << 16;
let kept: Codes | null = new Uint16Array(KEPT_CODES);

export function codesOf(text: string, room: Codes = new Uint16Array(text.length + 1)): Codes {
  const { length } = text;
  for (let at = 0; at < length; at += 1) room[at] = text.charCodeAt(at);
  room[length] = 0;
  return room;
}

/** In the order of the text. Addresses of links are no words of it. The codes are only lent. */
export function eachName(text: string, visit: (codes: Codes, start: number, end: number) => void): void {
  const { length } = text;
  const room = length < KEPT_CODES ? kept : null;
  if (room === null) return readNames(codesOf(text), length, visit);
  // Whoever reads another text inside of `visit` gets an array of its own.
  kept = null;
  readNames(codesOf(text, room), length, visit);
  kept = room;
}

function readNames(codes: Codes, length: number, visit: (codes: Codes, start: number, end: number) => void): void {
  let at = 0;
  while (at < length) {
    const code = codes[at] ?? 0;
    if (isWordCode(code) || (isHigh(code) && isWordCode(codeAt(codes, at)))) {
      const end = nameEnd(codes, at);
      visit(codes, at, end);
      at = end;
    } else if (code === 0x5d) at = skipLinkTarget(codes, at);
    else at += isHigh(code) && codeAt(codes, at) > 0xffff ? 2 : 1;
  }
}

/** The first half of a character beyond the basic plane, which by itself is no word. */
function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** The code point, for a first half that a second one follows. */
function codeAt(codes: Codes, at: number): number {
  const code = codes[at] ?? 0;
  const next = codes[at + 1] ?? 0;
  if (!isHigh(code) || next < 0xdc00 || next > 0xdfff) return code;
  return 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
}

function nameEnd(codes: Codes, start: number): number {
  let end = atomEnd(codes, start);
  for (let atoms = 1; atoms < MAX_ATOMS; atoms += 1) {
    const next = afterJoiner(codes, end);
    if (next === -1) break;
    end = atomEnd(codes, next);
  }
  return end;
}

/** An atom is a run of letters and digits, with apostrophes inside at most. */
export function atomEnd(codes: Codes, start: number): number {
  let at = start;
  for (;;) {
    const code = codes[at] ?? 0;
    if (isWordCode(code)) at += 1;
    else if (isApostrophe(code)) {
      if (at === start || !isWordCode(codes[at + 1] ?? 0)) return at;
      at += 1;
    } else if (isHigh(code) && isWordCode(codeAt(codes, at))) at += 2;
    else return at;
  }
}

/** Offset of the atom that goes on with the name, or -1. At most two joiners stand between atoms: `::`, `->` is none. */
export function afterJoiner(codes: Codes, end: number): number {
  let at = end;
  while (at - end < 2 && asciiClass(codes[at] ?? 0) === JOINER) at += 1;
  return at > end && isWordCode(codeAt(codes, at)) ? at : -1;
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
