// Decoded postings, kept in memory up to a size. Segments never change, so what was read of one stays true; a segment that is no
// longer searched is not asked for, and its postings are dropped with their term.

import { createLruCache } from '../../lru-cache.ts';
import type { SegmentReader } from '../segment/segment-reader.ts';
import type { Segment } from '../segment/segment.ts';
import { appendSegments, NO_POSTINGS, sizeOf, type PageWeights, type TermPostings } from '../segment/term-postings.ts';

/** The postings of each term, in all of these segments at least. */
export type ReadPostings = (segments: readonly Segment[], terms: readonly string[]) => Promise<readonly TermPostings[]>;

const MAX_TERMS = 100_000;
/** A term that has been read of so many segments that are no longer searched is read again. */
const MAX_DEAD_SEGMENTS = 1000;

export function createPostingCache(
  reader: Pick<SegmentReader, 'postings' | 'countSearched'>,
  weights: PageWeights,
  maxBytes: number,
): ReadPostings {
  const cache = createLruCache<string, TermPostings>(MAX_TERMS, maxBytes);

  /** How many segments a term had when its dead ones were last counted. */
  const counted = new WeakMap<TermPostings, number>();

  /** A question about one source searches few segments, and the others are alive: so they are counted, and not again before there are more. */
  async function withoutDead(term: string, searched: number): Promise<TermPostings | undefined> {
    const known = cache.get(term);
    if (known === undefined || known.ranges.size <= Math.max(searched, counted.get(known) ?? 0) + MAX_DEAD_SEGMENTS)
      return known;
    const alive = await reader.countSearched([...known.ranges.keys()]);
    counted.set(known, known.ranges.size);
    return known.ranges.size > alive + MAX_DEAD_SEGMENTS ? undefined : known;
  }

  return async (segments, terms) => {
    const cached = await Promise.all(terms.map((term) => withoutDead(term, segments.length)));
    const missing = terms.map((_, at) => segments.filter(({ id }) => cached[at]?.ranges.has(id) !== true));
    const pairs = terms.flatMap((term, at) => (missing[at] ?? []).map(({ id }) => ({ segment: id, term })));
    const rows = pairs.length === 0 ? [] : await reader.postings(pairs);
    const byTerm = new Map(terms.map((term) => [term, new Map<number, Uint8Array>()]));
    for (const { segment, term, bytes } of rows) byTerm.get(term)?.set(segment, bytes);
    return terms.map((term, at) => {
      const known = cached[at];
      const added = missing[at] ?? [];
      if (known !== undefined && added.length === 0) return known;
      const bytesOf = byTerm.get(term);
      const read = added.map((segment) => ({ segment, bytes: bytesOf?.get(segment.id) ?? null }));
      const postings = appendSegments(known ?? NO_POSTINGS, read, weights);
      if (known !== undefined) counted.set(postings, counted.get(known) ?? 0);
      cache.set(term, postings, sizeOf(postings));
      return postings;
    });
  };
}
