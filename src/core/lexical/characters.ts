// Which characters make words. ASCII goes through a table, because nearly all documentation is ASCII.

/** Letters, digits and marks of any script, and the invisible characters that may stand inside a word. */
const WORD = /[\p{L}\p{N}\p{M}\u00ad\u200b-\u200d]/u;

export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
/** Joins two words into one name: `max_connections`, `std::vec`, `@scope/pkg`, `3.11`. */
export const JOINER = 4;

const ASCII = new Uint8Array(128);
for (let code = 0x61; code <= 0x7a; code += 1) ASCII[code] = LOWER;
for (let code = 0x41; code <= 0x5a; code += 1) ASCII[code] = UPPER;
for (let code = 0x30; code <= 0x39; code += 1) ASCII[code] = DIGIT;
for (const joiner of '_-.:/@\\') ASCII[joiner.charCodeAt(0)] = JOINER;

/** 0 for anything that is no word character and no joiner, and for all beyond ASCII. */
export function asciiClass(code: number): number {
  return code < 128 ? (ASCII[code] ?? 0) : 0;
}

/** A letter or a digit. */
export function isAsciiWord(code: number): boolean {
  const kind = asciiClass(code);
  return kind !== 0 && kind !== JOINER;
}

const IS_WORD = 1;
const IS_NONE = 2;
/** What is known of the characters of the basic plane; a text uses few of them, over and over. */
const KNOWN = new Uint8Array(0x10000);
for (let code = 0; code < 128; code += 1) KNOWN[code] = isAsciiWord(code) ? IS_WORD : IS_NONE;

/** False for NaN, which is what lies before and after a text. */
export function isWordCode(code: number): boolean {
  const known = KNOWN[code];
  return known === IS_WORD || (known !== IS_NONE && learnt(code));
}

function learnt(code: number): boolean {
  if (Number.isNaN(code)) return false;
  const isWord = WORD.test(String.fromCodePoint(code));
  if (code < KNOWN.length) KNOWN[code] = isWord ? IS_WORD : IS_NONE;
  return isWord;
}

export function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x2019;
}

/** First and last code points of scripts that are written without spaces. */
const UNSPACED: ReadonlyArray<readonly [number, number]> = [
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0x3005, 0x3007],
  [0x3040, 0x30ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7af],
  [0xf900, 0xfaff],
  [0xff66, 0xff9d],
  [0x20000, 0x3ffff],
];

/** Thai, Lao, Burmese, Khmer, Chinese, Japanese, Korean. */
export function isUnspaced(code: number): boolean {
  if (code < 0x0e00) return false;
  return UNSPACED.some(([first, last]) => code >= first && code <= last);
}
