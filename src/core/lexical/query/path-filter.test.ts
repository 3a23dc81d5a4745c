import { describe, expect, test } from 'vitest';
import { matchesPath, pathBase, urlPrefixes } from './path-filter.ts';

const START = 'https://docs.example.dev/en/stable/';
const PAGE = 'https://docs.example.dev/en/stable/topics/settings.html';

describe('a path matches the path of a page (finding T1.5)', () => {
  test.each([
    [START, PAGE, ['/topics', 'topics/', '/topics/settings.html', '/en/stable/topics', 'en/', '/', START, PAGE]],
    ['https://docs.example.dev', 'https://docs.example.dev/topics/a', ['/topics', 'topics/a', '/t']],
    // Sites move between http and https, and to another host.
    ['http://docs.example.dev/en/stable/', PAGE, ['/topics']],
    ['https://example.dev', 'https://www.example.dev/topics/a', ['/topics']],
    [START, 'https://docs.example.dev/en/stable/caf%C3%A9/a%20b', ['/café/a b', '/caf%c3%a9', '/caf%C3%A9/a%20']],
    ['/srv/docs', 'guide two/a.md', ['guide', '/guide two/', 'guide%20two/', 'file:///guide%20two/a.md']],
  ])('of a source at %s: %s', (start, page, paths) => {
    const base = pathBase(start);
    for (const path of paths) expect(matchesPath(page, path, base === null ? [] : [base]), path).toBe(true);
  });

  test.each([
    '/stable',
    '/opics',
    '/Topics',
    'https://docs.example.dev/topics',
    'http://docs.example.dev',
    'file:///topics',
  ])('%s is not where a page begins', (path) => expect(matchesPath(PAGE, path, [pathBase(START) ?? ''])).toBe(false));
});

test('a list reads the ranges of URLs that the path stands for, each once (finding T1.5)', () => {
  const base = pathBase(START);
  const of = (path: string, origins = ['https://docs.example.dev']): readonly string[] =>
    urlPrefixes(path, origins, base);
  expect(of('/topics')).toEqual(['https://docs.example.dev/en/stable/topics', 'https://docs.example.dev/topics']);
  expect(of('')).toEqual(['']);
  expect(of('/')).toEqual(['https://docs.example.dev/']);
  expect(of(PAGE)).toEqual([PAGE]);
  expect(of('//evil.example/x')).toContain('https://docs.example.dev/evil.example/x');
  expect(of('café a')).toContain('https://docs.example.dev/caf%C3%A9%20a');
  expect(of('/a b', ['file://'])).toEqual(['file:///a%20b']);
  for (const path of ['/topics', 'topics/s', '/en/stable/', PAGE, '/']) {
    const listed = of(path).some((prefix) => PAGE.startsWith(prefix));
    expect(matchesPath(PAGE, path, [base ?? '']), path).toBe(listed);
  }
});
