import { expect, test } from 'vitest';
import { sourceStatus } from './source-status.ts';

test('a source is crawling, not recrawling, while all of its pages are from its first run', () => {
  expect(sourceStatus({ state: 'running', counts: { new: 12 } }, 12)).toBe('crawling');
  expect(sourceStatus({ state: 'running', counts: { new: 12 } }, 15)).toBe('recrawling');
});

test.each([
  [null, 0, 'pending'],
  [null, 3, 'indexed'],
  ['queued', 0, 'pending'],
  ['running', 0, 'crawling'],
  ['paused', 0, 'crawling'],
  ['queued', 3, 'recrawling'],
  ['running', 3, 'recrawling'],
  ['completed', 3, 'indexed'],
  ['partial', 3, 'indexed'],
  ['stopped', 3, 'indexed'],
  ['partial', 0, 'error'],
  ['failed', 3, 'error'],
] as const)('the latest run is %s and there are %i pages: %s', (state, pages, status) => {
  expect(sourceStatus(state === null ? null : { state, counts: { new: 0 } }, pages)).toBe(status);
});
