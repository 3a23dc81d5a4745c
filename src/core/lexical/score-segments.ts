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
}

/** `worth` is the weight of each term times its rarity. The answer is best first; ties by segment and page. */
export function scoreSegments(
  segments: readonly SegmentPostings[],
  worth: readonly number[],
  options: FirstLookOptions,
): FirstLook[] {
  let best: FirstLook[] = [];
  for (const segment of segments) best = merged(best, scoreSegment(segment, worth, options), options.pages);
  return best;
}

function scoreSegment(
  segment: SegmentPostings,
  worth: readonly number[],
  { weights, pages, chunksPerPage }: FirstLookOptions,
): FirstLook[] {
  if (segment.postings.size === 0) return [];
  const { pageStarts, chunks } = segment;
  const chunkScores = new Float32Array(chunks);
  const pageScores = new Float32Array(pageStarts.length - 1);
  for (const [term, bytes] of segment.postings)
    addTerm(segment, bytes, worth[term] ?? 0, { chunkScores, pageScores, weights });
  const looks: FirstLook[] = [];
  for (let page = 0; page + 1 < pageStarts.length; page += 1) {
    const pageScore = pageScores[page] ?? 0;
    if (pageScore === 0) continue;
    const top = topChunks(chunkScores, pageStarts[page] ?? 0, pageStarts[page + 1] ?? 0, chunksPerPage);
    const score = (top[0]?.score ?? 0) + weights.page * pageScore;
    looks.push({ segment: segment.id, page, pageScore, chunks: top, score });
  }
  return merged([], looks, pages);
}

interface Sums {
  readonly chunkScores: Float32Array;
  readonly pageScores: Float32Array;
  readonly weights: FirstLookWeights;
}

/** Chunks of a page follow each other, so the sum over a page is complete when the next page begins. */
function addTerm({ pageStarts }: SegmentPostings, bytes: Uint8Array, worth: number, sums: Sums): void {
  const { chunkScores, pageScores, weights } = sums;
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
  const top: Array<{ position: number; score: number }> = [];
  for (let at = from; at < to; at += 1) {
    const score = scores[at] ?? 0;
    if (score === 0 || (top.length === limit && score <= (top.at(-1)?.score ?? 0))) continue;
    let place = top.length;
    while (place > 0 && (top[place - 1]?.score ?? 0) < score) place -= 1;
    top.splice(place, 0, { position: at - from, score });
    if (top.length > limit) top.pop();
  }
  return top;
}

function merged(left: readonly FirstLook[], right: readonly FirstLook[], limit: number): FirstLook[] {
  return [...left, ...right].sort(byScore).slice(0, limit);
}

function byScore(left: FirstLook, right: FirstLook): number {
  return right.score - left.score || left.segment - right.segment || left.page - right.page;
}
