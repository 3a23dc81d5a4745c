import { expect, test } from 'vitest';
import { formatAgo, formatBytes, formatDuration, pathOf, formatUntil } from './format.ts';

test('sizes have at most three digits', () => {
  expect([0, 999, 1500, 123_456, 9_900_000].map(formatBytes)).toEqual(['0 B', '999 B', '1.5 kB', '123 kB', '9.9 MB']);
});

test('a duration shows its two largest units', () => {
  expect([12, 59_000, 61_000, 3_720_000].map(formatDuration)).toEqual(['12 ms', '59 s', '1 min 1 s', '1 h 2 min']);
});

test('a past time that lies in the future reads as just now', () => {
  expect(formatAgo('2026-01-01T00:00:00Z', Date.parse('2025-01-01T00:00:00Z'))).toBe('just now');
});

test('a future time shows its largest unit', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const after = [-5, 0.2, 30, 90, 24 * 60, 72 * 60].map((min) => new Date(now + min * 60_000).toISOString());
  expect(after.map((iso) => formatUntil(iso, now))).toEqual([
    'now',
    'now',
    'in 30 min',
    'in 2 h',
    'in 24 h',
    'in 3 days',
  ]);
});

test('a path that cannot be decoded is shown unchanged', () => {
  expect(pathOf('https://x.dev/a%20b?c=1')).toBe('/a b?c=1');
  expect(pathOf('https://x.dev/%E0%A4%A')).toBe('/%E0%A4%A');
  expect(pathOf('not a URL')).toBe('not a URL');
});
