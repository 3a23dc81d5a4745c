// The contract of a search engine: candidates for a query, and what keeps them current. The store is the source of truth;
// the index only proposes candidates: each resolves to a live chunk of the store or is dropped. test/contract/search-index.contract.ts enforces it
// for every engine.

import type { CandidateIndex, NearestChunkRef, NearestQuery } from '../core/lexical/query/index-query.ts';
import type { VersionId } from '../core/model/run.ts';

export type { CandidateIndex, CandidatePage, IndexQuery, TermFrequencies } from '../core/lexical/query/index-query.ts';

/**
 * @example
 * const isCurrent = ({ pages }: IndexLag): boolean => pages === 0;
 */
export interface IndexLag {
  /** Changed pages that are not yet searchable, counted up to a maximum. */
  readonly pages: number;
  /** Age of the oldest of them; 0 if there is none. */
  readonly ageMs: number;
}

/**
 * @example
 * const indexAll = async (index: SearchIndex): Promise<void> => {
 *   while ((await index.index(100)) > 0);
 * };
 */
export interface SearchIndex extends CandidateIndex {
  /** The chunks nearest to a vector, best first. Null if the engine does not have the vectors of the space: the store compares them. */
  nearest(query: NearestQuery, signal?: AbortSignal): Promise<readonly NearestChunkRef[] | null>;
  /** Vectors of a space that the store has and the engine has yet to get; 0 if the store compares them. */
  unsentVectors(space: number): Promise<number>;
  /** Applies up to `limit` changes of pages; returns how many. Idempotent: after a kill at any point they are applied again. */
  index(limit: number): Promise<number>;
  /** Works on the form of the index for at least one step and about this long; true once there is nothing to do. */
  compact(budgetMs: number): Promise<boolean>;
  /** Indexes every page of a version again; until then they are found as before. */
  reindex(version: VersionId): Promise<void>;
  /** Whether every settled page of a version is searchable. */
  isIndexed(version: VersionId): Promise<boolean>;
  /** Why a search may miss pages although no change waits; null if it does not. Raises `index.unavailable`. */
  problem(): Promise<string | null>;
  /** `maxPages` is 10,000 by default: it is polled, so a long queue is not read to its end. */
  lag(maxPages?: number): Promise<IndexLag>;
  /**
   * Compares the index with the store, beyond what the checks of the store cover, and the content of `sample` pages of it. One line
   * for each difference.
   */
  verify(sample: number): Promise<readonly string[]>;
}
