// A name with a mark beside it that belongs to it, as letters: `--watch` is flagwatch, `C++` is cpp.

import { codeClass, WORD_CODE } from './tokenize/characters.ts';
import { MAX_TOKEN_CHARS } from './tokenize/tokenize-word.ts';
import type { NameAt } from './tokenize/scan-words.ts';

/** `--watch`, `@media`, `.env`; empty where there is no such mark. `whole` is the name without its joiners. */
export function markedBefore({ codes, start }: NameAt, whole: string): string {
  const mark = start === 0 ? undefined : MARKS[codes[start - 1] ?? 0];
  if (mark === undefined || whole === '' || whole.length > MAX_TOKEN_CHARS - 4) return '';
  return start > 1 && codeClass(codes[start - 2] ?? 0) === WORD_CODE ? '' : `${mark}${whole}`;
}

const MARKS: ReadonlyArray<string | undefined> = Array.from(
  { length: 128 },
  (_, code) => ({ '-': 'flag', '@': 'at', '.': 'dot' })[String.fromCharCode(code)],
);

/** A name of one letter: `C++`, `C#`. */
export function markedAfter({ codes, end }: NameAt, whole: string): string {
  const code = codes[end] ?? 0;
  if (whole.length !== 1 || (code !== 0x23 && code !== 0x2b)) return '';
  if (code === 0x23) return `${whole}sharp`;
  return codes[end + 1] === 0x2b ? `${whole}pp` : '';
}
