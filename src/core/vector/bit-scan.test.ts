import { expect, test } from 'vitest';
import { bitCount, quantize, scanBits, wordsPerVector } from './bit-scan.ts';
import { cosineSimilarity } from './cosine-similarity.ts';
import { normalize } from './pool-tokens.ts';
import { createRandom } from '../../../test/support/random.ts';

const DIMENSIONS = 256;
const ROWS = 5000;

function vectorsOf(count: number, seed: number): Float32Array[] {
  const random = createRandom(seed);
  const next = (): number => random() - 0.5;
  const topics = Array.from({ length: 40 }, () => Float32Array.from({ length: DIMENSIONS }, next));
  return Array.from({ length: count }, (_, i) =>
    normalize(Float32Array.from({ length: DIMENSIONS }, (__, d) => (topics[i % 40]?.[d] ?? 0) + 1.5 * next())),
  );
}

const vectors = vectorsOf(ROWS, 7);
const words = new Uint32Array(ROWS * wordsPerVector(DIMENSIONS));
vectors.forEach((vector, row) => quantize(vector, words, row * wordsPerVector(DIMENSIONS)));
const bits = { words, rows: ROWS, dimensions: DIMENSIONS };

function recall(share: number, limits: { coarse: number; fine: number }): number {
  const admitted = Uint8Array.from({ length: ROWS }, (_, row) => Number((row * 7919) % 1000 < share * 1000));
  const queries = Array.from({ length: 40 }, (_, i) => {
    const [one, other] = [vectors[i * 101], vectors[i * 53 + 7]];
    return normalize(Float32Array.from({ length: DIMENSIONS }, (__, d) => (one?.[d] ?? 0) + 0.7 * (other?.[d] ?? 0)));
  });
  const recalls = queries.map((query) => {
    const exact = vectors
      .map((vector, row) => ({ row, score: cosineSimilarity(query, vector) }))
      .filter(({ row }) => admitted[row] === 1)
      .sort((a, b) => b.score - a.score)
      .slice(0, 10);
    const nearest = new Set(scanBits(bits, query, admitted, limits));
    for (const row of nearest) expect(admitted[row]).toBe(1);
    return exact.filter(({ row }) => nearest.has(row)).length / exact.length;
  });
  return recalls.reduce((sum, value) => sum + value, 0) / recalls.length;
}

test.each([1, 0.5, 0.1, 0.02, 0.005])('with a share of %d of the rows admitted, the nearest are found', (share) => {
  expect(recall(share, { coarse: 1000, fine: 200 })).toBeGreaterThanOrEqual(0.98);
});

test('the best rows come first, and no more than the limit', () => {
  const [first] = vectors;
  const found = scanBits(bits, first!, null, { coarse: 50, fine: 5 });
  expect(found).toHaveLength(5);
  expect(found[0]).toBe(0);
  expect(scanBits({ ...bits, rows: 0 }, first!, null, { coarse: 50, fine: 5 })).toHaveLength(0);
});

test('bits are counted', () => {
  expect([0, 1, 0xffffffff, 0x80000001, 0x0f0f].map(bitCount)).toEqual([0, 1, 32, 2, 8]);
});
