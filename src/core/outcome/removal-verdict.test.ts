import { expect, test } from 'vitest';
import { removalVerdict, type RemovalEvidence } from './removal-verdict.ts';

const verdict = (evidence: Partial<RemovalEvidence>, isConfirmed = false): string => {
  const all = { found: 100, failed: 0, dropped: 0, missing: 1, stored: 100, ...evidence };
  const result = removalVerdict(all, isConfirmed);
  return result.remove ? 'remove' : result.reason;
};

test('pages that a complete and healthy run found deleted are removed', () => {
  expect(verdict({})).toBe('remove');
  expect(verdict({ missing: 20 })).toBe('remove');
  expect(verdict({ failed: 3 })).toBe('remove');
  expect(verdict({ found: 6, stored: 6, missing: 5 })).toBe('remove');
});

test('an incomplete run removes nothing, confirmed or not', () => {
  expect(verdict({ dropped: 1 })).toBe('cut');
  expect(verdict({ dropped: 1 }, true)).toBe('cut');
});

test('a failing site removes nothing, confirmed or not', () => {
  expect(verdict({ failed: 50 })).toBe('failing');
  expect(verdict({ failed: 6 }, true)).toBe('failing');
  expect(verdict({ found: 4, stored: 4, failed: 4 })).toBe('failing');
});

test('removing a large share needs confirmation, and so does removing all pages', () => {
  expect(verdict({ missing: 21 })).toBe('too-many');
  expect(verdict({ missing: 21 }, true)).toBe('remove');
  expect(verdict({ found: 2, stored: 2, missing: 2 })).toBe('too-many');
});

test('with nothing missing there is nothing to confirm', () => {
  expect(verdict({ missing: 0, stored: 0 })).toBe('remove');
});
