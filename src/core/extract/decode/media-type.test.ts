import { expect, test } from 'vitest';
import { looksBinary } from './media-type.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('text of every script and line end is not binary', () => {
  for (const text of [
    '',
    'plain',
    '<p>héllo</p>\r\n\tcode\f',
    'Привет мир',
    '日本語の文書',
    '\u001b[1mbold\u001b[0m text',
  ])
    expect(looksBinary(bytes(text))).toBe(false);
  expect(looksBinary(Buffer.from('\uFEFFhello', 'utf16le'))).toBe(false);
  expect(looksBinary(Uint8Array.from({ length: 100 }, (_, i) => 0xa0 + (i % 90)))).toBe(false);
});

test('a stray control character does not make a text binary', () => {
  expect(looksBinary(bytes(`a long line with one \u0000 in it ${'and more '.repeat(10)}`))).toBe(false);
});

test('noise, images and archives are binary', () => {
  const noise = Uint8Array.from({ length: 4096 }, (_, i) => (i * 2_654_435_761) >>> 24);
  expect(looksBinary(noise)).toBe(true);
  expect(looksBinary(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d))).toBe(true);
});
