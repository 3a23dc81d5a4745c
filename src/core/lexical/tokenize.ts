// The one tokenizer, for texts and for queries, on every engine. A name is kept whole and in parts: `readFileSync` gives
// readfilesync, read, file and sync. Every token is made of letters and digits only, so that any engine takes it as it is.

import { asciiClass, isUnspaced, isWordCode, JOINER } from './characters.ts';
import { foldUnspaced, foldWord } from './fold.ts';
import { partStarts } from './split-identifier.ts';
import { stem } from './stem.ts';

/** Grows whenever the same text gives other tokens; an index made with another version is made anew. */
export const tokenizerVersion = 1;

/** Longer words and names are data, not language. */
const MAX_TOKEN_CHARS = 64;
const MAX_ATOMS = 12;

export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  eachToken(text, (token) => tokens.push(token));
  return tokens;
}

export function eachToken(text: string, emit: (token: string) => void): void {
  let at = 0;
  while (at < text.length) {
    const code = codeAt(text, at);
    if (isWordCode(code)) at = readName(text, at, emit);
    else if (code === 0x5d) at = skipLinkTarget(text, at);
    else at += code > 0xffff ? 2 : 1;
  }
}

function codeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0xd800 || code > 0xdfff ? code : (text.codePointAt(at) ?? code);
}

/** A run of letters and digits, with an apostrophe inside at most. */
interface Atom {
  readonly start: number;
  readonly end: number;
  readonly isAscii: boolean;
  readonly hasApostrophe: boolean;
}

/** Reads atoms with joiners between them; returns where the name ends. */
function readName(text: string, start: number, emit: (token: string) => void): number {
  const atoms: Atom[] = [];
  let at = start;
  while (atoms.length < MAX_ATOMS) {
    const atom = readAtom(text, at);
    atoms.push(atom);
    const next = afterJoiner(text, atom.end);
    if (next === -1) break;
    at = next;
  }
  const end = atoms.at(-1)?.end ?? at;
  for (const atom of atoms) emitAtom(text, atom, emit);
  const whole = emitWhole(text, atoms, emit);
  emitMarked(text, { start, end }, whole, emit);
  return end;
}

function readAtom(text: string, start: number): Atom {
  let at = start;
  let isAscii = true;
  let hasApostrophe = false;
  while (at < text.length) {
    const code = codeAt(text, at);
    if (isApostrophe(code) && at > start && isWordCode(text.charCodeAt(at + 1))) hasApostrophe = true;
    else if (!isWordCode(code)) break;
    else if (code > 127) isAscii = false;
    at += code > 0xffff ? 2 : 1;
  }
  return { start, end: at, isAscii, hasApostrophe };
}

function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x2019;
}

/** `server's` is server, `don't` is dont. */
function withoutApostrophe(word: string): string {
  return word.replace(/['\u2019]s$/i, '').replaceAll(/['\u2019]/g, '');
}

function textOf(text: string, atom: Atom): string {
  const word = text.slice(atom.start, atom.end);
  return atom.hasApostrophe ? withoutApostrophe(word) : word;
}

/** Offset of the atom that goes on with the name, or -1. At most two joiners stand between atoms: `::`, `->` is none. */
function afterJoiner(text: string, end: number): number {
  let at = end;
  while (at < text.length && at - end < 2 && asciiClass(text.charCodeAt(at)) === JOINER) at += 1;
  return at > end && at < text.length && isWordCode(codeAt(text, at)) ? at : -1;
}

function emitAtom(text: string, atom: Atom, emit: (token: string) => void): void {
  if (!atom.isAscii) return emitFolded(textOf(text, atom), emit);
  if (atom.end - atom.start > MAX_TOKEN_CHARS) return;
  const whole = textOf(text, atom).toLowerCase();
  const starts = atom.hasApostrophe ? [] : partStarts(text, atom.start, atom.end);
  if (starts.length === 0) return emit(stem(whole));
  emit(whole);
  starts.push(atom.end);
  let from = atom.start;
  for (const start of starts) {
    emit(stem(text.slice(from, start).toLowerCase()));
    from = start;
  }
}

const RUNS = /[\p{L}\p{N}\p{M}\u00ad\u200b-\u200d]+/gu;

/** Scripts without spaces give pairs of characters; all else is folded to one word. */
function emitFolded(word: string, emit: (token: string) => void): void {
  let run = '';
  let unspaced = false;
  const flush = (): void => {
    if (run === '') return;
    if (unspaced) emitPairs(foldUnspaced(run), emit);
    else for (const folded of foldWord(run).match(RUNS) ?? []) if (folded.length <= MAX_TOKEN_CHARS) emit(stem(folded));
    run = '';
  };
  for (const character of word) {
    const isOther = isUnspaced(character.codePointAt(0) ?? 0) !== unspaced;
    if (isOther) flush();
    if (isOther) unspaced = !unspaced;
    run += character;
  }
  flush();
}

function emitPairs(run: string, emit: (token: string) => void): void {
  const characters = Array.from(run);
  if (characters.length === 1) emit(run);
  for (let at = 0; at + 1 < characters.length; at += 1) emit(`${characters[at]}${characters[at + 1]}`);
}

/** The name without its joiners, so that `max-old-space-size` is one token; versions keep theirs as letters. */
function emitWhole(text: string, atoms: readonly Atom[], emit: (token: string) => void): string {
  const first = atoms[0];
  const last = atoms.at(-1);
  if (first === undefined || last === undefined || last.end - first.start > MAX_TOKEN_CHARS * 2) return '';
  const parts = atoms.map((atom) => {
    const part = textOf(text, atom);
    return atom.isAscii ? part.toLowerCase() : foldWord(part);
  });
  if (parts.length === 1) return parts[0] ?? '';
  if (parts.every((part) => /^v?\d+$/.test(part))) return emitVersion(parts, emit);
  const whole = parts.join('');
  if (whole.length <= MAX_TOKEN_CHARS) emit(whole);
  return whole;
}

/** `3.11.2` gives 3v11 and 3v11v2: a question about 3.11 finds both. */
function emitVersion(parts: readonly string[], emit: (token: string) => void): string {
  const numbers = parts.map((part) => part.replace('v', ''));
  for (let count = 2; count <= Math.min(numbers.length, 4); count += 1) emit(numbers.slice(0, count).join('v'));
  return numbers.join('v');
}

/** Marks that belong to a name: `--watch`, `@media`, `.env`, `C++`, `C#`. */
function emitMarked(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  whole: string,
  emit: (token: string) => void,
): void {
  if (whole === '' || whole.length > MAX_TOKEN_CHARS - 4) return;
  const before = text.charCodeAt(start - 1);
  if (before === 0x2d && !isWordCode(text.charCodeAt(start - 2))) emit(`flag${whole}`);
  else if (before === 0x40 && !isWordCode(text.charCodeAt(start - 2))) emit(`at${whole}`);
  else if (before === 0x2e && !isWordCode(text.charCodeAt(start - 2))) emit(`dot${whole}`);
  if (whole.length > 1) return;
  if (text.startsWith('++', end)) emit(`${whole}pp`);
  else if (text.charCodeAt(end) === 0x23) emit(`${whole}sharp`);
}

/** Addresses of links are no words of the text. `handlers[name](event)` is no link. */
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
