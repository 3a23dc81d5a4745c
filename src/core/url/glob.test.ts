import { readFileSync } from 'node:fs';
import { array, assert, constantFrom, property, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { PinakesError } from '../model/errors.ts';
import { compileGlob, matchesGlob } from './glob.ts';
import { compileUrlPattern, matchesUrlPattern } from './url-filter.ts';
import { workMs } from '../../../test/support/work-time.ts';

interface PatternCase {
  readonly id: string;
  readonly kind: string;
  readonly pattern: string;
  readonly expected: string;
}

const caseFile = new URL('../../../test/data/cases/patterns.json', import.meta.url);
const { cases }: { readonly cases: readonly PatternCase[] } = JSON.parse(readFileSync(caseFile, 'utf8'));

const matches = (pattern: string, path: string) => matchesGlob(path, compileGlob(pattern));
const matchesUrl = (pattern: string, url: string) => matchesUrlPattern(new URL(url), compileUrlPattern(pattern));

function problemOf(pattern: string): string {
  try {
    compileUrlPattern(pattern);
  } catch (error) {
    if (error instanceof PinakesError && error.code === 'pattern.invalid') return String(error.details['reason']);
    throw error;
  }
  throw new Error(`${pattern} was accepted`);
}

function cost(work: () => void): number {
  // The best of three, to leave out garbage collection and compilation.
  return Math.min(...[1, 2, 3].map(() => workMs(work)));
}

const GROUPS = 'groups such as +(a|b) are not supported, write {a,b}';
const REGEX = 'it looks like a regular expression; patterns are globs with *, **, ?, {a,b} and [abc]';
const BACKSLASH = 'a backslash is not an escape character, write [*] for a literal star';

const expectations: Readonly<Record<string, (pattern: string) => void>> = {
  'pat-01': (pattern) => expect(cost(() => expect(matches(pattern, 'a'.repeat(60))).toBe(false))).toBeLessThan(10),
  'pat-02': () =>
    expect(cost(() => expect(matches(`${'*'.repeat(34)}X`, 'a'.repeat(60))).toBe(false))).toBeLessThan(10),
  'pat-03': (pattern) => expect(problemOf(pattern)).toBe(GROUPS),
  'pat-04': (pattern) => expect(problemOf(pattern)).toBe(GROUPS),
  'pat-05': (pattern) => expect(problemOf(pattern)).toBe(GROUPS),
  'pat-06': (pattern) => expect(problemOf(pattern)).toBe(GROUPS),
  'pat-07': () => {
    expect(problemOf(`{${'a,'.repeat(1999)}a}`)).toBe('it is longer than 1024 characters');
    expect(cost(() => expect(matches(`{${'a,'.repeat(500)}a}`, 'c')).toBe(false))).toBeLessThan(50);
  },
  'pat-08': (pattern) => expect(problemOf(pattern)).toBe('ranges in braces are not supported'),
  'pat-09': (pattern) =>
    expect(cost(() => expect(matches(pattern, `/docs/${'a/'.repeat(200)}y`)).toBe(false))).toBeLessThan(10),
  'pat-10': (pattern) => expect(problemOf(pattern)).toBe(GROUPS),
  'pat-11': (pattern) => expect(problemOf(pattern)).toBe('named character classes are not supported'),
  'pat-12': (pattern) => expect(problemOf(pattern)).toBe(REGEX),
  'pat-13': (pattern) => expect(problemOf(pattern)).toBe(REGEX),
  'pat-14': (pattern) => expect(problemOf(pattern)).toBe(REGEX),
  'pat-15': (pattern) => expect(problemOf(pattern)).toBe(BACKSLASH),
  'pat-16': () => expect(problemOf('(?=(a+))\\1b')).toBe(BACKSLASH),
  'pat-17': (pattern) => expect(problemOf(pattern)).toBe('braces need at least two alternatives, as in {a,b}'),
  'pat-18': () => expect(problemOf('(a|b)'.repeat(2000))).toBe('it is longer than 1024 characters'),
  'pat-19': () => {
    expect(problemOf(`/${'a'.repeat(9999)}`)).toBe('it is longer than 1024 characters');
    expect(matches(`/${'a'.repeat(1023)}`, `/${'a'.repeat(1023)}`)).toBe(true);
  },
  // Query syntax and SQL wildcards have no special meaning in a pattern and match literally.
  'pat-20': (pattern) => {
    expect(matches(`/${pattern}`, '/a%20&%20&%20!%20(%20%22')).toBe(true);
    expect(matches(`/${pattern}`, '/a')).toBe(false);
  },
  'pat-21': () => {
    const pattern = `/${'%_'.repeat(500)}`;
    expect(matches(pattern, pattern)).toBe(true);
    expect(cost(() => expect(matches(pattern, `/${'ab'.repeat(500)}`)).toBe(false))).toBeLessThan(10);
  },
};

test('the case list holds all 21 patterns', () => expect(cases).toHaveLength(21));

for (const { id, kind, pattern, expected } of cases) {
  test(`${id}: ${kind} ${pattern}: ${expected}`, () => {
    const check = expectations[id];
    expect(check).toBeDefined();
    check!(pattern);
  });
}

test.each([
  ['/docs/*', '/docs/a', true],
  ['/docs/*', '/docs/a/b', false],
  ['/docs/**', '/docs/a/b', true],
  ['/docs/**', '/docs', true],
  ['/docs/**', '/docs/', true],
  ['/docs/**', '/docsy', false],
  ['/**/api/*', '/api/x', true],
  ['/**/api/*', '/v1/v2/api/x', true],
  ['/**/api/*', '/v1/myapi/x', false],
  ['/a**z', '/ab/cz', true],
  ['/v?/x', '/v2/x', true],
  ['/v?/x', '/v//x', false],
  ['/{en,de}/**', '/de/a', true],
  ['/{en,de}/**', '/fr/a', false],
  ['/{a,b{1,2}}/x', '/b2/x', true],
  ['/{a,b{1,2}}/x', '/b3/x', false],
  ['/{,old/}x', '/x', true],
  ['/v[12]', '/v2', true],
  ['/v[0-9].[0-9]', '/v3.1', true],
  ['/v[12]', '/v3', false],
  ['/a[*]b', '/a*b', true],
  ['/a[*]b', '/axb', false],
  ['/Guide', '/guide', false],
  ['/über uns/*', '/%C3%BCber%20uns/x', true],
  ['/%7euser/*', '/~user/a', true],
  ['/a+b(c)$', '/a+b(c)$', true],
])('%s on %s: %s', (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected);
});

