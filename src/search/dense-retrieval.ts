// The vectors' part of a search: the question's own vector, the chunks near it, and how near the chunks are that words found.

import { PinakesError } from '../core/model/errors.ts';
import type { SearchFilter } from '../core/lexical/query/search-filter.ts';
import type { VersionId } from '../core/model/run.ts';
import { afterFailure, CLOSED, QUESTION_POLICY, restMs } from '../core/rate/circuit-breaker.ts';
import { similarity } from '../core/vector/cosine-similarity.ts';
import type { Store } from '../store/port.ts';
import type { Findings } from './lexical-retrieval.ts';
import type { DenseFindings } from './fuse-results.ts';
import { createSpaceInUse, type DenseModels } from './space-in-use.ts';

export interface DenseScope {
  readonly versions: readonly VersionId[];
  readonly filter: SearchFilter;
}

/** Null where there is no model, or where too few texts have their vectors yet: then words alone answer. */
export type DenseLook = (query: string, findings: Findings, scope: DenseScope) => Promise<DenseFindings | null>;

const NEAR_CHUNKS = 100;

export function createDenseLook(store: Store, models: DenseModels, now: () => number): DenseLook {
  const spaceInUse = createSpaceInUse(store, models, now);
  let breaker = CLOSED;
  return async (query, findings, { versions, filter }) => {
    if (restMs(breaker, now()) > 0) return null;
    try {
      const used = await spaceInUse();
      const [asked] = used === null ? [] : await used.embedder.embed([query], 'query');
      breaker = CLOSED;
      if (used === null || asked?.kind !== 'embedded') return null;
      const { vector } = asked;
      // Vectors of different sizes say nothing of each other.
      if (vector.length !== used.space.dimensions) return null;
      const space = used.space.id;
      const near = await store.vectors.nearest({ space, vector, versions, filter, limit: NEAR_CHUNKS });
      const texts = findings.pages.map(({ candidate }) => candidate.best.chunk.contentHash);
      const vectors = await store.vectors.of(space, [...new Set(texts)]);
      const similarities = new Map([...vectors].map(([text, found]) => [text, similarity(vector, found)]));
      return { near, similarities };
    } catch (error) {
      // A server that is down, or a database without vectors, leaves the words; the answer's mode says so.
      if (!(error instanceof PinakesError)) throw error;
      const waitMs = Number(error.details['waitMs'] ?? 0);
      breaker = afterFailure(breaker, now(), { retryable: error.retryable, waitMs }, QUESTION_POLICY);
      return null;
    }
  };
}
