// Candidate generation: sums the impacts of the query terms per chunk and per page, and keeps the top pages for reranking.
// Reads postings only, no text.

import { MAX_IMPACT } from '../segment/impact.ts';
import { decodePostings, type DecodedPostings } from '../segment/postings.ts';
import type { PagePosition } from '../segment/segment-reader.ts';
import type { SegmentPostings } from '../segment/segment.ts';
import type { PageScores } from './index-query.ts';

/** A candidate by its position in the segments. */
export interface SegmentCandidate extends PagePosition, PageScores {
  /** Best first. */
  readonly chunks: ReadonlyArray<{ readonly ordinal: number; readonly score: number }>;
}

export interface CandidateWeights {
  /** Weight of the page as a whole, relative to its best chunk. */
  readonly page: number;
  /** Saturation (BM25 k1) for repeated matches across the chunks of a page. */
  readonly pageK1: number;
  /** Chunks of an average page. Fixed, not a corpus statistic. */
  readonly averageChunks: number;
  /** Length normalization (BM25 b), 0 to 1. */
  readonly b: number;
}

/** Tuned on the questions in test/quality. */
export const candidateWeights: CandidateWeights = { page: 2, pageK1: 2, averageChunks: 10, b: 0.75 };

export interface CandidateOptions {
  readonly weights: CandidateWeights;
  readonly pages: number;
  readonly chunksPerPage: number;
  /** By segment: 1 for each chunk that passes the filter. Undefined without a filter. */
  readonly admitted?: ReadonlyMap<number, Uint8Array> | undefined;
}

/** `termWeights` are weight times idf. Best first; ties are broken by segment and page. */
export function generateCandidates(
  segments: readonly SegmentPostings[],
  termWeights: readonly number[],
  { weights, pages, chunksPerPage, admitted }: CandidateOptions,
): SegmentCandidate[] {
  const top = createTopPages(pages);
  for (const segment of segments) {
    const mask = admitted?.get(segment.id);
    if (admitted !== undefined && mask === undefined) continue;
    const sums = sumImpacts(segment, termWeights, weights);
    if (mask !== undefined) applyMask(sums.chunkScores, mask);
    pushPages(top, sums, weights);
  }
  return top.finish().map(({ sums, page, score }) => ({
    segment: sums.segment.id,
    pageIndex: page,
    score,
    pageScore: sums.pageScores[page] ?? 0,
    coveredWeight: sums.coveredWeight[page] ?? 0,
    chunks: topChunks(sums, page, chunksPerPage),
  }));
}

/** Scores of the chunks and pages of a segment. */
interface Sums {
  readonly segment: SegmentPostings;
  readonly chunkScores: Float32Array;
  readonly pageScores: Float32Array;
  readonly coveredWeight: Float32Array;
}

function sumImpacts(segment: SegmentPostings, termWeights: readonly number[], weights: CandidateWeights): Sums {
  const pages = segment.pageStarts.length - 1;
  const sums = {
    segment,
    chunkScores: new Float32Array(segment.chunks),
    pageScores: new Float32Array(pages),
    coveredWeight: new Float32Array(pages),
  };
  // In the order of the query: sums of floats depend on their order, and engines return postings in different ones.
  termWeights.forEach((weight, term) => {
    const bytes = segment.postings.get(term);
    if (bytes !== undefined) addTerm(sums, decodePostings(bytes), weight, weights);
  });
  return sums;
}

function applyMask(scores: Float32Array, mask: Uint8Array): void {
  for (let chunk = 0; chunk < scores.length; chunk += 1) if (mask[chunk] !== 1) scores[chunk] = 0;
}

interface ScoredPage {
  readonly sums: Sums;
  readonly page: number;
  readonly score: number;
}

interface TopPages {
  /** Lower bound: a page with a smaller score is not in the top. */
  floor(): number;
  push(page: ScoredPage): void;
  finish(): readonly ScoredPage[];
}