test.each([
  ['api/*.html', 'https://x.dev/v1/api/a.html', true],
  ['*.html', 'https://x.dev/v1/api/a.html', true],
  ['/guide/', 'https://x.dev/guide/a/b', true],
  ['/guide/', 'https://x.dev/guides', false],
  ['//docs.x.dev/**', 'https://docs.x.dev/a', true],
  ['//docs.x.dev/**', 'https://x.dev/a', false],
  ['https://*.x.dev', 'http://api.x.dev/deep/page', true],
  ['//x.dev:8080/**', 'http://x.dev:8080/a', true],
  ['//x.dev:8080/**', 'http://x.dev/a', false],
])('the pattern %s on %s: %s', (pattern, url, expected) => {
  expect(matchesUrl(pattern, url)).toBe(expected);
});

test.each([
  '',
  '!',
  '/a{b',
  '/a}b',
  '/a[b',
  '/a]b',
  '/[]',
  '/[!a]',
  '/[é]',
  '/a#b',
  '/{a}',
  '//',
  '/{{{{{a,b},c},d},e},f}',
])('the pattern "%s" is rejected when compiled', (pattern) => {
  expect(problemOf(pattern)).not.toBe('');
});

test('a pattern without wildcards matches only itself', () => {
  const segment = stringMatching(/^[a-zA-Z0-9._~-]{1,12}$/);
  assert(
    property(array(segment, { minLength: 1, maxLength: 6 }), segment, (segments, other) => {
      const path = `/${segments.join('/')}`;
      return matches(path, path) && (other === segments[0] || !matches(path, `/${other}`));
    }),
  );
});

test('matching agrees with a naive matcher on small patterns', () => {
  const slow = (pattern: string, text: string): boolean => {
    if (pattern === '') return text === '';
    const rest = pattern.slice(1);
    if (pattern[0] !== '*') return text !== '' && text[0] === pattern[0] && slow(rest, text.slice(1));
    return slow(rest, text) || (text !== '' && text[0] !== '/' && slow(pattern, text.slice(1)));
  };
  const pattern = array(constantFrom('a', 'b', '/', '*'), { maxLength: 8 }).map(
    (chars) => `/${chars.join('').replace(/\*{2,}/g, '*')}`,
  );
  const path = stringMatching(/^\/[ab/]{0,8}$/);
  assert(
    property(pattern, path, (glob, text) => matches(glob, text) === slow(glob, text)),
    { numRuns: 2000 },
  );
});

test('[S1] the longest pattern on the longest path stays far below a tenth of a second', () => {
  const pattern = `/${'*a'.repeat(500)}b`;
  expect(cost(() => expect(matches(pattern, `/${'a'.repeat(2000)}`)).toBe(false))).toBeLessThan(400);
});
