// The first look: adds up what the words of a question say about every chunk and every page that has one of them, and
// keeps the best pages. Reads postings only, no text.

import { MAX_IMPACT } from '../segment/impact.ts';
import { decodePostings, type Decoded } from '../segment/postings.ts';
import type { SegmentPostings } from '../segment/segment.ts';

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
  { weights, pages, chunksPerPage, admitted }: FirstLookOptions,
): FirstLook[] {
  const best = createBest(pages);
  for (const segment of segments) {
    const mask = admitted?.get(segment.id);
    if (admitted !== undefined && mask === undefined) continue;
    const sums = sumsOf(segment, worth, weights);
    if (mask !== undefined) clear(sums.chunkScores, mask);
    offerPages(best, sums, weights);
  }
  return best.take().map(({ sums, page, score }) => ({
    segment: sums.segment.id,
    page,
    score,
    pageScore: sums.pageScores[page] ?? 0,
    covered: sums.covered[page] ?? 0,
    chunks: topChunks(sums, page, chunksPerPage),
  }));
}

/** What the words gave to the chunks and pages of a segment. */
interface Sums {
  readonly segment: SegmentPostings;
  readonly chunkScores: Float32Array;
  readonly pageScores: Float32Array;
  readonly covered: Float32Array;
}

function sumsOf(segment: SegmentPostings, worth: readonly number[], weights: FirstLookWeights): Sums {
  const pages = segment.pageStarts.length - 1;
  const sums = {
    segment,
    chunkScores: new Float32Array(segment.chunks),
    pageScores: new Float32Array(pages),
    covered: new Float32Array(pages),
  };
  for (const [term, bytes] of segment.postings) addTerm(sums, decodePostings(bytes), worth[term] ?? 0, weights);
  return sums;
}

function clear(scores: Float32Array, mask: Uint8Array): void {
  for (let chunk = 0; chunk < scores.length; chunk += 1) if (mask[chunk] !== 1) scores[chunk] = 0;
}

interface ScoredPage {
  readonly sums: Sums;
  readonly page: number;
  readonly score: number;
}

interface Best {
  /** A page with less is not among the best. */
  floor(): number;
  offer(page: ScoredPage): void;
  take(): readonly ScoredPage[];
}

/** Twice the limit is kept before the list is sorted and cut again: as fast as a heap, and simpler. */
function createBest(limit: number): Best {
  const found: ScoredPage[] = [];
  let floor = 0;
  const cut = (): void => {
    found.sort(byScore);
    found.length = Math.min(found.length, limit);
    if (found.length === limit) floor = found.at(-1)?.score ?? 0;
  };
  return {
    floor: () => floor,
    offer(page) {
      found.push(page);
      if (found.length >= limit * 2) cut();
    },
    take() {
      cut();
      return found;
    },
  };
}

function byScore(left: ScoredPage, right: ScoredPage): number {
  return right.score - left.score || left.sums.segment.id - right.sums.segment.id || left.page - right.page;
}

/** Sums of numbers of 32 bits are a little off. */
const ROUNDING = 1.0001;

function offerPages(best: Best, sums: Sums, weights: FirstLookWeights): void {
  const { pageScores, covered, chunkScores } = sums;
  const { pageStarts } = sums.segment;
  for (let page = 0; page < pageScores.length; page += 1) {
    const pageScore = pageScores[page] ?? 0;
    if (pageScore === 0) continue;
    // No chunk has more than all words of its page are worth: most pages need no look at their chunks.
    const floor = best.floor();
    if (((covered[page] ?? 0) + weights.page * pageScore) * ROUNDING < floor) continue;
    const most = highest(chunkScores, pageStarts[page] ?? 0, pageStarts[page + 1] ?? 0);
    const score = most + weights.page * pageScore;
    if (most > 0 && score >= floor) best.offer({ sums, page, score });
  }
}

function highest(scores: Float32Array, from: number, to: number): number {
  let most = 0;
  for (let at = from; at < to; at += 1) {
    const score = scores[at] ?? 0;
    if (score > most) most = score;
  }
  return most;
}

/** Chunks of a page follow each other, so the sum over a page is complete when the next page begins. */
function addTerm(sums: Sums, { chunks, impacts, count }: Decoded, worth: number, weights: FirstLookWeights): void {
  const { chunkScores, segment } = sums;
  const { pageStarts } = segment;
  const perImpact = worth / MAX_IMPACT;
  const term = { worth, weights };
  let page = 0;
  let pageEnd = pageStarts[1] ?? 0;
  let sum = 0;
  for (let at = 0; at < count; at += 1) {
    const chunk = chunks[at] ?? 0;
    const impact = impacts[at] ?? 0;
    chunkScores[chunk] = (chunkScores[chunk] ?? 0) + perImpact * impact;
    if (chunk >= pageEnd) {
      if (sum > 0) closePage(sums, page, sum, term);
      page = pageAt(pageStarts, chunk, page);
      pageEnd = pageStarts[page + 1] ?? 0;
      sum = 0;
    }
    sum += impact;
  }
  if (sum > 0) closePage(sums, page, sum, term);
}

interface Term {
  readonly worth: number;
  readonly weights: FirstLookWeights;
}

function closePage({ segment, pageScores, covered }: Sums, page: number, sum: number, { worth, weights }: Term): void {
  const size = (segment.pageStarts[page + 1] ?? 0) - (segment.pageStarts[page] ?? 0);
  const length = 1 - weights.lengthShare + weights.lengthShare * Math.sqrt(size / weights.usualChunks);
  const weighed = sum / MAX_IMPACT / length;
  pageScores[page] = (pageScores[page] ?? 0) + (worth * weighed) / (weights.pageSaturation + weighed);
  covered[page] = (covered[page] ?? 0) + worth;
}

/** The page after `from` that holds the chunk: looked for in steps that double, then by halving. It is mostly near. */
function pageAt(pageStarts: Uint32Array, chunk: number, from: number): number {
  const last = pageStarts.length - 1;
  let low = from;
  let step = 1;
  while (low + step < last && (pageStarts[low + step] ?? 0) <= chunk) {
    low += step;
    step *= 2;
  }
  let high = Math.min(last, low + step);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((pageStarts[middle] ?? 0) <= chunk) low = middle;
    else high = middle;
  }
  return low;
}

function topChunks({ segment, chunkScores }: Sums, page: number, limit: number): FirstLook['chunks'] {
  const having: Array<{ readonly position: number; readonly score: number }> = [];
  const from = segment.pageStarts[page] ?? 0;
  const to = segment.pageStarts[page + 1] ?? 0;
  for (let at = from; at < to; at += 1) {
    const score = chunkScores[at] ?? 0;
    if (score > 0) having.push({ position: at - from, score });
  }
  return having.sort((left, right) => right.score - left.score || left.position - right.position).slice(0, limit);
}
