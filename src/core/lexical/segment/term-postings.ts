// The postings of a term, decoded for search: by page first, because most pages are ruled out by what the page as a
// whole scores, and their chunks are never looked at.

import { MAX_IMPACT } from './impact.ts';
import { decodePostingsInto, maxPostings } from './postings.ts';
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
  const room = added.reduce((sum, { bytes }) => sum + (bytes === null ? 0 : maxPostings(bytes)), 0);
  const lists = withRoom(before, room);
  let pages = before.pages.length;
  let postings = before.chunks.length;
  for (const { segment, bytes } of added) {
    if (bytes === null) {
      ranges.set(segment.id, NO_RANGE);
      continue;
    }
    const from = pages;
    const end = decodePostingsInto(lists, postings, bytes);
    pages = addPages(lists, { segment, page: from, posting: postings, end }, weights);
    postings = end;
    ranges.set(segment.id, { from, to: pages });
  }
  lists.firsts[pages] = postings;
  return {
    chunks: lists.chunks.slice(0, postings),
    impacts: lists.impacts.slice(0, postings),
    pages: lists.pages.slice(0, pages),
    firsts: lists.firsts.slice(0, pages + 1),
    pageImpacts: lists.pageImpacts.slice(0, pages),
    maxImpacts: lists.maxImpacts.slice(0, pages),
    ranges,
  };
}

type Lists = Omit<TermPostings, 'ranges'>;

/** Copies with room for so many more postings, each of which may be on its own page. */
function withRoom({ chunks, impacts, pages, firsts, pageImpacts, maxImpacts }: Lists, postings: number): Lists {
  const longer = <T extends Numbers>(Type: new (length: number) => T, list: T): T => {
    const copy = new Type(list.length + postings);
    copy.set(list);
    return copy;
  };
  return {
    chunks: longer(Uint32Array, chunks),
    impacts: longer(Uint8Array, impacts),
    pages: longer(Uint32Array, pages),
    firsts: longer(Uint32Array, firsts),
    pageImpacts: longer(Float32Array, pageImpacts),
    maxImpacts: longer(Uint8Array, maxImpacts),
  };
}

interface Numbers extends ArrayLike<number> {
  set(from: ArrayLike<number>): void;
}

/** Postings of one segment, and the index of its first page. */
interface Added {
  readonly segment: Segment;
  readonly page: number;
  readonly posting: number;
  readonly end: number;
}

/** Sums the postings up by page; returns the index after its last page. */
function addPages(
  lists: Lists,
  { segment: { pageStarts }, page: first, posting, end }: Added,
  weights: PageWeights,
): number {
  const { chunks, impacts } = lists;
  let next = first;
  let page = 0;
  for (let at = posting; at < end;) {
    page = pageAt(pageStarts, chunks[at] ?? 0, page);
    const start = pageStarts[page] ?? 0;
    const after = pageStarts[page + 1] ?? 0;
    const from = at;
    let sum = 0;
    let max = 0;
    for (; at < end && (chunks[at] ?? 0) < after; at += 1) {
      const impact = impacts[at] ?? 0;
      sum += impact;
      if (impact > max) max = impact;
    }
    // A chunk beyond the last page: the segment is damaged, and `verify` reports it.
    if (at === from) break;
    lists.pages[next] = page;
    lists.firsts[next] = from;
    lists.pageImpacts[next] = pageImpact(sum, after - start, weights);
    lists.maxImpacts[next] = max;
    next += 1;
  }
  return next;
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

/** Saturated frequency of a term on a page of so many chunks, from the sum of its impacts there; 0 to 1. */
export function pageImpact(sum: number, size: number, { b, averageChunks, pageK1 }: PageWeights): number {
  const length = 1 - b + b * Math.sqrt(size / averageChunks);
  const weightedTf = sum / MAX_IMPACT / length;
  return weightedTf / (pageK1 + weightedTf);
}
