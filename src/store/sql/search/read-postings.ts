// Hands over the postings of words in the segments of some versions.

import type { VersionId } from '../../../core/model/run.ts';
import type { SegmentPostings } from '../../../core/lexical/segment/segment.ts';
import type { FoundPostings } from '../../port.ts';
import { batch, together, type Executor } from '../engine/engine.ts';
import { startsOf } from './page-sizes.ts';

const segmentsOf = together(
  batch(
    { version_id: 'int' },
    `select g.id, g.chunks from {rows} r {then search_segments g where g.version_id = r.version_id and g.state in (1, 2)}`,
  ),
);
const sizesOf = batch({ id: 'int' }, `select g.id, g.page_sizes from search_segments g, {rows} r where g.id = r.id`);
const postingsOf = together(
  batch(
    { segment_id: 'int', term: 'text' },
    `select p.segment_id, p.term, p.chunks, p.postings from {rows} r {then search_postings p where p.segment_id = r.segment_id and p.term = r.term}`,
  ),
);

interface PostingRow {
  readonly segment_id: number;
  readonly term: string;
  readonly chunks: number;
  readonly postings: Uint8Array;
}

/** Where pages begin is read once for each segment, which never changes. */
const MAX_KEPT_SHAPES = 2000;

export type ReadPostings = (versions: readonly VersionId[], terms: readonly string[]) => Promise<FoundPostings>;

export function createReadPostings(reader: Executor): ReadPostings {
  const shapes = new Map<number, Uint32Array>();

  async function learnShapes(ids: readonly number[]): Promise<void> {
    const unknown = ids.filter((id) => !shapes.has(id));
    if (shapes.size + unknown.length > MAX_KEPT_SHAPES) shapes.clear();
    const missing = ids.filter((id) => !shapes.has(id));
    const rows = await reader.each<{ id: number; page_sizes: Uint8Array }>(
      sizesOf,
      missing.map((id) => [id]),
    );
    for (const row of rows) shapes.set(row.id, startsOf(row.page_sizes));
  }

  return async (versions, terms) => {
    const segments = await reader.each<{ id: number; chunks: number }>(
      segmentsOf,
      versions.map((version) => [version]),
    );
    segments.sort((left, right) => left.id - right.id);
    await learnShapes(segments.map(({ id }) => id));
    const rows = await reader.each<PostingRow>(
      postingsOf,
      segments.flatMap(({ id }) => terms.map((term) => [id, term])),
    );
    const places = new Map(terms.map((term, at) => [term, at]));
    const having = terms.map(() => 0);
    const bySegment = new Map<number, Map<number, Uint8Array>>();
    for (const row of rows) {
      const at = places.get(row.term) ?? 0;
      having[at] = (having[at] ?? 0) + row.chunks;
      const own = bySegment.get(row.segment_id) ?? new Map<number, Uint8Array>();
      bySegment.set(row.segment_id, own.set(at, row.postings));
    }
    return {
      chunks: segments.reduce((total, segment) => total + segment.chunks, 0),
      having,
      segments: segments.flatMap(({ id, chunks }): SegmentPostings[] => {
        const postings = bySegment.get(id);
        const pageStarts = shapes.get(id);
        return postings === undefined || pageStarts === undefined ? [] : [{ id, chunks, pageStarts, postings }];
      }),
    };
  };
}
