import { expect, test } from 'vitest';
import { nameKey } from '../lexical/query/name-key.ts';
import { nameFit } from './name-fit.ts';

function fit(asked: string, heading: string, anchor: string | null = null): number {
  return nameFit(new Set([nameKey(asked)]), { headings: ['Page', heading], anchor, symbol: null });
}

test.each([
  ['use_tz', 'USE_TZ', null],
  ['use_tz', 'Time zones', 'use-tz'],
  ['fs.readfile', 'fs.readFile(path[, options], callback)', null],
  ['in_bulk()', 'in_bulk', null],
  ['onsend', 'onSend', null],
])('%s names the section %s (#%s)', (asked, heading, anchor) => {
  expect(fit(asked, heading, anchor)).toBe(1);
});

test('each of the symbols that share a description is a name', () => {
  const section = { headings: ['json', 'json.load'], anchor: null, symbol: 'json.load, json.loads' };
  expect(nameFit(new Set([nameKey('json.loads')]), section)).toBe(1);
  expect(nameFit(new Set([nameKey('loads')]), section)).toBe(0.7);
});

test('the last component of a name counts less than the whole name', () => {
  expect(fit('readfile', 'fs.readFile(path)')).toBeGreaterThan(0);
  expect(fit('readfile', 'fs.readFile(path)')).toBeLessThan(1);
});

test.each([
  ['use_tz', 'USE_TZ and other settings'],
  ['send', 'onSend'],
  ['x'.repeat(500), 'x'.repeat(500)],
])('%s does not name %s', (asked, heading) => {
  expect(fit(asked, heading)).toBe(0);
});
