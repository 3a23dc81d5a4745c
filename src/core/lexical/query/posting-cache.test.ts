import { expect, test } from 'vitest';
import { createPostingWriter } from '../segment/postings.ts';
import type { PostingRow } from '../segment/segment-reader.ts';
import type { Segment } from '../segment/segment.ts';
import { candidateWeights } from './generate-candidates.ts';
import { createPostingCache } from './posting-cache.ts';

const SEGMENTS: readonly Segment[] = [1, 2].map((id) => ({ id, chunks: 2, pageStarts: Uint32Array.of(0, 2) }));

function createCountingReader(): { read: string[]; postings(pairs: readonly Pair[]): Promise<readonly PostingRow[]> } {
  const read: string[] = [];
  return {
    read,
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

type Pair = Pick<PostingRow, 'segment' | 'term'>;

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
