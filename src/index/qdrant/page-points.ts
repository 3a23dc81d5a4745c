// The points of a page: one for the page as a whole, one for each of its chunks, and one for each vector of a chunk. A point
// holds, per term, what candidate generation would add for a query term of weight 1, so that the dot product with the weights of a
// query is exactly the score that the segments compute. Nothing in a point depends on the rest of the library.

import type { Sha256 } from '../../core/model/hash.ts';
import { candidateWeights } from '../../core/lexical/query/generate-candidates.ts';
import type { IndexableEntry } from '../../core/lexical/segment/fields.ts';
import { decodePostings } from '../../core/lexical/segment/postings.ts';
import { createSegmentBuilder } from '../../core/lexical/segment/segment-builder.ts';
import { pageImpact } from '../../core/lexical/segment/term-postings.ts';
import type { TermCounter } from '../../core/lexical/segment/term-counter.ts';
import { filterPayload, termId, type FilterPayload } from './filter-payload.ts';
import { MAX_CHUNKS, type FilteredPage, type IndexedPage } from '../../ports/point-records.ts';

export interface SparseVector {
  readonly indices: number[];
  readonly values: number[];
}

export interface PagePoint {
  readonly id: number;
  /** `score` sums up to the page score, `terms` to the covered weight. */
  readonly vector: { readonly score: SparseVector; readonly terms: SparseVector };
  readonly payload: FilterPayload & { readonly version: number };
}

export interface ChunkPoint {
  readonly id: number;
  readonly vector: { readonly impacts: SparseVector };
  readonly payload: { readonly page: number };
}

export interface PagePoints {
  readonly page: PagePoint;
  readonly chunks: readonly ChunkPoint[];
}

/** A number is a new one whenever a page is indexed, so it stands for the page and its revision. Ids stay below 2 ** 53. */
export function chunkPointId(page: number, ordinal: number): number {
  return page * MAX_CHUNKS + ordinal;
}

export function chunkPosition(id: number): { readonly page: number; readonly ordinal: number } {
  return { page: Math.floor(id / MAX_CHUNKS), ordinal: id % MAX_CHUNKS };
}

export function pagePoints(number: number, page: IndexedPage, counter: TermCounter): PagePoints {
  const chunks = page.chunks.slice(0, MAX_CHUNKS);
  const builder = createSegmentBuilder({ counter });
  builder.addPage(chunks.map((chunk): IndexableEntry => ({ path: page.path, title: page.title, chunk })));
  const vectors = chunks.map(() => new Map<number, number>());
  const scores = new Map<number, number>();
  for (const { term, bytes } of builder.terms()) {
    const id = termId(term);
    // Two terms of a page with one id are one term to the engine: the stronger one counts.
    scores.set(id, Math.max(scores.get(id) ?? 0, pageScore(bytes, vectors, id)));
  }
  const ids = [...scores.keys()];
  return {
    page: {
      id: number,
      vector: { score: sparse(scores), terms: { indices: ids, values: ids.map(() => 1) } },
      payload: { version: page.version, ...filterPayload(page) },
    },
    chunks: vectors.map((impacts, ordinal) => ({
      id: chunkPointId(number, ordinal),
      vector: { impacts: sparse(impacts) },
      payload: { page: number },
    })),
  };
}

/** Score of one term; adds the term to the vectors of its chunks. */
function pageScore(bytes: Uint8Array, vectors: ReadonlyArray<Map<number, number>>, id: number): number {
  const { chunks, impacts, count } = decodePostings(bytes);
  let sum = 0;
  for (let at = 0; at < count; at += 1) {
    const impact = impacts[at] ?? 0;
    const vector = vectors[chunks[at] ?? 0];
    vector?.set(id, Math.max(vector.get(id) ?? 0, impact));
    sum += impact;
  }
  return pageImpact(sum, vectors.length, candidateWeights);
}

function sparse(values: ReadonlyMap<number, number>): SparseVector {
  return { indices: [...values.keys()], values: [...values.values()].map(shortened) };
}

/** The engine holds 32-bit floats, for which 9 digits are enough; a double has twice as many to send. */
function shortened(value: number): number {
  return Number.isInteger(value) ? value : Number(Math.fround(value).toPrecision(9));
}

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
