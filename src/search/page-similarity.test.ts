import { expect, test } from 'vitest';
import { pageSimilarity } from '../core/rank/page-similarity.ts';

const weights = { dense: 0.5, denseFloor: 0, three: 0.25, lead: 0.25 };
const at = (position: number, similarity: number) => ({ position, similarity });

test('of two pages with equally near chunks, the one that begins with it is nearer', () => {
  const begins = pageSimilarity([at(0, 0.6)], 0.2, weights);
  const mentions = pageSimilarity([at(9, 0.6)], 0.2, weights);
  expect(begins).toBeGreaterThan(mentions);
});

test('more near chunks make a page nearer', () => {
  const many = pageSimilarity([at(5, 0.6), at(6, 0.5), at(7, 0.5)], 0.2, weights);
  expect(many).toBeGreaterThan(pageSimilarity([at(5, 0.6)], 0.2, weights));
});

test('a page of which nothing is known has nothing, and the order of chunks does not matter', () => {
  expect(pageSimilarity([], 0.2, weights)).toBe(-1);
  const chunks = [at(5, 0.6), at(0, 0.4), at(7, 0.5)];
  expect(pageSimilarity(chunks.toReversed(), 0.2, weights)).toBeCloseTo(pageSimilarity(chunks, 0.2, weights));
});
