import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageUrl, pageUrlReader, parsePageUrl } from './page-url.ts';

const PIECES = [
  'https://x.dev',
  'https://x.dev:443',
  'http://x.dev:8080',
  'https://X.dev',
  'https://u:p@x.dev',
  'https://@x.dev',
  'https://x.device',
  'file:///a',
  'mailto:',
  '//',
  '/',
  '/a',
  '/..',
  '/.b',
  '../',
  'c.html',
  '?q=1&r',
  '#',
  '#top',
  '%7e',
  ' ',
  '\t',
  '(1)',
  'é',
  '\\',
];

test('the reader of a page reads every address as the parser does', () => {
  const bases = ['https://x.dev/guide/start.html?v=1', 'http://x.dev:8080/', 'file:///docs/a.md'].map((base) =>
    pageUrl(base),
  );
  const address = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.constantFrom(...bases), fc.array(address, { maxLength: 5 }), (base, addresses) => {
      const read = pageUrlReader(base);
      for (const each of [...addresses, ...addresses]) expect(read(each)).toBe(parsePageUrl(each, base));
    }),
    { seed: 3, numRuns: 3000 },
  );
});

test.each([
  ['https://x.dev/a#b#c', 'https://x.dev/a'],
  ['https://x.dev/a#', 'https://x.dev/a'],
  ['https://me:secret@x.dev/', 'https://x.dev/'],
  ['https://:secret@x.dev/', 'https://x.dev/'],
  ['file:///a b.md#c', 'file:///a%20b.md'],
  ['ftp://x.dev/', null],
  ['no address', null],
])('%s is the page %s', (text, page) => {
  expect(parsePageUrl(text)).toBe(page);
});
