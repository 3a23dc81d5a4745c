import { expect, test } from 'vitest';
import { fuse } from '../core/rank/fuse.ts';

const weights = { dense: 0.5, denseFloor: 0.2, three: 0, lead: 0 };
const keysOf = (list: ReadonlyArray<{ readonly key: string }>): string[] => list.map(({ key }) => key);

test('without vectors the order is that of the words', () => {
  const words = [
    { key: 'a', score: 3 },
    { key: 'b', score: 12 },
    { key: 'c', score: 6 },
  ];
  const fused = fuse(words, [], weights);
  expect(keysOf(fused)).toEqual(['b', 'c', 'a']);
  expect(fused.map(({ score }) => score)).toEqual([1, 0.5, 0.25]);
});

test('a chunk that both lists have stands before one that a single list has', () => {
  const fused = fuse(
    [
      { key: 'words', score: 10 },
      { key: 'both', score: 9 },
    ],
    [
      { key: 'meaning', score: 0.9 },
      { key: 'both', score: 0.8 },
    ],
    weights,
  );
  expect(keysOf(fused)[0]).toBe('both');
  expect(fused[0]?.parts.lexical).toBeCloseTo(0.45);
  expect(fused[0]?.parts.dense).toBeCloseTo((0.5 * 0.6) / 0.7);
});

test('a similarity below the floor adds nothing', () => {
  const fused = fuse([{ key: 'a', score: 1 }], [{ key: 'b', score: 0.1 }], weights);
  expect(fused.find(({ key }) => key === 'b')?.score).toBe(0);
});

test('equal scores stand in the order of their keys, whatever order they came in', () => {
  const some = [
    { key: 'b', score: 1 },
    { key: 'a', score: 1 },
  ];
  expect(keysOf(fuse(some, [], weights))).toEqual(keysOf(fuse(some.toReversed(), [], weights)));
});

test('empty lists give an empty list', () => {
  expect(fuse([], [])).toEqual([]);
});
