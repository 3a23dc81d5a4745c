import { expect, test } from 'vitest';
import { nameKey } from '../lexical/query/name-key.ts';
import { parseQuery, phraseText, queryTerms } from '../lexical/query/parsed-query.ts';
import { nameFit } from './name-fit.ts';

const asking = (name: string) => ({ names: new Set([nameKey(name)]), words: phraseText(name).split(' ') });

function fit(requested: string, heading: string, anchor: string | null = null): number {
  return nameFit(asking(requested), { headings: ['Page', heading], anchor, symbol: null });
}

test.each([
  ['use_tz', 'USE_TZ', null],
  ['use_tz', 'Time zones', 'use-tz'],
  ['fs.readfile', 'fs.readFile(path[, options], callback)', null],
  ['in_bulk()', 'in_bulk', null],
  ['onsend', 'onSend', null],
])('%s names the section %s (#%s)', (requested, heading, anchor) => {
  expect(fit(requested, heading, anchor)).toBe(1);
});

test('each of the symbols that share a description is a name', () => {
  const section = { headings: ['json', 'json.load'], anchor: null, symbol: 'json.load, json.loads' };
  expect(nameFit(asking('json.loads'), section)).toBe(1);
  expect(nameFit(asking('loads'), section)).toBe(0.7);
});

test.each([
  ['HashMap merge in java', 'java.util.HashMap#merge'],
  ['complexity of push on a Vec', 'Vec::push'],
])('%s names %s by its owner and name', (query, symbol) => {
  expect(nameFit(asking(query), { headings: ['Page', 'x'], anchor: null, symbol })).toBe(0.9);
});

test.each([
  ['streamText onFinish callback', 'onFinish callback', 1],
  ['streamText onFinish callback', 'Error callback', 0],
  ['when is the callback called', 'callback', 0],
])('%s: an identifier and the other words of its heading name the section %s', (query, heading, expected) => {
  const { names, words } = parseQuery(query, queryTerms(query, 0.2));
  expect(nameFit({ names, words }, { headings: ['Page', heading], anchor: null, symbol: null })).toBe(expected);
});

test('a constructor is not named by its class and itself', () => {
  expect(nameFit(asking('HashMap merge'), { headings: ['x'], anchor: null, symbol: 'HashMap.HashMap' })).toBe(0);
});

test('the last component of a name counts less than the whole name', () => {
  expect(fit('readfile', 'fs.readFile(path)')).toBeGreaterThan(0);
  expect(fit('readfile', 'fs.readFile(path)')).toBeLessThan(1);
});

test.each([
  ['use_tz', 'USE_TZ and other settings'],
  ['send', 'onSend'],
  ['x'.repeat(500), 'x'.repeat(500)],
])('%s does not name %s', (requested, heading) => {
  expect(fit(requested, heading)).toBe(0);
});
