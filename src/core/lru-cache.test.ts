import { expect, test } from 'vitest';
import { cacheLoads, createLruCache } from './lru-cache.ts';

test('one entry too many evicts the least recently used one and keeps all others', () => {
  const cache = createLruCache<string, number>(3);
  for (const [value, key] of ['a', 'b', 'c'].entries()) cache.set(key, value);
  expect(cache.get('a')).toBe(0);
  cache.set('d', 3);
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([0, undefined, 2, 3]);
});

test('a new value counts as a use, and a deleted entry makes room', () => {
  const cache = createLruCache<string, number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);
  cache.set('c', 4);
  expect(cache.get('b')).toBeUndefined();
  cache.delete('a');
  cache.delete('missing');
  cache.set('d', 5);
  expect(['a', 'c', 'd'].map((key) => cache.get(key))).toEqual([undefined, 4, 5]);
});

test('a cache of one entry keeps the latest, and is usable after its only entry is deleted', () => {
  const cache = createLruCache<number, number>(1);
  for (const key of [1, 2, 2, 3]) cache.set(key, key * 10);
  expect([1, 2, 3].map((key) => cache.get(key))).toEqual([undefined, undefined, 30]);
  cache.delete(3);
  cache.set(4, 40);
  expect([3, 4].map((key) => cache.get(key))).toEqual([undefined, 40]);
});

test('it holds what a simple model of an LRU cache holds, through ten thousand random operations', () => {
  const max = 8;
  const cache = createLruCache<number, number>(max);
  const oldestFirst = new Map<number, number>();
  let seed = 1;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let step = 0; step < 10_000; step += 1) {
    const key = random(16);
    const action = random(3);
    const known = oldestFirst.get(key);
    if (action === 0) {
      expect(cache.get(key)).toBe(known);
      if (known !== undefined) oldestFirst.delete(key);
      if (known !== undefined) oldestFirst.set(key, known);
    } else if (action === 1) {
      cache.set(key, step);
      oldestFirst.delete(key);
      oldestFirst.set(key, step);
      if (oldestFirst.size > max) oldestFirst.delete([...oldestFirst.keys()][0] ?? -1);
    } else {
      cache.delete(key);
      oldestFirst.delete(key);
    }
  }
  for (const [key, value] of oldestFirst) expect(cache.get(key)).toBe(value);
});

test('a load is shared by callers that ask at the same time, and tried again after it failed', async () => {
  let loads = 0;
  const load = cacheLoads(2, async (key: string, isBroken: boolean) => {
    loads += 1;
    if (isBroken) throw new Error('broken');
    return key.toUpperCase();
  });
  await expect(load('a', true)).rejects.toThrow('broken');
  expect(await Promise.all([load('a', false), load('a', false)])).toEqual(['A', 'A']);
  expect(loads).toBe(2);
});

test('the 21st key of a cache of 20 loads again only the key that was unused for longest', async () => {
  const loaded: number[] = [];
  const load = cacheLoads(20, async (key: number) => loaded.push(key));
  for (let key = 1; key <= 21; key += 1) await load(key);
  for (let key = 2; key <= 21; key += 1) await load(key);
  expect(loaded).toHaveLength(21);
  await load(1);
  expect(loaded).toHaveLength(22);
});

test('entries are evicted by weight, the least recently used first (finding B10)', () => {
  const cache = createLruCache<string, number>(100, 10);
  cache.set('a', 1, 4);
  cache.set('b', 2, 4);
  cache.get('a');
  cache.set('c', 3, 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  cache.set('a', 1, 1);
  cache.set('d', 4, 5);
  expect([cache.get('a'), cache.get('c'), cache.get('d')]).toEqual([1, 3, 4]);
  cache.set('large', 5, 50);
  expect([cache.get('a'), cache.get('d'), cache.get('large')]).toEqual([undefined, undefined, 5]);
});

test('loads are evicted by the weight of what was loaded', async () => {
  let loads = 0;
  const load = cacheLoads(
    100,
    async (key: string) => {
      loads += 1;
      return key.repeat(4);
    },
    { maxWeight: 10, weightOf: (value: string) => value.length },
  );
  for (const key of ['a', 'b', 'a', 'b']) await load(key);
  expect(loads).toBe(2);
  for (const key of ['c', 'b', 'c', 'a']) await load(key);
  expect(loads).toBe(4);
});
