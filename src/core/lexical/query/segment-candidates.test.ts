import { expect, test } from 'vitest';
import { createPostingWriter } from '../segment/postings.ts';
import type { SegmentReader } from '../segment/segment-reader.ts';
import type { Segment } from '../segment/segment.ts';
import { candidateWeights } from './generate-candidates.ts';
import { createPostingCache } from './segment-candidates.ts';

const SEGMENTS: readonly Segment[] = [1, 2].map((id) => ({ id, chunks: 2, pageStarts: Uint32Array.of(0, 2) }));

interface CountingReader extends Pick<SegmentReader, 'postings' | 'countSearched'> {
  /** Which postings were read. */
  readonly read: string[];
  /** How often segments were counted. */
  counts: number;
}

function createCountingReader(isSearched: (segment: number) => boolean = () => true): CountingReader {
  const read: string[] = [];
  return {
    read,
    counts: 0,
    async countSearched(ids) {
      this.counts += 1;
      return ids.filter(isSearched).length;
    },
    async postings(pairs) {
      read.push(...pairs.map(({ segment, term }) => `${term} ${segment}`));
      const writer = createPostingWriter();
      return pairs.map((pair) => {
        writer.add(0, 100);
        return { ...pair, bytes: writer.flush().bytes };
      });
    },
  };
}

test('postings are read once, and those of another segment when it is first searched', async () => {
  const reader = createCountingReader();
  const postingsOf = createPostingCache(reader, candidateWeights, 1_000_000);
  await postingsOf(SEGMENTS.slice(0, 1), ['word']);
  const [both] = await postingsOf(SEGMENTS, ['word']);
  await postingsOf(SEGMENTS, ['word']);
  expect(reader.read).toEqual(['word 1', 'word 2']);
  expect(both?.chunks).toEqual(Uint32Array.of(0, 0));
});

test('what exceeds the size is read again, and is complete all the same', async () => {
  const reader = createCountingReader();
  const postingsOf = createPostingCache(reader, candidateWeights, 0);
  await postingsOf(SEGMENTS, ['word']);
  await postingsOf(SEGMENTS, ['other']);
  const [again] = await postingsOf(SEGMENTS, ['word']);
  expect(reader.read.filter((pair) => pair === 'word 1')).toHaveLength(2);
  expect(again?.chunks).toEqual(Uint32Array.of(0, 0));
});

const MANY: readonly Segment[] = Array.from({ length: 2500 }, (_, at) => ({
  id: at + 1,
  chunks: 2,
  pageStarts: Uint32Array.of(0, 2),
}));

test('a question about one source leaves what was read of the others (finding D8)', async () => {
  const reader = createCountingReader();
  const postingsOf = createPostingCache(reader, candidateWeights, 100_000_000);
  for (let round = 0; round < 5; round += 1) {
    await postingsOf(MANY, ['word']);
    await postingsOf(MANY.slice(0, 4), ['word']);
  }
  expect(reader.read).toHaveLength(MANY.length);
  expect(reader.counts).toBe(1);
});

test('a term with many segments that are no longer searched is read again', async () => {
  const reader = createCountingReader((segment) => segment <= 100);
  const postingsOf = createPostingCache(reader, candidateWeights, 100_000_000);
  await postingsOf(MANY, ['word']);
  const [again] = await postingsOf(MANY.slice(0, 100), ['word']);
  expect(reader.read).toHaveLength(MANY.length + 100);
  expect(again?.ranges.size).toBe(100);
});
