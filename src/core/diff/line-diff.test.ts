import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff, type LineDiff } from './line-diff.ts';
import { workMs } from '../../../test/support/work-time.ts';

function shown({ hunks }: LineDiff): string[] {
  const signs = { same: ' ', added: '+', removed: '-' };
  return hunks.flatMap(({ before, after, lines }) => [
    `@ ${before} ${after}`,
    ...lines.map(({ kind, text }) => signs[kind] + text),
  ]);
}

test('a changed line is shown with context', () => {
  const before = ['# A', '', 'one', 'two', 'three', 'four', 'five', 'six'].join('\n');
  const diff = lineDiff(before, before.replace('four', 'vier'));
  expect(shown(diff)).toEqual(['@ 3 3', ' one', ' two', ' three', '-four', '+vier', ' five', ' six']);
  expect(diff).toMatchObject({ added: 1, removed: 1, isTruncated: false });
});

test('equal texts have no hunks', () => {
  expect(lineDiff('a\nb', 'a\nb')).toEqual({ added: 0, removed: 0, hunks: [], isTruncated: false });
});

test('an insertion among equal lines is found', () => {
  const diff = lineDiff('x\n\nx\n\nx', 'x\n\nnew\n\nx\n\nx');
  expect(diff).toMatchObject({ added: 2, removed: 0 });
});

test('of a moved block the longer part stays in place', () => {
  const diff = lineDiff('a\nb\nc\nd\ne', 'e\na\nb\nc\nd');
  expect(diff).toMatchObject({ added: 1, removed: 1 });
});

test('removed and equal lines give the old text, added and equal lines the new one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '', 'c', 'd'), { maxLength: 30 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { added, removed, hunks } = lineDiff(before, after);
      const lines = hunks.flatMap((hunk) => hunk.lines);
      expect(lines.filter(({ kind }) => kind === 'added')).toHaveLength(added);
      expect(before.split('\n').length - removed).toBe(after.split('\n').length - added);
      for (const hunk of hunks) {
        const old = hunk.lines.filter(({ kind }) => kind !== 'added').map((line) => line.text);
        const now = hunk.lines.filter(({ kind }) => kind !== 'removed').map((line) => line.text);
        expect(before.split('\n').slice(hunk.before - 1, hunk.before - 1 + old.length)).toEqual(old);
        expect(after.split('\n').slice(hunk.after - 1, hunk.after - 1 + now.length)).toEqual(now);
      }
    }),
  );
});

const manyLines = (lineAt: (n: number) => string): string =>
  Array.from({ length: 100_000 }, (_, n) => lineAt(n)).join('\n');

test.each([
  ['no common lines', (n: number) => `a${n % 7}`, (n: number) => `b${n % 7}`],
  ['common lines in another order', (n: number) => `${(n * n) % 10}`, (n: number) => `${(n * n * 7 + n) % 11}`],
  ['long runs of equal lines', (n: number) => (n % 50 === 0 ? 'y' : 'x'), (n: number) => (n % 49 === 0 ? 'y' : 'x')],
])('long texts with %s take little time, and the diff is truncated', (_name, before, after) => {
  const run = (): void => {
    const diff = lineDiff(manyLines(before), manyLines(after));
    expect(diff.isTruncated).toBe(true);
    expect(diff.hunks.flatMap(({ lines }) => lines)).toHaveLength(2000);
  };
  expect(workMs(run)).toBeLessThan(2000);
});

test('texts with too many changes are shown as one replaced block between their common ends', () => {
  const text = (letter: string): string => `top\n${`${letter}\nsame\n`.repeat(2000)}bottom`;
  const { added, removed, hunks } = lineDiff(text('a'), text('b'), 9000);
  expect({ added, removed, hunks: hunks.length }).toEqual({ added: 3999, removed: 3999, hunks: 1 });
  const kinds = hunks[0]?.lines.map(({ kind }) => kind) ?? [];
  expect(kinds.lastIndexOf('removed')).toBeLessThan(kinds.indexOf('added'));
});

test('a text that became very long costs what is shown of it (finding Y2)', () => {
  const long = 'x\n'.repeat(5_000_000);
  const diff = lineDiff('# A\n\nshort', long);
  expect(diff).toMatchObject({ removed: 3, isTruncated: true });
  expect(diff.added).toBeLessThanOrEqual(300_000);
  expect(diff.hunks.flatMap(({ lines }) => lines)).toHaveLength(2000);
});
