import { expect, test } from 'vitest';
import { ignoreVerdict, parseIgnoreFile } from './ignore-file.ts';
import { workMs } from '../../../test/support/work-time.ts';

const ignores = (pattern: string, path: string, isFolder = false): boolean =>
  ignoreVerdict(path, isFolder, [parseIgnoreFile(pattern, '')]).ignored;

test.each([
  ['*.log', 'a.log', true],
  ['*.log', 'deep/er/a.log', true],
  ['*.log', 'a.log.md', false],
  ['/a.md', 'a.md', true],
  ['/a.md', 'sub/a.md', false],
  ['docs/a.md', 'docs/a.md', true],
  ['docs/a.md', 'x/docs/a.md', false],
  ['**/foo', 'a/b/foo', true],
  ['**/foo', 'foo', true],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**', 'a/x', true],
  ['a/**', 'a', false],
  ['foo*bar', 'foo/bar', false],
  ['fo?', 'foo', true],
  ['fo?', 'fo/', false],
  ['[a-c].md', 'b.md', true],
  ['[a-c].md', 'd.md', false],
  ['\\#a', '#a', true],
  ['\\!a', '!a', true],
  ['# comment', '# comment', false],
  ['a ', 'a', true],
  ['a.md\r', 'a.md', true],
])('%j and %j: ignored is %s', (pattern, path, ignored) => {
  expect(ignores(pattern, path)).toBe(ignored);
});

test('a pattern that ends with a slash matches folders only', () => {
  expect(ignores('build/', 'build', true)).toBe(true);
  expect(ignores('build/', 'build', false)).toBe(false);
});

test('a later rule overrides an earlier one, also in a deeper folder', () => {
  const root = parseIgnoreFile('*.md\n!keep.md', '');
  const deeper = parseIgnoreFile('!*.md', 'docs/');
  expect(ignoreVerdict('keep.md', false, [root]).ignored).toBe(false);
  expect(ignoreVerdict('a.md', false, [root]).ignored).toBe(true);
  expect(ignoreVerdict('docs/a.md', false, [root, deeper]).ignored).toBe(false);
  expect(ignoreVerdict('a.md', false, [root, deeper]).ignored).toBe(true);
});

test('unsupported patterns are reported as warnings', () => {
  expect(parseIgnoreFile('ok\n[!a]\n', '').warnings).toEqual(['line 2 is not supported']);
  expect(parseIgnoreFile('a\n'.repeat(600), '').warnings).toEqual(['only the first 500 patterns are used']);
});

test('a hostile pattern on a hostile path takes little time', () => {
  const run = (): void => {
    expect(ignores(`${'*a'.repeat(200)}b`, 'a'.repeat(4000))).toBe(false);
    expect(ignores(`${'**/'.repeat(150)}b`, 'a/'.repeat(2000))).toBe(false);
  };
  expect(workMs(run)).toBeLessThan(10_000);
});
