// Scans surface forms out of a text: plain words, and words joined into one identifier. Only offsets are produced; the
// tokens of a surface form depend on nothing else, so they can be cached.
//
// The text is first copied into an array of code units: calling `charCodeAt` several times per character costs more than
// everything else.

import {
  APOSTROPHE,
  CLOSING_BRACKET,
  codeClass,
  HIGH_SURROGATE,
  isWordPair,
  JOINER_CODE,
  WORD_CODE,
} from './characters.ts';

/** Longer identifiers are data, not language. */
export const MAX_ATOMS = 12;

/** The code units of a text, followed by a 0, which never belongs to a word. */
export type Codes = Uint16Array;

/** A word of a text, from `start` up to but excluding `end`. Reused: the next word overwrites the same object. */
export interface WordSpan {
  codes: Codes;
  start: number;
  end: number;
  /** Hash of its code units; different words may collide. */
  hash: number;
}

/** Long enough for nearly every chunk. Larger buffers are left to the garbage collector. */
const MAX_REUSED_CODES = 1 << 16;
let reusableSpan: WordSpan | null = { codes: new Uint16Array(MAX_REUSED_CODES), start: 0, end: 0, hash: 0 };

export function toCodes(text: string, buffer: Codes = new Uint16Array(text.length + 1)): Codes {
  const { length } = text;
  for (let at = 0; at < length; at += 1) buffer[at] = text.charCodeAt(at);
  buffer[length] = 0;
  return buffer;
}

/** In text order. Link targets are skipped. */
export function eachWord(text: string, visit: (span: WordSpan) => void): void {
  const span = text.length < MAX_REUSED_CODES ? reusableSpan : null;
  if (span === null) return scanWords({ codes: toCodes(text), start: 0, end: 0, hash: 0 }, text.length, visit);
  // A nested call inside `visit` allocates its own buffer.
  reusableSpan = null;
  toCodes(text, span.codes);
  scanWords(span, text.length, visit);
  reusableSpan = span;
}

function scanWords(span: WordSpan, length: number, visit: (span: WordSpan) => void): void {
  const { codes } = span;
  let at = 0;
  while (at < length) {
    const kind = codeClass(codes[at] ?? 0);
    if (kind === WORD_CODE || (kind === HIGH_SURROGATE && isPair(codes, at))) {
      scanWord(span, at);
      visit(span);
      at = span.end;
    } else at = kind === CLOSING_BRACKET ? skipLinkTarget(codes, at) : at + 1;
  }
}

function isPair(codes: Codes, at: number): boolean {
  return isWordPair(codes[at] ?? 0, codes[at + 1] ?? 0);
}

const PRIME = 0x01000193;

function scanWord(span: WordSpan, start: number): void {
  const { codes } = span;
  let at = start;
  let hash = 0;
  for (let atoms = 1; ; atoms += 1) {
    const end = atomEnd(codes, at);
    for (; at < end; at += 1) hash = Math.imul(hash ^ (codes[at] ?? 0), PRIME);
    const next = atoms < MAX_ATOMS ? afterJoiner(codes, end) : -1;
    if (next === -1) break;
    for (; at < next; at += 1) hash = Math.imul(hash ^ (codes[at] ?? 0), PRIME);
  }
  span.start = start;
  span.end = at;
  span.hash = hash;
}

/** An atom is a run of letters and digits that may contain apostrophes. */
export function atomEnd(codes: Codes, start: number): number {
  let at = start;
  for (;;) {
    let kind = codeClass(codes[at] ?? 0);
    while (kind === WORD_CODE) {
      at += 1;
      kind = codeClass(codes[at] ?? 0);
    }
    if (kind === HIGH_SURROGATE && isPair(codes, at)) at += 2;
    else if (kind === APOSTROPHE && at > start && codeClass(codes[at + 1] ?? 0) === WORD_CODE) at += 1;
    else return at;
  }
}

/** Offset of the atom that continues the identifier, or -1. Atoms are separated by one or two joiners: `::`, but not `->`. */
export function afterJoiner(codes: Codes, end: number): number {
  if (codeClass(codes[end] ?? 0) !== JOINER_CODE) return -1;
  const at = codeClass(codes[end + 1] ?? 0) === JOINER_CODE ? end + 2 : end + 1;
  const kind = codeClass(codes[at] ?? 0);
  return kind === WORD_CODE || (kind === HIGH_SURROGATE && isPair(codes, at)) ? at : -1;
}

/** `handlers[name](event)` is not a link. */
function skipLinkTarget(codes: Codes, at: number): number {
  if (codes[at + 1] !== 0x28 || !isLinkTargetStart(codes, at + 2)) return at + 1;
  let end = at + 2;
  for (let code = codes[end] ?? 0; code > 0x20 && code !== 0x29; code = codes[end] ?? 0) end += 1;
  return end;
}

const SCHEMES = ['http', 'mailto:'].map((scheme) => toCodes(scheme).subarray(0, scheme.length));

function isLinkTargetStart(codes: Codes, at: number): boolean {
  const code = codes[at] ?? 0;
  if (code === 0x2f || code === 0x23 || code === 0x2e) return true;
  return SCHEMES.some((scheme) => scheme.every((expected, nth) => codes[at + nth] === expected));
}
