import { expect, test } from 'vitest';
import { charsetOfContentType, decodeBody, detectCharset } from './charset.ts';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test.each([
  ['a byte order mark wins over the header', '\xEF\xBB\xBFx', 'windows-1251', 'utf-8', 'bom'],
  ['the header wins over meta', '<meta charset=utf-8>', 'shift_jis', 'shift_jis', 'header'],
  ['meta charset', '<!doctype html><meta charset="koi8-r"><p>', null, 'koi8-r', 'meta'],
  [
    'meta http-equiv',
    "<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-1'>",
    null,
    'windows-1252',
    'meta',
  ],
  ['content without http-equiv is ignored', '<meta content="charset=koi8-r">', null, 'utf-8', 'valid-utf-8'],
  ['a meta tag inside a comment is ignored', '<!-- <meta charset=koi8-r> -->x', null, 'utf-8', 'valid-utf-8'],
  ['utf-16 declared in ASCII bytes is utf-8', '<meta charset=utf-16>', null, 'utf-8', 'meta'],
  ['an XML declaration', '<?xml version="1.0" encoding="EUC-KR"?><html>', null, 'euc-kr', 'xml'],
  ['utf-7 is not supported', '<meta charset=utf-7><p>', null, 'utf-8', 'valid-utf-8'],
  ['an unknown header label falls through', '<meta charset=big5>', 'x-nothing', 'big5', 'meta'],
  ['bytes that are not UTF-8', 'caf\xE9', null, 'windows-1252', 'fallback'],
  ['NUL in every second byte', '<\0p\0>\0h\0i\0', null, 'utf-16le', 'nul-bytes'],
])('%s', (...[, body, header, encoding, reason]) => {
  expect(detectCharset(bytes(body), header)).toEqual({ encoding, reason });
});

test('a meta tag after the first kilobyte is ignored', () => {
  expect(detectCharset(bytes(`${' '.repeat(1100)}<meta charset=koi8-r>`), null).reason).toBe('valid-utf-8');
});

test('decoding drops the byte order mark and replaces invalid bytes', () => {
  expect(decodeBody(bytes('\xEF\xBB\xBFa\xFFb'), null)).toBe('a\uFFFDb');
});

test('the charset parameter of a content type', () => {
  expect(charsetOfContentType('text/html; Charset="UTF-8"; x=y')).toBe('UTF-8');
  expect(charsetOfContentType('text/html')).toBe(null);
});
