// The first look: adds up what the words of a question say about every chunk and every page that has one of them, and
// keeps the best pages. Reads postings only, no text.

import { MAX_IMPACT } from './impact.ts';
import { readPostings } from './postings.ts';
import type { SegmentPostings } from './segment.ts';

export interface FirstLook {
  readonly segment: number;
  readonly page: number;
  /** What the words say about the page as a whole. */
  readonly pageScore: number;
  /** What the words that the page has somewhere are worth together. */
  readonly covered: number;
  /** Best first. Positions are counted within the page. */
  readonly chunks: ReadonlyArray<{ readonly position: number; readonly score: number }>;
  /** What pages are ordered by here. */
  readonly score: number;
}

export interface FirstLookWeights {
  /** How much the page as a whole counts beside its best chunk. */
  readonly page: number;
  /** How soon more chunks with the same word stop to count. */
  readonly pageSaturation: number;
  /** Chunks of a page that is neither long nor short. */
  readonly usualChunks: number;
  /** How much a long page is held against it, 0 to 1. */
  readonly lengthShare: number;
}

export interface FirstLookOptions {
  readonly weights: FirstLookWeights;
  readonly pages: number;
  readonly chunksPerPage: number;
  /** Which chunks may be found, by segment: 1 for yes. Absent where all may. */
  readonly admitted?: ReadonlyMap<number, Uint8Array> | undefined;
}

/** `worth` is the weight of each term times its rarity. The answer is best first; ties by segment and page. */
export function scoreSegments(
  segments: readonly SegmentPostings[],
  worth: readonly number[],
  options: FirstLookOptions,
): FirstLook[] {
  let best: FirstLook[] = [];
  for (const segment of segments) {
    const mask = options.admitted?.get(segment.id);
    if (options.admitted !== undefined && mask === undefined) continue;
    best = merged(best, scoreSegment(segment, worth, options, mask), options.pages);
  }
  return best;
}

function scoreSegment(
  segment: SegmentPostings,
  worth: readonly number[],
  { weights, pages, chunksPerPage }: FirstLookOptions,
  mask: Uint8Array | undefined,
): FirstLook[] {
  const { pageStarts, chunks, id } = segment;
  const chunkScores = new Float32Array(chunks);
  const pageScores = new Float32Array(pageStarts.length - 1);
  const covered = new Float32Array(pageScores.length);
  const sums = { chunkScores, pageScores, covered, weights };
  for (const [term, bytes] of segment.postings) addTerm(segment, bytes, worth[term] ?? 0, sums);
  if (mask !== undefined) clear(chunkScores, mask);
  return bestPages(pageStarts, sums, pages).map(({ page, score }) => ({
    segment: id,
    page,
    score,
    pageScore: pageScores[page] ?? 0,
    covered: covered[page] ?? 0,
    chunks: topChunks(chunkScores, pageStarts[page] ?? 0, pageStarts[page + 1] ?? 0, chunksPerPage),
  }));
}

function clear(scores: Float32Array, mask: Uint8Array): void {
  for (let chunk = 0; chunk < scores.length; chunk += 1) if (mask[chunk] !== 1) scores[chunk] = 0;
}

interface ScoredPage {
  readonly page: number;
  readonly score: number;
}

function bestPages(pageStarts: Uint32Array, { chunkScores, pageScores, weights }: Sums, limit: number): ScoredPage[] {
  const found: ScoredPage[] = [];
  let floor = 0;
  // Twice the limit is kept before the list is sorted and cut again: as fast as a heap, and simpler.
  const cut = (): void => {
    found.sort((left, right) => right.score - left.score || left.page - right.page);
    found.length = Math.min(found.length, limit);
    if (found.length === limit) floor = found.at(-1)?.score ?? 0;
  };
  for (let page = 0; page < pageScores.length; page += 1) {
    const pageScore = pageScores[page] ?? 0;
    if (pageScore === 0) continue;
    const best = highest(chunkScores, pageStarts[page] ?? 0, pageStarts[page + 1] ?? 0);
    const score = best + weights.page * pageScore;
    if (best === 0 || score <= floor) continue;
    found.push({ page, score });
    if (found.length >= limit * 2) cut();
  }
  cut();
  return found;
}

function highest(scores: Float32Array, from: number, to: number): number {
  let most = 0;
  for (let at = from; at < to; at += 1) most = Math.max(most, scores[at] ?? 0);
  return most;
}

interface Sums {
  readonly chunkScores: Float32Array;
  readonly pageScores: Float32Array;
  readonly covered: Float32Array;
  readonly weights: FirstLookWeights;
}

/** Chunks of a page follow each other, so the sum over a page is complete when the next page begins. */
function addTerm({ pageStarts }: SegmentPostings, bytes: Uint8Array, worth: number, sums: Sums): void {
  const { chunkScores, pageScores, covered, weights } = sums;
  const perImpact = worth / MAX_IMPACT;
  let page = 0;
  let pageEnd = pageStarts[1] ?? 0;
  let sum = 0;
  const closePage = (): void => {
    if (sum === 0) return;
    const size = pageEnd - (pageStarts[page] ?? 0);
    const length = 1 - weights.lengthShare + weights.lengthShare * Math.sqrt(size / weights.usualChunks);
    const weighed = sum / MAX_IMPACT / length;
    pageScores[page] = (pageScores[page] ?? 0) + (worth * weighed) / (weights.pageSaturation + weighed);
    covered[page] = (covered[page] ?? 0) + worth;
    sum = 0;
  };
  readPostings(bytes, (chunk, impact) => {
    chunkScores[chunk] = (chunkScores[chunk] ?? 0) + perImpact * impact;
    if (chunk >= pageEnd) {
      closePage();
      page = pageAt(pageStarts, chunk, page);
      pageEnd = pageStarts[page + 1] ?? 0;
    }
    sum += impact;
  });
  closePage();
}

/** The page that holds the chunk, looked for by halving from `from` on. */
function pageAt(pageStarts: Uint32Array, chunk: number, from: number): number {
  let low = from;
  let high = pageStarts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((pageStarts[middle] ?? 0) <= chunk) low = middle;
    else high = middle;
  }
  return low;
}

function topChunks(scores: Float32Array, from: number, to: number, limit: number): FirstLook['chunks'] {
  const having: Array<{ readonly position: number; readonly score: number }> = [];
  for (let at = from; at < to; at += 1) {
    const score = scores[at] ?? 0;
    if (score > 0) having.push({ position: at - from, score });
  }
  return having.sort((left, right) => right.score - left.score || left.position - right.position).slice(0, limit);
}

function merged(left: readonly FirstLook[], right: readonly FirstLook[], limit: number): FirstLook[] {
  return [...left, ...right].sort(byScore).slice(0, limit);
}

function byScore(left: FirstLook, right: FirstLook): number {
  return right.score - left.score || left.segment - right.segment || left.page - right.page;
}
