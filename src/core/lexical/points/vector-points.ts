// The points of a page's vectors in one space: one for each chunk whose text has a vector, under the id of the chunk's other point.

import type { Sha256 } from '../../model/hash.ts';
import { filterPayload, type FilterPayload } from './filter-payload.ts';
import { chunkPointId, MAX_CHUNKS, type IndexedPage } from './page-points.ts';

export interface VectorPoint {
  readonly id: number;
  readonly vector: readonly number[];
  /** Of the chunk alone, so that fewer of those that a filter admits have to be dropped. */
  readonly payload: FilterPayload & { readonly version: number; readonly page: number };
}

export function vectorPoints(
  number: number,
  page: IndexedPage,
  vectors: ReadonlyMap<Sha256, Float32Array>,
): readonly VectorPoint[] {
  return page.chunks.slice(0, MAX_CHUNKS).flatMap((chunk, ordinal): VectorPoint[] => {
    const vector = vectors.get(chunk.contentHash);
    if (vector === undefined) return [];
    const payload = { version: page.version, page: number, ...filterPayload({ ...page, chunks: [chunk] }) };
    return [{ id: chunkPointId(number, ordinal), vector: [...vector], payload }];
  });
}
