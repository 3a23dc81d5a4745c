import { expect, test } from 'vitest';
import { reasonLabel } from './reasons.table.ts';

test('a code is shown in words, and any other reason as it is', () => {
  expect(reasonLabel('near-empty')).toBe('nearly empty page');
  expect(reasonLabel('fetch.status: status 500')).toBe('fetch.status: status 500');
  expect(reasonLabel('constructor')).toBe('constructor');
});
