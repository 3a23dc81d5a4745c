import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff, type LineDiff } from './line-diff.ts';

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
  expect(diff).toMatchObject({ added: 1, removed: 1, isCut: false });
});

test('equal texts have no hunks', () => {
  expect(lineDiff('a\nb', 'a\nb')).toEqual({ added: 0, removed: 0, hunks: [], isCut: false });
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

test('two long texts without common lines take little time, and the diff is truncated', () => {
  const text = (letter: string): string => Array.from({ length: 100_000 }, (_, n) => `${letter}${n % 7}`).join('\n');
  const began = performance.now();
  const diff = lineDiff(text('a'), text('b'));
  expect(diff.isCut).toBe(true);
  expect(diff.hunks.flatMap(({ lines }) => lines)).toHaveLength(2000);
  expect(performance.now() - began).toBeLessThan(2000);
});
