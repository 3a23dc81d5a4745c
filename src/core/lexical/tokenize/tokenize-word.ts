// What a name is worth, by its spelling alone: `readFileSync` gives readfilesync, read, file and sync.

import { isApostrophe, isUnspaced } from './characters.ts';
import { foldUnspaced, foldWord } from '../fold.ts';
import { afterJoiner, atomEnd, codesOf, MAX_ATOMS } from './scan-words.ts';
import { partStarts } from '../split-identifier.ts';
import { stem } from './stem.ts';

/** Longer words and names are data, not language. */
export const MAX_TOKEN_CHARS = 64;

export interface NameTokens {
  readonly tokens: readonly string[];
  /** The name without its joiners, for marks that stand beside it; empty for one that is too long. */
  readonly whole: string;
}

/** A run of letters and digits; `text` is without its apostrophes. */
interface Atom {
  readonly text: string;
  readonly spelled: string;
  readonly isAscii: boolean;
}

export function nameTokens(name: string): NameTokens {
  const tokens: string[] = [];
  const emit = (token: string): void => void tokens.push(token);
  const atoms = atomsOf(name);
  for (const atom of atoms) emitAtom(atom, emit);
  return { whole: emitWhole(name, atoms, emit), tokens };
}

function atomsOf(name: string): readonly Atom[] {
  const atoms: Atom[] = [];
  const codes = codesOf(name);
  for (let start = 0; start !== -1 && atoms.length < MAX_ATOMS;) {
    const end = atomEnd(codes, start);
    atoms.push(atomOf(name.slice(start, end)));
    start = afterJoiner(codes, end);
  }
  return atoms;
}

function atomOf(spelled: string): Atom {
  let isAscii = true;
  let hasApostrophe = false;
  for (let at = 0; at < spelled.length; at += 1) {
    const code = spelled.charCodeAt(at);
    if (isApostrophe(code)) hasApostrophe = true;
    else if (code > 127) isAscii = false;
  }
  return { text: hasApostrophe ? withoutApostrophe(spelled) : spelled, spelled, isAscii };
}

/** `server's` is server, `don't` is dont. */
function withoutApostrophe(word: string): string {
  return word.replace(/['\u2019]s$/i, '').replaceAll(/['\u2019]/g, '');
}

function emitAtom({ text, spelled, isAscii }: Atom, emit: (token: string) => void): void {
  if (!isAscii) return emitFolded(text, emit);
  if (spelled.length > MAX_TOKEN_CHARS) return;
  const whole = text.toLowerCase();
  const starts = text === spelled ? partStarts(text, 0, text.length) : [];
  if (starts.length === 0) return emit(stem(whole));
  emit(whole);
  starts.push(text.length);
  let from = 0;
  for (const start of starts) {
    emit(stem(whole.slice(from, start)));
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
function emitWhole(name: string, atoms: readonly Atom[], emit: (token: string) => void): string {
  if (name.length > MAX_TOKEN_CHARS * 2) return '';
  const parts = atoms.map(({ text, isAscii }) => (isAscii ? text.toLowerCase() : foldWord(text)));
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
