import { array, assert, constantFrom, property, webUrl } from 'fast-check';
import { expect, test } from 'vitest';
import { pageUrl } from '../model/page-url.ts';
import { normalizeUrl } from './normalize.ts';
import { queryVerdict, type QueryPolicy } from './query-policy.ts';

function normalized(text: string, base?: string): string | null {
  const verdict = normalizeUrl(text, base === undefined ? undefined : pageUrl(base));
  return verdict.ok ? verdict.url : null;
}

test.each([
  ['HTTPS://Docs.Example.DEV:443/a/../b/./c#part', 'https://docs.example.dev/b/c'],
  ['http://x.dev:80', 'http://x.dev/'],
  ['http://x.dev:8080/', 'http://x.dev:8080/'],
  ['https://user:secret@x.dev/', 'https://x.dev/'],
  ['https://x.dev/a?', 'https://x.dev/a'],
  ['https://x.dev/a?#top', 'https://x.dev/a'],
  ['https://x.dev/%7euser/%e3%83%84/a%2fb', 'https://x.dev/~user/%E3%83%84/a%2Fb'],
  ['https://x.dev/ツ/a b', 'https://x.dev/%E3%83%84/a%20b'],
  ['https://x.dev./a', 'https://x.dev/a'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://x.dev/a?utm_source=n&b=1&fbclid=2&a=%7e', 'https://x.dev/a?b=1&a=~'],
  ['https://x.dev/a?utm_source=n', 'https://x.dev/a'],
  ['https://x.dev/a?&&b=1&', 'https://x.dev/a?b=1'],
  ['https://x.dev\\a\\b', 'https://x.dev/a/b'],
  ['https://x.dev/a/%2e%2e/b', 'https://x.dev/b'],
  ['  https://x.dev/a\n', 'https://x.dev/a'],
  ['file:///srv/docs/a.md#x', 'file:///srv/docs/a.md'],
])('%s becomes %s', (text, expected) => {
  expect(normalized(text)).toBe(expected);
});

test.each([
  ['../c', 'https://x.dev/a/b/', 'https://x.dev/a/c'],
  ['//y.dev/p', 'https://x.dev/', 'https://y.dev/p'],
  ['?page=2', 'https://x.dev/a?page=1', 'https://x.dev/a?page=2'],
])('%s on %s is %s', (text, base, expected) => {
  expect(normalized(text, base)).toBe(expected);
});

test.each([
  'javascript:alert(1)',
  'mailto:a@b.dev',
  'data:text/html,x',
  'ftp://x.dev/',
  'not a URL',
  'http://',
  'https://x.dev/docs/..%2fadmin/',
  'https://x.dev/docs/%2e%2e%5cadmin',
  'https://x.dev/docs%2f..',
  `https://x.dev/${'a'.repeat(20_000)}`,
])('%s is rejected', (text) => {
  expect(normalized(text)).toBeNull();
});

test('normalising is idempotent', () => {
  assert(
    property(webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
      const once = normalized(text);
      return once === null || normalized(once) === once;
    }),
    { numRuns: 1000 },
  );
});

const verdictOn = (url: string, policy?: QueryPolicy) => queryVerdict(pageUrl(url), policy);

test('parameters are sorted, and values of one name keep their order', () => {
  expect(verdictOn('https://x.dev/a?b=2&a=1&b=1')).toEqual({
    kind: 'kept',
    url: 'https://x.dev/a?a=1&b=2&b=1',
    dropped: [],
  });
});

test('session and view parameters are dropped and reported', () => {
  expect(verdictOn('https://x.dev/a?PHPSESSID=9&highlight=x&v=2')).toEqual({
    kind: 'kept',
    url: 'https://x.dev/a?v=2',
    dropped: ['PHPSESSID', 'highlight'],
  });
});

test('a parameter can exclude a URL', () => {
  expect(verdictOn('https://x.dev/wiki?title=A&oldid=3')).toEqual({ kind: 'skipped', parameter: 'oldid' });
});

test('rules per parameter override the built-in lists', () => {
  const policy: QueryPolicy = { parameters: { oldid: 'keep', 'tab_*': 'drop', print: 'skip' }, otherwise: 'drop' };
  expect(verdictOn('https://x.dev/a?oldid=3&tab_os=mac&z=1', policy)).toEqual({
    kind: 'kept',
    url: 'https://x.dev/a?oldid=3',
    dropped: ['tab_os', 'z'],
  });
  expect(verdictOn('https://x.dev/a?print', policy)).toEqual({ kind: 'skipped', parameter: 'print' });
});

test('the same parameters in any order give one URL', () => {
  const names = ['a', 'b', 'c', 'd'];
  const order = array(constantFrom(...names), { minLength: 4, maxLength: 4 }).filter(
    (some) => new Set(some).size === 4,
  );
  assert(
    property(order, (some) => {
      const verdict = verdictOn(`https://x.dev/p?${some.map((name) => `${name}=1`).join('&')}`);
      return verdict.kind === 'kept' && verdict.url === 'https://x.dev/p?a=1&b=1&c=1&d=1';
    }),
  );
});
