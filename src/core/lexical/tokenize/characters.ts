// Classifies characters for the tokenizer. ASCII uses a lookup table, because nearly all documentation is ASCII.

/** Letters, digits and marks of any script, and the invisible characters that may occur inside a word. */
const WORD = /[\p{L}\p{N}\p{M}\u00ad\u200b-\u200d]/u;

export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
/** Joins two words into one identifier: `max_connections`, `std::vec`, `@scope/pkg`, `3.11`. */
export const JOINER = 4;

const ASCII = new Uint8Array(128);
for (let code = 0x61; code <= 0x7a; code += 1) ASCII[code] = LOWER;
for (let code = 0x41; code <= 0x5a; code += 1) ASCII[code] = UPPER;
for (let code = 0x30; code <= 0x39; code += 1) ASCII[code] = DIGIT;
for (const joiner of '_-.:/@\\') ASCII[joiner.charCodeAt(0)] = JOINER;

/** 0 for anything that is neither a word character nor a joiner, and for everything outside ASCII. */
export function asciiClass(code: number): number {
  return code < 128 ? (ASCII[code] ?? 0) : 0;
}

/** A letter or a digit. */
export function isAsciiWord(code: number): boolean {
  const kind = asciiClass(code);
  return kind !== 0 && kind !== JOINER;
}

/** Classes of code units, as `scan-words.ts` distinguishes them. */
export const OTHER_CODE = 1;
export const WORD_CODE = 2;
export const JOINER_CODE = 3;
export const APOSTROPHE = 4;
/** Closes the text of a link; its target may follow. */
export const CLOSING_BRACKET = 5;
/** The first half of a surrogate pair. */
export const HIGH_SURROGATE = 6;

/** 0 for a code unit that was not classified yet; a text uses few different characters. */
const CODE_CLASSES = new Uint8Array(0x10000);
for (let code = 0; code < 128; code += 1) CODE_CLASSES[code] = isAsciiWord(code) ? WORD_CODE : OTHER_CODE;
for (const joiner of '_-.:/@\\') CODE_CLASSES[joiner.charCodeAt(0)] = JOINER_CODE;
for (const apostrophe of "'\u2019") CODE_CLASSES[apostrophe.charCodeAt(0)] = APOSTROPHE;
CODE_CLASSES[']'.charCodeAt(0)] = CLOSING_BRACKET;
CODE_CLASSES.fill(HIGH_SURROGATE, 0xd800, 0xdc00);

export function codeClass(code: number): number {
  const cached = CODE_CLASSES[code] ?? 0;
  return cached === 0 ? classify(code) : cached;
}

function classify(code: number): number {
  const kind = WORD.test(String.fromCharCode(code)) ? WORD_CODE : OTHER_CODE;
  CODE_CLASSES[code] = kind;
  return kind;
}

/** Whether a surrogate pair is a letter, a digit or a mark. */
export function isWordPair(high: number, low: number): boolean {
  return low >= 0xdc00 && low <= 0xdfff && WORD.test(String.fromCharCode(high, low));
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
