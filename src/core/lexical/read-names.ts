// Finds the names of a text: words, and words that are joined into one name. Only where they begin and end; what they
// are worth is decided by their spelling alone, so that it can be remembered.

import { asciiClass, isApostrophe, isWordCode, JOINER } from './characters.ts';

/** Longer names are data, not language. */
export const MAX_ATOMS = 12;

/** In the order of the text. Addresses of links are no words of it. */
export function eachName(text: string, visit: (start: number, end: number) => void): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (isWordCode(code) || (isHigh(code) && isWordCode(codeAt(text, at)))) {
      const end = nameEnd(text, at);
      visit(at, end);
      at = end;
    } else if (code === 0x5d) at = skipLinkTarget(text, at);
    else at += isHigh(code) && codeAt(text, at) > 0xffff ? 2 : 1;
  }
}

/** The first half of a character beyond the basic plane, which by itself is no word. */
function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function codeAt(text: string, at: number): number {
  return text.codePointAt(at) ?? Number.NaN;
}

function nameEnd(text: string, start: number): number {
  let end = atomEnd(text, start);
  for (let atoms = 1; atoms < MAX_ATOMS; atoms += 1) {
    const next = afterJoiner(text, end);
    if (next === -1) break;
    end = atomEnd(text, next);
  }
  return end;
}

/** An atom is a run of letters and digits, with apostrophes inside at most. */
export function atomEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (isWordCode(code) || isInnerApostrophe(text, at, start)) at += 1;
    else if (isHigh(code) && isWordCode(codeAt(text, at))) at += 2;
    else return at;
  }
}

function isInnerApostrophe(text: string, at: number, start: number): boolean {
  return at > start && isApostrophe(text.charCodeAt(at)) && isWordCode(text.charCodeAt(at + 1));
}

/** Offset of the atom that goes on with the name, or -1. At most two joiners stand between atoms: `::`, `->` is none. */
export function afterJoiner(text: string, end: number): number {
  let at = end;
  while (at - end < 2 && asciiClass(text.charCodeAt(at)) === JOINER) at += 1;
  return at > end && at < text.length && isWordCode(codeAt(text, at)) ? at : -1;
}

/** `handlers[name](event)` is no link. */
function skipLinkTarget(text: string, at: number): number {
  if (text.charCodeAt(at + 1) !== 0x28 || !isAddressStart(text, at + 2)) return at + 1;
  let end = at + 2;
  while (end < text.length && text.charCodeAt(end) > 0x20 && text.charCodeAt(end) !== 0x29) end += 1;
  return end;
}

function isAddressStart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    code === 0x2f || code === 0x23 || code === 0x2e || text.startsWith('http', at) || text.startsWith('mailto:', at)
  );
}
