import { expect, test } from 'vitest';
import { pageUrl } from '../model/page-url.ts';
import { compileUrlFilter, urlFilterVerdict, type UrlFilterSettings } from './url-filter.ts';

function filter(start: string, more: Partial<UrlFilterSettings> = {}) {
  return compileUrlFilter({
    starts: [pageUrl(start)],
    scope: 'path',
    include: [],
    exclude: [],
    maxDepth: null,
    ...more,
  });
}

test.each([
  ['https://x.dev/docs/intro', 'https://x.dev/docs/other', true],
  ['https://x.dev/docs/intro', 'https://x.dev/docs', true],
  ['https://x.dev/docs/intro', 'https://x.dev/docs2/a', false],
  ['https://x.dev/docs/intro', 'https://x.dev/blog', false],
  ['https://x.dev/docs/', 'https://x.dev/docs/a/b/c', true],
  ['https://x.dev/docs', 'https://x.dev/docs/a', true],
  ['https://x.dev/docs', 'https://x.dev/pricing', false],
  ['https://x.dev/', 'https://x.dev/anything/below', true],
  ['https://x.dev/index.html', 'https://x.dev/anything', true],
  ['https://x.dev/library/os.html', 'https://x.dev/library/re.html', true],
  ['http://x.dev/docs/', 'https://x.dev/docs/a', true],
  ['https://x.dev/docs/', 'https://x.dev/docs/../admin', false],
  ['https://x.dev/docs/', 'https://www.x.dev/docs/', false],
  ['file:///srv/docs/', 'file:///srv/docs/a.md', true],
  ['file:///srv/docs/', 'file:///srv/secret.md', false],
])('scope path from %s: %s is %s', (start, url, admit) => {
  expect(urlFilterVerdict(url, 1, filter(start)).admit).toBe(admit);
});

test.each([
  ['host', 'https://docs.x.dev/a', 'https://docs.x.dev/b', true],
  ['host', 'https://docs.x.dev/a', 'https://x.dev/b', false],
  ['host', 'http://127.0.0.1:8101/a', 'http://127.0.0.1:8102/a', false],
  ['host', 'https://x.dev/', 'https://x.dev.evil.test/', false],
  ['domain', 'https://docs.x.dev/a', 'https://api.x.dev/b', true],
  ['domain', 'https://docs.x.dev/a', 'https://y.dev/b', false],
  ['domain', 'https://docs.x.co.uk/a', 'https://y.co.uk/b', false],
  ['domain', 'https://a.github.io/', 'https://b.github.io/', false],
  ['domain', 'http://127.0.0.1:8101/', 'http://127.0.0.2:8101/', false],
  ['domain', 'http://localhost:3000/', 'http://localhost:3000/x', true],
  ['domain', 'https://x.dev/', 'https://x.dev:8443/', false],
] as const)('scope %s from %s: %s is %s', (scope, start, url, admit) => {
  expect(urlFilterVerdict(url, 1, filter(start, { scope })).admit).toBe(admit);
});

test('an exclusion names its rule', () => {
  const settings = { include: ['/docs/**', '!/docs/old/**'], exclude: ['*.txt'], maxDepth: 2 };
  const verdict = (url: string, depth = 1) => urlFilterVerdict(url, depth, filter('https://x.dev/', settings));
  expect(verdict('https://y.dev/docs/a')).toEqual({
    admit: false,
    reason: 'out-of-scope',
    rule: 'scope path: x.dev/',
  });
  expect(verdict('https://x.dev/docs/old/a')).toEqual({
    admit: false,
    reason: 'excluded',
    rule: 'exclude !/docs/old/**',
  });
  expect(verdict('https://x.dev/docs/a.txt')).toEqual({ admit: false, reason: 'excluded', rule: 'exclude *.txt' });
  expect(verdict('https://x.dev/blog')).toEqual({ admit: false, reason: 'not-included', rule: 'include /docs/**' });
  expect(verdict('https://x.dev/docs/a', 3)).toEqual({ admit: false, reason: 'too-deep', rule: 'depth 2' });
  expect(verdict('https://x.dev/docs/a', 2)).toEqual({ admit: true });
});

test('a URL that cannot be checked is excluded', () => {
  expect(urlFilterVerdict('not a url', 0, filter('https://x.dev/'))).toMatchObject({
    admit: false,
    reason: 'bad-url',
  });
  expect(urlFilterVerdict('https://x.dev/a', Number.NaN, filter('https://x.dev/', { maxDepth: 3 })).admit).toBe(false);
  const nowhere = compileUrlFilter({ starts: [], scope: 'domain', include: [], exclude: [], maxDepth: null });
  expect(urlFilterVerdict('https://x.dev/', 0, nowhere).admit).toBe(false);
});

test('several start URLs give several roots', () => {
  const two = compileUrlFilter({
    starts: [pageUrl('https://x.dev/docs/'), pageUrl('https://y.dev/api/')],
    scope: 'path',
    include: [],
    exclude: [],
    maxDepth: null,
  });
  expect(urlFilterVerdict('https://y.dev/api/a', 0, two).admit).toBe(true);
  expect(urlFilterVerdict('https://y.dev/docs/a', 0, two).admit).toBe(false);
});

test('[S1] an invalid pattern is an error when the filter is compiled', () => {
  expect(() => filter('https://x.dev/', { exclude: ['+(a|b)'] })).toThrow('Invalid pattern');
});

test('all patterns together have a limit, so that a URL is judged in bounded time', () => {
  const literal = (count: number): string[] => Array.from({ length: count }, (_, n) => `/${n}`.padEnd(1000, 'a'));
  expect(() => filter('https://x.dev/', { exclude: literal(17) })).toThrow(
    'all patterns together are longer than 16384 characters',
  );
  expect(filter('https://x.dev/', { exclude: literal(16) }).exclude).toHaveLength(16);
});

test('the states that all patterns follow at once have a limit, which bounds the steps for a URL', () => {
  const exclude = (count: number): string[] => Array.from({ length: count }, () => `/**${'a'.repeat(1000)}`);
  expect(() => filter('https://x.dev/', { exclude: exclude(5) })).toThrow(
    'all patterns together have more than 4096 characters after their first wildcard',
  );
  const worst = filter('https://x.dev/', { exclude: exclude(4) });
  let steps = 0;
  const counting = worst.exclude.map((pattern) => ({
    ...pattern,
    path: {
      ...pattern.path,
      steps: new Proxy(pattern.path.steps, {
        get(target, name) {
          if (typeof name === 'string' && /^\d+$/.test(name)) steps += 1;
          return Reflect.get(target, name) as unknown;
        },
      }),
    },
  }));
  const path = `/${'a'.repeat(999)}`;
  expect(urlFilterVerdict(`https://x.dev${path}`, 0, { ...worst, exclude: counting })).toEqual({ admit: true });
  expect(steps).toBeGreaterThan(1_000_000);
  // A step is looked at once when its state is reached, and once when a character is compared with it.
  expect(steps).toBeLessThan(2 * 4096 * path.length);
});
