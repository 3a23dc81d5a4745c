// Candidate generation: sums what the query terms score per page, and for the pages that may be among the best also per chunk.
// Reads postings only, no text.

import { MAX_IMPACT } from '../segment/impact.ts';
import type { PagePosition } from '../segment/segment-reader.ts';
import { pageAt, pageStartsOf, type Segment } from '../segment/segment.ts';
import type { PageRange, PageWeights, TermPostings } from '../segment/term-postings.ts';
import { isAdmitted, isAnyAdmitted, type FilterMask } from './filter-masks.ts';
import type { PageScores } from './index-query.ts';

/** A candidate by its position in the segments. */
export interface SegmentCandidate extends PagePosition, PageScores {
  /** Best first. */
  readonly chunks: ReadonlyArray<{ readonly ordinal: number; readonly score: number }>;
}

export interface CandidateWeights extends PageWeights {
  /** Weight of the page as a whole, relative to its best chunk. */
  readonly page: number;
}

/** Tuned on the questions in test/data/quality. */
export const candidateWeights: CandidateWeights = { page: 2, pageK1: 2, averageChunks: 10, b: 0.75 };

export interface CandidateOptions {
  readonly pages: number;
  readonly chunksPerPage: number;
  /** By segment. Undefined without a filter. */
  readonly masks?: ReadonlyMap<number, FilterMask> | undefined;
}

/** Best first; ties are broken by segment and page. Segments are sorted by id. */
export function generateCandidates(
  segments: readonly Segment[],
  terms: readonly WeightedTerm[],
  { pages, chunksPerPage, masks }: CandidateOptions,
): SegmentCandidate[] {
  const admitted = masks === undefined ? segments : segments.filter(({ id }) => (masks.get(id) ?? null) !== null);
  const scores = scorePages(admitted, terms, masks);
  const chunkScorer = createChunkScorer(scores, terms, masks);
  const top = createTopPages(pages);
  const isScored = new Uint8Array(scores.pageScores.length);
  const push = (page: number): void => {
    isScored[page] = 1;
    const best = chunkScorer.best(page);
    const score = best + candidateWeights.page * (scores.pageScores[page] ?? 0);
    if (best > 0 && score >= top.floor()) top.push(page, score);
  };
  // Once the chunks of the best whole pages are scored, few others can still be among the best.
  for (const { page } of bestWholePages(scores, pages)) push(page);
  for (let page = 0; page < isScored.length; page += 1)
    if (isScored[page] === 0 && (scores.maxScores[page] ?? 0) * ROUNDING >= top.floor()) push(page);
  return top.finish().map(({ page, score }) => ({
    ...scores.positionOf(page),
    score,
    pageScore: scores.pageScores[page] ?? 0,
    coveredWeight: scores.coveredWeight[page] ?? 0,
    chunks: chunkScorer.top(page, chunksPerPage),
  }));
}

export interface WeightedTerm {
  readonly postings: TermPostings;
  /** Weight times idf. */
  readonly weight: number;
}

/** Tolerance for sums of 32-bit floats. */
const ROUNDING = 1.0001;

/** Pages are numbered across all segments. */
interface PageSums {
  readonly segments: readonly Segment[];
  /** Number of the first page of each segment. */
  readonly bases: Uint32Array;
  readonly pageScores: Float32Array;
  readonly coveredWeight: Float32Array;
  /** What a page scores at most, whichever of its chunks is the best; -1 for a page without a match. */
  readonly maxScores: Float32Array;
  /** Index of the segment of a page. */
  readonly segmentOf: (page: number) => number;
  readonly positionOf: (page: number) => PagePosition;
}

function scorePages(
  segments: readonly Segment[],
  terms: readonly WeightedTerm[],
  masks: CandidateOptions['masks'],
): PageSums {
  const bases = pageStartsOf(segments.map(({ pageStarts }) => pageStarts.length - 1));
  const total = bases.at(-1) ?? 0;
  const pageScores = new Float32Array(total);
  const coveredWeight = new Float32Array(total);
  const maxScores = new Float32Array(total);
  // In the order of the query: sums of floats depend on their order.
  for (const term of terms)
    segments.forEach(({ id }, nth) => {
      const range = term.postings.ranges.get(id);
      if (range !== undefined) addTerm({ pageScores, coveredWeight, maxScores }, term, range, bases[nth] ?? 0);
    });
  if (masks !== undefined)
    segments.forEach(({ id, pageStarts }, nth) => {
      const ofSegment = pageScores.subarray(bases[nth], bases[nth + 1]);
      excludePages(ofSegment, pageStarts, masks.get(id) ?? NO_MASK);
    });
  for (let page = 0; page < total; page += 1) {
    const pageScore = pageScores[page] ?? 0;
    maxScores[page] = pageScore === 0 ? -1 : (maxScores[page] ?? 0) + candidateWeights.page * pageScore;
  }
  const segmentOf = (page: number): number => pageAt(bases, page);
  const positionOf = (page: number): PagePosition => {
    const nth = segmentOf(page);
    return { segment: segments[nth]?.id ?? 0, pageIndex: page - (bases[nth] ?? 0) };
  };
  return { segments, bases, pageScores, coveredWeight, maxScores, segmentOf, positionOf };
}

const NO_MASK = new Uint8Array();

/** A page without a chunk that passes the filter is as one without a match: its chunks need not be scored. */
function excludePages(pageScores: Float32Array, pageStarts: Uint32Array, mask: Uint8Array): void {
  for (let page = 0; page < pageScores.length; page += 1)
    if (pageScores[page] !== 0 && !isAnyAdmitted(mask, pageStarts[page] ?? 0, pageStarts[page + 1] ?? 0))
      pageScores[page] = 0;
}

