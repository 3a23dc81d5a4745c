import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_SEGMENT_CHUNKS, planMerge, type MergeableSegment } from './merge-plan.ts';

/** Tiers up to the one whose segments may be too large to be merged, with fewer than four segments each. */
const MAX_SMALL_SEGMENTS = 5 * 3;

function segment(id: number, chunks: number, removedShare = 0): MergeableSegment {
  const pages = Math.ceil(chunks / 4);
  return { id, chunks, pages, live: Math.max(1, Math.round(pages * (1 - removedShare))) };
}

/** Merges until nothing is planned, and checks every plan on the way. */
function mergeAll(segments: readonly MergeableSegment[]): readonly MergeableSegment[] {
  let current = segments;
  let nextId = Math.max(0, ...segments.map(({ id }) => id)) + 1;
  for (let merges = 0; merges < 10 * (segments.length + 1); merges += 1) {
    const parts = planMerge(current);
    if (parts.length === 0) return current;
    expect(parts.map(({ id }) => id)).toEqual(parts.map(({ id }) => id).toSorted((a, b) => a - b));
    expect(parts.length).toBeLessThanOrEqual(16);
    const chunks = parts.reduce((total, part) => total + Math.ceil((part.chunks * part.live) / part.pages), 0);
    expect(parts.reduce((total, part) => total + part.chunks, 0)).toBeLessThanOrEqual(MAX_SEGMENT_CHUNKS);
    const pages = parts.reduce((total, part) => total + part.live, 0);
    const merged = new Set(parts.map(({ id }) => id));
    current = [...current.filter(({ id }) => !merged.has(id)), { id: (nextId += 1), chunks, pages, live: pages }];
  }
  throw new Error('merging never ends');
}

function totalChunks(segments: readonly MergeableSegment[]): number {
  return segments.reduce((total, { chunks }) => total + chunks, 0);
}

test.each([
  ['eleven of 96,000 chunks', Array.from({ length: 11 }, () => 96_000), 4],
  ['four of 384,000', Array.from({ length: 4 }, () => 384_000), 3],
  ['sixty of 250,000', Array.from({ length: 60 }, () => 250_000), 18],
])('segments of one size that do not all fit into one are merged in part: %s (finding X3)', (_, sizes, most) => {
  const left = mergeAll(sizes.map((chunks, id) => segment(id, chunks)));
  expect(left.length).toBeLessThanOrEqual(most);
});

test('merging ends with a bounded number of segments, whatever their sizes are (finding X3)', () => {
  const size = fc.oneof(
    fc.integer({ min: 1, max: 3000 }),
    fc.integer({ min: 1, max: MAX_SEGMENT_CHUNKS }),
    fc.constantFrom(96_000, 127_999, 128_000, 384_000, 499_999, 500_000, 500_001, 511_999, 512_000),
  );
  const removedShare = fc.double({ min: 0, max: 1, noNaN: true });
  const mixed = fc.array(fc.tuple(size, removedShare), { maxLength: 120 });
  const alike = fc
    .tuple(size, fc.integer({ min: 1, max: 60 }))
    .map(([chunks, times]) => Array.from({ length: times }, (): [number, number] => [chunks, 0]));
  const sizes = fc.oneof(mixed, alike);
  fc.assert(
    fc.property(sizes, (drawn) => {
      const left = mergeAll(drawn.map(([chunks, removed], id) => segment(id, chunks, removed)));
      const large = Math.floor(totalChunks(left) / (MAX_SEGMENT_CHUNKS / 2)) + 1;
      expect(left.length).toBeLessThanOrEqual(MAX_SMALL_SEGMENTS + large);
    }),
    { numRuns: 300 },
  );
});

test('a crawl that adds a segment at a time never has many (finding X3)', () => {
  let segments: readonly MergeableSegment[] = [];
  for (let step = 0; step < 600; step += 1) segments = mergeAll([...segments, segment(1_000_000 + step * 1000, 6000)]);
  expect(totalChunks(segments)).toBeGreaterThan(3_500_000);
  expect(segments.length).toBeLessThanOrEqual(MAX_SMALL_SEGMENTS + 8);
});

test('a segment without live pages, or with few of many, is rewritten alone', () => {
  const full = segment(1, 6000);
  expect(planMerge([full, { id: 2, chunks: 40, pages: 4, live: 0 }])).toMatchObject([{ id: 2 }]);
  expect(planMerge([full, { id: 2, chunks: 40, pages: 8, live: 3 }])).toMatchObject([{ id: 2 }]);
  expect(planMerge([full, { id: 2, chunks: 40, pages: 8, live: 4 }])).toEqual([]);
  expect(planMerge([full, { id: 2, chunks: 40, pages: 7, live: 1 }])).toEqual([]);
});
