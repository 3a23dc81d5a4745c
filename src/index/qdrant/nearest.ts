// The chunks nearest to a vector, by the points of its space. What the engine finds is looked up and compared with the filter in the
// database, as for candidates.

import { pageConditions } from './filter-payload.ts';
import { chunkPosition } from './page-points.ts';
import type { FoundNumber } from '../../ports/point-records.ts';
import type { NearestChunkRef, NearestQuery } from '../../core/lexical/query/index-query.ts';
import type { SearchedGeneration } from './candidates.ts';
import type { Hit } from './collections.ts';
import type { RequestOptions } from './nodes.ts';

/** Some chunks belong to pages that were replaced, and some do not pass the filter: then more are asked for. */
const SPARE_CHUNKS = 20;
const DEEPER = 4;
const MAX_ROUNDS = 4;

/** Null if the engine does not have the space. */
export async function findNearest(
  generation: SearchedGeneration,
  query: NearestQuery,
  options: RequestOptions,
): Promise<readonly NearestChunkRef[] | null> {
  const { records, collections, samples } = generation;
  const space = (await records.spaces()).find((one) => one.id === query.space);
  if (space === undefined) return null;
  const must = [...(await samples.versionConditions(query.versions)), ...pageConditions(query.filter)];
  let limit = query.limit + SPARE_CHUNKS;
  for (let round = 1; ; round += 1) {
    const hits = await collections.queryVectors(space, { vector: query.vector, must, limit }, options);
    const refs = await refsOf(generation, hits, query);
    if (refs.length >= query.limit || hits.length < limit || round === MAX_ROUNDS) return refs.slice(0, query.limit);
    limit *= DEEPER;
  }
}

async function refsOf(
  { records }: SearchedGeneration,
  hits: readonly Hit[],
  { filter, versions }: Pick<NearestQuery, 'filter' | 'versions'>,
): Promise<readonly NearestChunkRef[]> {
  const numbers = [...new Set(hits.map(({ id }) => chunkPosition(id).page))];
  const wanted = new Set(versions);
  const found = (await records.find(numbers)).filter(({ version }) => wanted.has(version));
  const byNumber = new Map(found.map((page) => [page.number, page]));
  const current = new Set(found.filter(({ isCurrent }) => isCurrent).map(pageKey));
  const admitted = Object.keys(filter).length === 0 ? null : await records.admitted(found, filter);
  return hits.flatMap(({ id, score }): NearestChunkRef[] => {
    const { page: number, ordinal } = chunkPosition(id);
    const page = byNumber.get(number);
    // While a page is being replaced the engine holds it twice.
    if (page === undefined || ordinal >= page.chunks || (!page.isCurrent && current.has(pageKey(page)))) return [];
    if (admitted !== null && admitted.get(number)?.includes(ordinal) !== true) return [];
    return [{ version: page.version, url: page.url, ordinal, similarity: score }];
  });
}

function pageKey({ version, key }: FoundNumber): string {
  return `${version} ${key}`;
}