function addTerm(
  { pageScores, coveredWeight, maxScores }: Pick<PageSums, 'pageScores' | 'coveredWeight' | 'maxScores'>,
  { postings: { pages, pageImpacts, maxImpacts }, weight }: WeightedTerm,
  { from, to }: PageRange,
  base: number,
): void {
  const perImpact = weight / MAX_IMPACT;
  for (let at = from; at < to; at += 1) {
    const page = base + (pages[at] ?? 0);
    pageScores[page] = (pageScores[page] ?? 0) + weight * (pageImpacts[at] ?? 0);
    coveredWeight[page] = (coveredWeight[page] ?? 0) + weight;
    maxScores[page] = (maxScores[page] ?? 0) + perImpact * (maxImpacts[at] ?? 0);
  }
}

interface ScoredPage {
  readonly page: number;
  readonly score: number;
}

interface TopPages {
  /** Lower bound: a page with a smaller score is not in the top. */
  floor(): number;
  push(page: number, score: number): void;
  finish(): readonly ScoredPage[];
}

/** Collects twice the limit before sorting and truncating: as fast as a heap, and simpler. */
function createTopPages(limit: number): TopPages {
  const found: ScoredPage[] = [];
  let floor = 0;
  const cut = (): void => {
    found.sort((left, right) => right.score - left.score || left.page - right.page);
    found.length = Math.min(found.length, limit);
    if (found.length === limit) floor = found.at(-1)?.score ?? 0;
  };
  return {
    floor: () => floor,
    push(page, score) {
      found.push({ page, score });
      if (found.length >= limit * 2) cut();
    },
    finish() {
      cut();
      return found;
    },
  };
}

function bestWholePages({ pageScores }: PageSums, limit: number): readonly ScoredPage[] {
  const top = createTopPages(limit);
  for (let page = 0; page < pageScores.length; page += 1) {
    const score = pageScores[page] ?? 0;
    if (score > 0 && score >= top.floor()) top.push(page, score);
  }
  return top.finish();
}

interface ChunkScorer {
  /** Score of the best chunk of a page; 0 if none passes the filter. */
  best(page: number): number;
  top(page: number, limit: number): SegmentCandidate['chunks'];
}

function createChunkScorer(
  { segments, bases, segmentOf }: PageSums,
  terms: readonly WeightedTerm[],
  masks: CandidateOptions['masks'],
): ChunkScorer {
  let scratch = new Float32Array(256);

  function shapeOf(page: number): { id: number; pageIndex: number; start: number; size: number } {
    const nth = segmentOf(page);
    const { id = 0, pageStarts = NO_STARTS } = segments[nth] ?? {};
    const pageIndex = page - (bases[nth] ?? 0);
    const start = pageStarts[pageIndex] ?? 0;
    return { id, pageIndex, start, size: (pageStarts[pageIndex + 1] ?? 0) - start };
  }

  /** Scores of all chunks of a page; 0 for one that contains no term or does not pass the filter. Valid until the next call. */
  function scoresOf(page: number): Float32Array {
    const { id, pageIndex, start, size } = shapeOf(page);
    if (scratch.length < size) scratch = new Float32Array(2 * size);
    const scores = scratch.subarray(0, size).fill(0);
    for (const { postings, weight } of terms) {
      const range = postings.ranges.get(id);
      const at = range === undefined ? -1 : indexOfPage(postings.pages, range, pageIndex);
      if (at !== -1) addChunks(scores, postings, { at, start, perImpact: weight / MAX_IMPACT });
    }
    const mask = masks?.get(id) ?? null;
    if (mask !== null) applyMask(scores, mask, start);
    return scores;
  }

  return {
    best(page) {
      const scores = scoresOf(page);
      let best = 0;
      for (let at = 0; at < scores.length; at += 1) best = Math.max(best, scores[at] ?? 0);
      return best;
    },
    top(page, limit) {
      const matched: Array<{ readonly ordinal: number; readonly score: number }> = [];
      const scores = scoresOf(page);
      for (let ordinal = 0; ordinal < scores.length; ordinal += 1) {
        const score = scores[ordinal] ?? 0;
        if (score > 0) matched.push({ ordinal, score });
      }
      return matched.sort((left, right) => right.score - left.score || left.ordinal - right.ordinal).slice(0, limit);
    },
  };
}

const NO_STARTS = new Uint32Array(1);

function applyMask(scores: Float32Array, mask: Uint8Array, start: number): void {
  for (let at = 0; at < scores.length; at += 1) if (!isAdmitted(mask, start + at)) scores[at] = 0;
}

function addChunks(
  scores: Float32Array,
  { chunks, impacts, firsts }: TermPostings,
  { at, start, perImpact }: { readonly at: number; readonly start: number; readonly perImpact: number },
): void {
  const end = firsts[at + 1] ?? 0;
  for (let posting = firsts[at] ?? 0; posting < end; posting += 1) {
    const chunk = (chunks[posting] ?? 0) - start;
    scores[chunk] = (scores[chunk] ?? 0) + perImpact * (impacts[posting] ?? 0);
  }
}

/** -1 if the range does not contain the page. */
function indexOfPage(pages: Uint32Array, { from, to }: PageRange, page: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pages[middle] ?? 0) < page) low = middle + 1;
    else high = middle;
  }
  return low < to && pages[low] === page ? low : -1;
}
