// The points of a page's vectors in one space: one for each chunk whose text has a vector, under the id of the chunk's other point.

import type { Sha256 } from '../../model/hash.ts';
import { filterPayload, type FilteredPage, type FilterPayload } from './filter-payload.ts';
import { chunkPointId, MAX_CHUNKS, type IndexedPage } from './page-points.ts';

export interface VectorPoint {
  readonly id: number;
  readonly vector: readonly number[];
  /** Fields of the chunk alone, so that fewer candidates that pass a filter are dropped later. */
  readonly payload: FilterPayload & { readonly version: number; readonly page: number };
}

export function vectorPoints(
  number: number,
  page: IndexedPage,
  vectors: ReadonlyMap<Sha256, Float32Array>,
): readonly VectorPoint[] {
  return page.chunks.slice(0, MAX_CHUNKS).flatMap((chunk, ordinal): VectorPoint[] => {
    const vector = vectors.get(chunk.contentHash);
    return vector === undefined ? [] : [vectorPoint(number, ordinal, { ...page, chunks: [chunk] }, vector)];
  });
}

/** `chunk` is a page with this chunk alone. */
export function vectorPoint(
  number: number,
  ordinal: number,
  chunk: FilteredPage & Pick<IndexedPage, 'version'>,
  vector: Float32Array,
): VectorPoint {
  const payload = { version: chunk.version, page: number, ...filterPayload(chunk) };
  return { id: chunkPointId(number, ordinal), vector: [...vector], payload };
}
