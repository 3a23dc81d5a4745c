// Reads the segments of some versions, and the postings of terms in them.

import { createLruCache } from '../../../core/lru-cache.ts';
import type { PostingRow, SegmentReader } from '../../../core/lexical/segment/segment-reader.ts';
import { batch, singleStatement, type Executor } from '../engine/engine.ts';
import { SEARCHED_STATES_SQL } from '../engine/states.ts';
import { unpackStarts } from './page-sizes.ts';

const selectSegments = singleStatement(
  batch(
    { version_id: 'int' },
    `select g.id, g.chunks from {rows} r {then search_segments g where g.version_id = r.version_id and g.state in ${SEARCHED_STATES_SQL}}`,
  ),
);
const selectPageSizes = batch(
  { id: 'int' },
  `select g.id, g.page_sizes from search_segments g, {rows} r where g.id = r.id`,
);
export const selectPostings = singleStatement(
  batch(
    { segment_id: 'int', term: 'text' },
    `select p.segment_id as segment, p.term, p.postings as bytes from {rows} r {then search_postings p where p.segment_id = r.segment_id and p.term = r.term}`,
  ),
);

/**
 * The page offsets of a segment never change, so they are read once. More than a library has segments: a search over all of them
 * uses them in the same order each time, so one that is missing would evict the next. Four bytes a page.
 */
const MAX_CACHE_ENTRIES = 100_000;

export function createReadSegments(reader: Executor): SegmentReader['segments'] {
  const cache = createLruCache<number, Uint32Array>(MAX_CACHE_ENTRIES);

  /** What is returned stays complete, whatever other searches evict from the cache in the meantime. */
  async function loadPageStarts(ids: readonly number[]): Promise<ReadonlyMap<number, Uint32Array | undefined>> {
    const startsById = new Map(ids.map((id) => [id, cache.get(id)]));
    const rows = await reader.each<{ id: number; page_sizes: Uint8Array }>(
      selectPageSizes,
      ids.filter((id) => startsById.get(id) === undefined).map((id) => [id]),
    );
    for (const row of rows) {
      const starts = unpackStarts(row.page_sizes);
      startsById.set(row.id, starts);
      cache.set(row.id, starts);
    }
    return startsById;
  }

  return async (versions) => {
    const rows = await reader.each<{ id: number; chunks: number }>(
      selectSegments,
      versions.map((version) => [version]),
    );
    rows.sort((left, right) => left.id - right.id);
    const startsById = await loadPageStarts(rows.map(({ id }) => id));
    return rows.flatMap(({ id, chunks }) => {
      const pageStarts = startsById.get(id);
      return pageStarts === undefined ? [] : [{ id, chunks, pageStarts }];
    });
  };
}

export function createReadPostings(reader: Executor): SegmentReader['postings'] {
  return (pairs) =>
    reader.each<PostingRow>(
      selectPostings,
      pairs.map(({ segment, term }) => [segment, term]),
    );
}

const selectSearched = batch(
  { id: 'int' },
  `select g.id from search_segments g, {rows} r where g.id = r.id and g.state in ${SEARCHED_STATES_SQL}`,
);

export async function countSearched(reader: Executor, segmentIds: readonly number[]): Promise<number> {
  const searched = await reader.each<{ id: number }>(
    selectSearched,
    segmentIds.map((id) => [id]),
  );
  return searched.length;
}
