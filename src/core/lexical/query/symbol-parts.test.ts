import { expect, test } from 'vitest';
import { isExactSymbol, symbolParts, symbolStartsWith } from './symbol-parts.ts';

test.each([
  ['json.dumps', 'dumps'],
  ['json.dumps', 'JSON.d'],
  ['json.dumps', 'dumps()'],
  ['java.util.HashMap#merge', 'HashMap.merge'],
  ['java.util.HashMap#merge', 'merge'],
  ['std::vec::Vec::push', 'Vec::push'],
  ['std::vec::Vec::push', 'vec.push'],
  ['json.load, json.loads', 'loads'],
  ['.hidden', 'hidden'],
])('%s is found by %s', (symbol, prefix) => {
  expect(symbolStartsWith(symbol, prefix)).toBe(true);
});

test('a part that only contains the prefix does not match', () => {
  expect(symbolStartsWith('json.dumps', 'umps')).toBe(false);
  expect(symbolStartsWith('json.dumps', 'json.load')).toBe(false);
});

test('a name of many components has few parts, and no part is empty', () => {
  expect(symbolParts('a.'.repeat(500)).length).toBeLessThanOrEqual(12);
  expect(symbolParts('a..b.')).toEqual(['a.b.', 'b.']);
});

test('an exact match is the whole symbol or its last components', () => {
  expect(isExactSymbol('asyncio.TaskGroup', 'taskgroup')).toBe(true);
  expect(isExactSymbol('asyncio.TaskGroup.create_task', 'TaskGroup')).toBe(false);
});
