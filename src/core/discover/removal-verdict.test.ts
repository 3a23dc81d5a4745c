import { expect, test } from 'vitest';
import { removalVerdict, type RunFindings } from './removal-verdict.ts';

const verdict = (findings: Partial<RunFindings>, isConfirmed = false): string => {
  const all = { found: 100, failed: 0, dropped: 0, missing: 1, known: 100, ...findings };
  const given = removalVerdict(all, isConfirmed);
  return given.remove ? 'remove' : given.because;
};

test('what a whole and healthy run proved gone goes', () => {
  expect(verdict({})).toBe('remove');
  expect(verdict({ missing: 20 })).toBe('remove');
  expect(verdict({ failed: 3 })).toBe('remove');
  expect(verdict({ found: 6, known: 6, missing: 5 })).toBe('remove');
});

test('a run that was stopped or cut removes nothing, confirmed or not', () => {
  expect(verdict({ dropped: 1 })).toBe('cut');
  expect(verdict({ dropped: 1 }, true)).toBe('cut');
});

test('a failing site removes nothing, confirmed or not', () => {
  expect(verdict({ failed: 50 })).toBe('failing');
  expect(verdict({ failed: 6 }, true)).toBe('failing');
  expect(verdict({ found: 4, known: 4, failed: 4 })).toBe('failing');
});

test('a large share needs a word from the user, and so does the last page', () => {
  expect(verdict({ missing: 21 })).toBe('too-many');
  expect(verdict({ missing: 21 }, true)).toBe('remove');
  expect(verdict({ found: 2, known: 2, missing: 2 })).toBe('too-many');
});

test('nothing missing is nothing to guard', () => {
  expect(verdict({ missing: 0, known: 0 })).toBe('remove');
});
