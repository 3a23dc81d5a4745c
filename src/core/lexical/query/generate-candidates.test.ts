import { expect, test } from 'vitest';
import { createPostingWriter } from '../segment/postings.ts';
import { pageStartsOf, type Segment } from '../segment/segment.ts';
import { appendSegments, chunksIn, NO_POSTINGS, type TermPostings } from '../segment/term-postings.ts';
import { candidateWeights, generateCandidates, type SegmentCandidate } from './generate-candidates.ts';
import { createRandom } from '../../../../test/support/random.ts';

type Impacts = ReadonlyMap<number, number>;

interface Planted {
  readonly segment: Segment;
  /** By term, the impact in each chunk that contains it. */
  readonly terms: readonly Impacts[];
}

function plant(id: number, random: () => number): Planted {
  const sizes = Array.from({ length: 1 + Math.floor(random() * 80) }, () => 1 + Math.floor(random() ** 3 * 30));
  const pageStarts = pageStartsOf(sizes);
  const chunks = pageStarts.at(-1) ?? 0;
  const terms = Array.from({ length: 4 }, (_, term) => {
    const impacts = new Map<number, number>();
    for (let chunk = 0; chunk < chunks; chunk += 1)
      if (random() < 0.4 / (term + 1)) impacts.set(chunk, 1 + Math.floor(random() * 254));
    return impacts;
  });
  return { segment: { id, chunks, pageStarts }, terms };
}

function encode(impacts: Impacts): Uint8Array | null {
  const writer = createPostingWriter();
  for (const [chunk, impact] of impacts) writer.add(chunk, impact);
  return impacts.size === 0 ? null : writer.flush().bytes;
}

/** Every page scored, without any bound. */
function scoreAll(planted: readonly Planted[], weights: readonly number[]): Array<Omit<SegmentCandidate, 'chunks'>> {
  const { b, averageChunks, pageK1, page: pageWeight } = candidateWeights;
  const found = planted.flatMap(({ segment: { id, pageStarts }, terms }) =>
    Array.from({ length: pageStarts.length - 1 }, (_, pageIndex) => {
      const start = pageStarts[pageIndex] ?? 0;
      const size = (pageStarts[pageIndex + 1] ?? 0) - start;
      const chunks = new Float32Array(size);
      let pageScore = 0;
      let coveredWeight = 0;
      weights.forEach((weight, term) => {
        let sum = 0;
        for (let at = 0; at < size; at += 1) {
          const impact = terms[term]?.get(start + at) ?? 0;
          chunks[at] = (chunks[at] ?? 0) + (weight / 255) * impact;
          sum += impact;
        }
        if (sum === 0) return;
        const tf = sum / 255 / (1 - b + b * Math.sqrt(size / averageChunks));
        pageScore += (weight * tf) / (pageK1 + tf);
        coveredWeight += weight;
      });
      return { segment: id, pageIndex, pageScore, coveredWeight, score: Math.max(...chunks) + pageWeight * pageScore };
    }),
  );
  return found.filter(({ pageScore }) => pageScore > 0).sort((left, right) => right.score - left.score);
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('the best pages are those of scoring every page (%i)', (seed) => {
  const random = createRandom(seed);
  const planted = Array.from({ length: 6 }, (_, id) => plant(id + 1, random));
  const weights = [0.3, 1.5, 4, 2.5];
  const postings = weights.map((_, term): TermPostings => {
    const rows = planted.map(({ segment, terms }) => ({ segment, bytes: encode(terms[term] ?? new Map()) }));
    // In two parts, as when a new segment appears after a search.
    return appendSegments(
      appendSegments(NO_POSTINGS, rows.slice(0, 4), candidateWeights),
      rows.slice(4),
      candidateWeights,
    );
  });
  const segments = planted.map(({ segment }) => segment);
  const terms = weights.map((weight, at) => ({ weight, postings: postings[at]! }));
  for (const pages of [1, 10, 60]) {
    const found = generateCandidates(segments, terms, { pages, chunksPerPage: 32 });
    const expected = scoreAll(planted, weights).slice(0, pages);
    expect(found).toHaveLength(expected.length);
    found.forEach((page, nth) => {
      expect(page.score).toBeCloseTo(expected[nth]!.score, 4);
      expect(page.pageScore).toBeCloseTo(expected[nth]!.pageScore, 4);
      expect(page.coveredWeight).toBeCloseTo(expected[nth]!.coveredWeight, 4);
      expect(page.chunks[0]!.score).toBeCloseTo(page.score - candidateWeights.page * page.pageScore, 4);
    });
  }
  const counted = segments.reduce((sum, { id }) => sum + chunksIn(postings[0]!, postings[0]!.ranges.get(id)!), 0);
  expect(counted).toBe(planted.reduce((sum, { terms: own }) => sum + (own[0]?.size ?? 0), 0));
});

test('a filter admits single chunks, and pages without an admitted chunk are left out', () => {
  const segment: Segment = { id: 1, chunks: 4, pageStarts: pageStartsOf([2, 2]) };
  const bytes = encode(new Map(Array.from({ length: 4 }, (_, chunk) => [chunk, 100 + chunk])));
  const postings = appendSegments(NO_POSTINGS, [{ segment, bytes }], candidateWeights);
  const masks = new Map([[1, Uint8Array.of(0b0001)]]);
  const found = generateCandidates([segment], [{ weight: 1, postings }], { pages: 9, chunksPerPage: 9, masks });
  expect(found.map(({ pageIndex, chunks }) => [pageIndex, chunks.map(({ ordinal }) => ordinal)])).toEqual([[0, [0]]]);
});
