// The postings of a term, decoded for search: by page first, because most pages are ruled out by what the page as a
// whole scores, and their chunks are never looked at.

import { MAX_IMPACT } from './impact.ts';
import { decodePostings, type DecodedPostings } from './postings.ts';
import { pageAt, type Segment } from './segment.ts';

export interface PageWeights {
  /** Saturation (BM25 k1) for repeated matches across the chunks of a page. */
  readonly pageK1: number;
  /** Chunks of an average page. Fixed, not a corpus statistic. */
  readonly averageChunks: number;
  /** Length normalization (BM25 b), 0 to 1. */
  readonly b: number;
}

/** The postings of several segments one after the other, in few arrays: most of them are short. */
export interface TermPostings {
  /** Chunks that contain the term, ascending within a segment, and its impact in each. */
  readonly chunks: Uint32Array;
  readonly impacts: Uint8Array;
  /** Pages that contain the term, ascending within a segment. */
  readonly pages: Uint32Array;
  /** Index of the first posting of each page, followed by the number of postings. */
  readonly firsts: Uint32Array;
  /** Saturated frequency of the term on each page, 0 to 1, and its highest impact there. */
  readonly pageImpacts: Float32Array;
  readonly maxImpacts: Uint8Array;
  /** By segment, the index of its first page and the one after its last; the same if it does not contain the term. */
  readonly ranges: ReadonlyMap<number, PageRange>;
}

export interface PageRange {
  readonly from: number;
  readonly to: number;
}

const NO_RANGE: PageRange = { from: 0, to: 0 };

export const NO_POSTINGS: TermPostings = {
  chunks: new Uint32Array(0),
  impacts: new Uint8Array(0),
  pages: new Uint32Array(0),
  firsts: new Uint32Array(1),
  pageImpacts: new Float32Array(0),
  maxImpacts: new Uint8Array(0),
  ranges: new Map(),
};

/** Adds the postings of more segments; `bytes` is null for a segment that does not contain the term. */
export function appendSegments(
  before: TermPostings,
  added: ReadonlyArray<{ readonly segment: Segment; readonly bytes: Uint8Array | null }>,
  weights: PageWeights,
): TermPostings {
  const ranges = new Map(before.ranges);
  const pages: number[] = [];
  const firsts: number[] = [];
  const pageImpacts: number[] = [];
  const maxImpacts: number[] = [];
  const decoded: DecodedPostings[] = [];
  const pagesBefore = before.pages.length;
  let postings = before.chunks.length;
  for (const { segment, bytes } of added) {
    if (bytes === null) {
      ranges.set(segment.id, NO_RANGE);
      continue;
    }
    const from = pagesBefore + pages.length;
    const term = decodePostings(bytes);
    eachPage(term, segment, (page, first, { sum, max, size }) => {
      pages.push(page);
      firsts.push(postings + first);
      pageImpacts.push(pageImpact(sum, size, weights));
      maxImpacts.push(max);
    });
    decoded.push(term);
    postings += term.count;
    ranges.set(segment.id, { from, to: pagesBefore + pages.length });
  }
  firsts.push(postings);
  return {
    ...appendChunks(before, decoded, postings),
    pages: extended(Uint32Array, before.pages, pages),
    firsts: extended(Uint32Array, before.firsts.subarray(0, pagesBefore), firsts),
    pageImpacts: extended(Float32Array, before.pageImpacts, pageImpacts),
    maxImpacts: extended(Uint8Array, before.maxImpacts, maxImpacts),
    ranges,
  };
}

function appendChunks(
  before: TermPostings,
  decoded: readonly DecodedPostings[],
  total: number,
): Pick<TermPostings, 'chunks' | 'impacts'> {
  const chunks = joined(Uint32Array, before.chunks, total);
  const impacts = joined(Uint8Array, before.impacts, total);
  let at = before.chunks.length;
  for (const term of decoded) {
    chunks.set(term.chunks.subarray(0, term.count), at);
    impacts.set(term.impacts.subarray(0, term.count), at);
    at += term.count;
  }
  return { chunks, impacts };
}

interface Numbers {
  readonly length: number;
  set(from: ArrayLike<number>, at: number): void;
}

function joined<T extends Numbers & ArrayLike<number>>(Type: new (length: number) => T, before: T, length: number): T {
  const all = new Type(length);
  all.set(before, 0);
  return all;
}

function extended<T extends Numbers & ArrayLike<number>>(
  Type: new (length: number) => T,
  before: T,
  added: readonly number[],
): T {
  const all = joined(Type, before, before.length + added.length);
  all.set(added, before.length);
  return all;
}

/** Chunks of a range of pages that contain the term. */
export function chunksIn({ firsts }: TermPostings, { from, to }: PageRange): number {
  return from === to ? 0 : (firsts[to] ?? 0) - (firsts[from] ?? 0);
}

/** What it takes in memory, about. */
export function sizeOf({ chunks, pages, ranges }: TermPostings): number {
  const OBJECT = 1000;
  return OBJECT + 5 * chunks.length + 13 * pages.length + 100 * ranges.size;
}

interface PageSum {
  readonly sum: number;
  readonly max: number;
  /** Chunks of the page. */
  readonly size: number;
}

function eachPage(
  { chunks, impacts, count }: DecodedPostings,
  { pageStarts }: Segment,
  visit: (page: number, first: number, sums: PageSum) => void,
): void {
  let page = 0;
  for (let at = 0; at < count;) {
    page = pageAt(pageStarts, chunks[at] ?? 0, page);
    const end = pageStarts[page + 1] ?? 0;
    const first = at;
    let sum = 0;
    let max = 0;
    for (; at < count && (chunks[at] ?? 0) < end; at += 1) {
      const impact = impacts[at] ?? 0;
      sum += impact;
      if (impact > max) max = impact;
    }
    // A chunk beyond the last page: the segment is damaged, and `verify` says so.
    if (at === first) return;
    visit(page, first, { sum, max, size: end - (pageStarts[page] ?? 0) });
  }
}

/** Saturated frequency of a term on a page of so many chunks, from the sum of its impacts there; 0 to 1. */
export function pageImpact(sum: number, size: number, { b, averageChunks, pageK1 }: PageWeights): number {
  const length = 1 - b + b * Math.sqrt(size / averageChunks);
  const weightedTf = sum / MAX_IMPACT / length;
  return weightedTf / (pageK1 + weightedTf);
}
