// From a surface form to its tokens: identifier splitting, folding, stemming, CJK bigrams and sigils. `readFileSync` gives
// readfilesync, read, file and sync; `--watch` gives watch and flagwatch.

import { asciiClass, codeClass, DIGIT, isApostrophe, isUnspaced, LOWER, UPPER, WORD_CODE } from './characters.ts';
import { afterJoiner, atomEnd, MAX_ATOMS, toCodes, type WordSpan } from './scan-words.ts';
import { stem } from './stem.ts';

/** Longer words and identifiers are data, not language. */
export const MAX_TOKEN_CHARS = 64;

export interface WordTokens {
  readonly tokens: readonly string[];
  /** The word without its joiners, to combine with a sigil next to it; empty for one that is too long. */
  readonly whole: string;
}

/** A run of letters and digits; `text` has its apostrophes removed. */
interface Atom {
  readonly text: string;
  readonly surface: string;
  readonly isAscii: boolean;
}

export function tokenizeWord(word: string): WordTokens {
  const tokens: string[] = [];
  const emit = (token: string): void => void tokens.push(token);
  const atoms = splitAtoms(word);
  for (const atom of atoms) emitAtom(atom, emit);
  return { whole: emitWhole(word, atoms, emit), tokens };
}

function splitAtoms(word: string): readonly Atom[] {
  const atoms: Atom[] = [];
  const codes = toCodes(word);
  for (let start = 0; start !== -1 && atoms.length < MAX_ATOMS;) {
    const end = atomEnd(codes, start);
    atoms.push(toAtom(word.slice(start, end)));
    start = afterJoiner(codes, end);
  }
  return atoms;
}

function toAtom(surface: string): Atom {
  let isAscii = true;
  let hasApostrophe = false;
  for (let at = 0; at < surface.length; at += 1) {
    const code = surface.charCodeAt(at);
    if (isApostrophe(code)) hasApostrophe = true;
    else if (code > 127) isAscii = false;
  }
  return { text: hasApostrophe ? withoutApostrophe(surface) : surface, surface, isAscii };
}

/** `server's` becomes server, `don't` becomes dont. */
function withoutApostrophe(word: string): string {
  return word.replace(/['\u2019]s$/i, '').replaceAll(/['\u2019]/g, '');
}

function emitAtom({ text, surface, isAscii }: Atom, emit: (token: string) => void): void {
  if (!isAscii) return emitFolded(text, emit);
  if (surface.length > MAX_TOKEN_CHARS) return;
  const whole = text.toLowerCase();
  const starts = text === surface ? partStarts(text, 0, text.length) : [];
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

/** Scripts without spaces give bigrams; everything else is folded to one word. */
function emitFolded(word: string, emit: (token: string) => void): void {
  let run = '';
  let unspaced = false;
  const flush = (): void => {
    if (run === '') return;
    if (unspaced) emitBigrams(foldUnspaced(run), emit);
    else for (const folded of foldWord(run).match(RUNS) ?? []) if (folded.length <= MAX_TOKEN_CHARS) emit(stem(folded));
    run = '';
  };
  for (const character of word) {
    const changesScript = isUnspaced(character.codePointAt(0) ?? 0) !== unspaced;
    if (changesScript) flush();
    if (changesScript) unspaced = !unspaced;
    run += character;
  }
  flush();
}

function emitBigrams(run: string, emit: (token: string) => void): void {
  const characters = Array.from(run);
  if (characters.length === 1) emit(run);
  for (let at = 0; at + 1 < characters.length; at += 1) emit(`${characters[at]}${characters[at + 1]}`);
}

/** The word without its joiners, so that `max-old-space-size` is also one token; a version keeps its dots as the letter v. */
function emitWhole(word: string, atoms: readonly Atom[], emit: (token: string) => void): string {
  if (word.length > MAX_TOKEN_CHARS * 2) return '';
  const parts = atoms.map(({ text, isAscii }) => (isAscii ? text.toLowerCase() : foldWord(text)));
  if (parts.length === 1) return parts[0] ?? '';
  if (parts.every((part) => /^v?\d+$/.test(part))) return emitVersion(parts, emit);
  const whole = parts.join('');
  if (whole.length <= MAX_TOKEN_CHARS) emit(whole);
  return whole;
}

/** `3.11.2` gives 3v11 and 3v11v2, so a query for 3.11 matches both. */
function emitVersion(parts: readonly string[], emit: (token: string) => void): string {
  const numbers = parts.map((part) => part.replace('v', ''));
  for (let count = 2; count <= Math.min(numbers.length, 4); count += 1) emit(numbers.slice(0, count).join('v'));
  return numbers.join('v');
}

/** Where the parts of an identifier begin, after the first: `readFileSync`, `HTTPServer`. Empty for a single word. */
function partStarts(text: string, start: number, end: number): number[] {
  const starts: number[] = [];
  for (let at = start + 1; at < end; at += 1) {
    if (asciiClass(text.charCodeAt(at)) !== UPPER) continue;
    const before = asciiClass(text.charCodeAt(at - 1));
    const after = at + 1 < end ? asciiClass(text.charCodeAt(at + 1)) : 0;
    // An upper-case letter after a lower-case one starts a part; so does the last capital of an acronym before a word.
    if (before === LOWER || before === DIGIT || (before === UPPER && after === LOWER)) starts.push(at);
  }
  return starts;
}

const INVISIBLE_OR_MARK = /[\p{M}\u00ad\u200b-\u200d]+/gu;
const INVISIBLE = /[\u00ad\u200b-\u200d]+/g;

/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ð: 'd',
  þ: 'th',
};

/** Lower case without accents or invisible characters, for words outside ASCII. */
function foldWord(word: string): string {
  const bare = word.normalize('NFKD').replaceAll(INVISIBLE_OR_MARK, '').toLowerCase().normalize('NFC');
  return bare.replaceAll(/[øłđßæœıðþ]/g, (letter) => LETTERS[letter] ?? letter);
}

/** Scripts without spaces keep their marks: a voiced kana is a different letter from a voiceless one. */
function foldUnspaced(run: string): string {
  return run.normalize('NFKC').replaceAll(INVISIBLE, '');
}

/** The token of a word with its sigil: `--watch` is flagwatch, `@media` is atmedia, `.env` is dotenv. Empty without a sigil. */
export function prefixSigilToken({ codes, start }: WordSpan, whole: string): string {
  const sigil = start === 0 ? undefined : SIGILS[codes[start - 1] ?? 0];
  if (sigil === undefined || whole === '' || whole.length > MAX_TOKEN_CHARS - 4) return '';
  return start > 1 && codeClass(codes[start - 2] ?? 0) === WORD_CODE ? '' : `${sigil}${whole}`;
}

const SIGILS: ReadonlyArray<string | undefined> = Array.from(
  { length: 128 },
  (_, code) => ({ '-': 'flag', '@': 'at', '.': 'dot' })[String.fromCharCode(code)],
);

/** Only for words of one letter: `C++` is cpp, `C#` is csharp. */
export function suffixSigilToken({ codes, end }: WordSpan, whole: string): string {
  const code = codes[end] ?? 0;
  if (whole.length !== 1 || (code !== 0x23 && code !== 0x2b)) return '';
  if (code === 0x23) return `${whole}sharp`;
  return codes[end + 1] === 0x2b ? `${whole}pp` : '';
}