/** Collects twice the limit before sorting and truncating: as fast as a heap, and simpler. */
function createTopPages(limit: number): TopPages {
  const found: ScoredPage[] = [];
  let floor = 0;
  const cut = (): void => {
    found.sort(byScore);
    found.length = Math.min(found.length, limit);
    if (found.length === limit) floor = found.at(-1)?.score ?? 0;
  };
  return {
    floor: () => floor,
    push(page) {
      found.push(page);
      if (found.length >= limit * 2) cut();
    },
    finish() {
      cut();
      return found;
    },
  };
}

function byScore(left: ScoredPage, right: ScoredPage): number {
  return right.score - left.score || left.sums.segment.id - right.sums.segment.id || left.page - right.page;
}

/** Tolerance for sums of 32-bit floats. */
const ROUNDING = 1.0001;

function pushPages(top: TopPages, sums: Sums, weights: CandidateWeights): void {
  const { pageScores, coveredWeight, chunkScores } = sums;
  const { pageStarts } = sums.segment;
  for (let page = 0; page < pageScores.length; page += 1) {
    const pageScore = pageScores[page] ?? 0;
    if (pageScore === 0) continue;
    // A chunk scores at most the covered weight of its page, so the chunks of most pages are never scanned.
    const floor = top.floor();
    if (((coveredWeight[page] ?? 0) + weights.page * pageScore) * ROUNDING < floor) continue;
    const bestChunk = maxScore(chunkScores, pageStarts[page] ?? 0, pageStarts[page + 1] ?? 0);
    const score = bestChunk + weights.page * pageScore;
    if (bestChunk > 0 && score >= floor) top.push({ sums, page, score });
  }
}

function maxScore(scores: Float32Array, from: number, to: number): number {
  let max = 0;
  for (let at = from; at < to; at += 1) {
    const score = scores[at] ?? 0;
    if (score > max) max = score;
  }
  return max;
}

/** The chunks of a page are consecutive, so a page's sum is complete when the next page begins. */
function addTerm(
  sums: Sums,
  { chunks, impacts, count }: DecodedPostings,
  termWeight: number,
  weights: CandidateWeights,
): void {
  const { chunkScores, segment } = sums;
  const { pageStarts } = segment;
  const perImpact = termWeight / MAX_IMPACT;
  const term = { weight: termWeight, weights };
  let page = 0;
  let pageEnd = pageStarts[1] ?? 0;
  let sum = 0;
  for (let at = 0; at < count; at += 1) {
    const chunk = chunks[at] ?? 0;
    const impact = impacts[at] ?? 0;
    chunkScores[chunk] = (chunkScores[chunk] ?? 0) + perImpact * impact;
    if (chunk >= pageEnd) {
      if (sum > 0) addPageScore(sums, page, sum, term);
      page = pageAt(pageStarts, chunk, page);
      pageEnd = pageStarts[page + 1] ?? 0;
      sum = 0;
    }
    sum += impact;
  }
  if (sum > 0) addPageScore(sums, page, sum, term);
}

interface Term {
  readonly weight: number;
  readonly weights: CandidateWeights;
}

function addPageScore(
  { segment, pageScores, coveredWeight }: Sums,
  page: number,
  sum: number,
  { weight, weights }: Term,
): void {
  const size = (segment.pageStarts[page + 1] ?? 0) - (segment.pageStarts[page] ?? 0);
  const length = 1 - weights.b + weights.b * Math.sqrt(size / weights.averageChunks);
  const weightedTf = sum / MAX_IMPACT / length;
  pageScores[page] = (pageScores[page] ?? 0) + (weight * weightedTf) / (weights.pageK1 + weightedTf);
  coveredWeight[page] = (coveredWeight[page] ?? 0) + weight;
}

/** The page that contains the chunk, by exponential then binary search from page `from`; it is usually close. */
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

function topChunks({ segment, chunkScores }: Sums, page: number, limit: number): SegmentCandidate['chunks'] {
  const matched: Array<{ readonly ordinal: number; readonly score: number }> = [];
  const from = segment.pageStarts[page] ?? 0;
  const to = segment.pageStarts[page + 1] ?? 0;
  for (let at = from; at < to; at += 1) {
    const score = chunkScores[at] ?? 0;
    if (score > 0) matched.push({ ordinal: at - from, score });
  }
  return matched.sort((left, right) => right.score - left.score || left.ordinal - right.ordinal).slice(0, limit);
}
