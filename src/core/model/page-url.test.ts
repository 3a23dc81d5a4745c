import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPageUrlParser, pageUrl, parsePageUrl } from './page-url.ts';

const FRAGMENTS = [
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

test('the parser of the links of a page agrees with parsePageUrl on every URL', () => {
  const bases = ['https://x.dev/guide/start.html?v=1', 'http://x.dev:8080/', 'file:///docs/a.md'].map((base) =>
    pageUrl(base),
  );
  const url = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 6 }).map((fragments) => fragments.join(''));
  fc.assert(
    fc.property(fc.constantFrom(...bases), fc.array(url, { maxLength: 5 }), (base, urls) => {
      const parse = createPageUrlParser(base);
      for (const each of [...urls, ...urls]) expect(parse(each)).toBe(parsePageUrl(each, base));
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
  ['not a URL', null],
])('%s parses to %s', (text, page) => {
  expect(parsePageUrl(text)).toBe(page);
});
