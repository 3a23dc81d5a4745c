// The contract of a search engine: candidates for a query, and what keeps them current. The store is right and the index
// proposes: a candidate resolves to a live chunk of the store or is dropped. test/contract/search-index.contract.ts enforces it
// for every engine.

import type { CandidateIndex, NearestPlace, NearestQuery } from '../core/lexical/query/index-query.ts';
import type { VersionId } from '../core/model/run.ts';

export type { CandidateIndex, CandidatePage, Candidates, IndexQuery } from '../core/lexical/query/index-query.ts';

export interface IndexLag {
  /** Changed pages that are not yet searchable, counted up to a maximum. */
  readonly pages: number;
  /** Age of the oldest of them; 0 if there is none. */
  readonly ageMs: number;
}

export interface SearchIndex extends CandidateIndex {
  /** The chunks nearest to a vector, best first. Null if the engine does not have the vectors of the space: the store compares them. */
  nearest(query: NearestQuery, signal?: AbortSignal): Promise<readonly NearestPlace[] | null>;
  /** Applies up to `limit` changes of pages; returns how many. Idempotent: after a kill at any point they are applied again. */
  index(limit: number): Promise<number>;
  /** Works on the form of the index for at least one step and about this long; true once there is nothing to do. */
  compact(budgetMs: number): Promise<boolean>;
  /** Indexes every page of a version again; until then they are found as before. */
  reindex(version: VersionId): Promise<void>;
  /** Whether every settled page of a version is searchable. */
  isIndexed(version: VersionId): Promise<boolean>;
  /** `maxPages` is 10,000 by default: it is polled, so a long queue is not read to its end. */
  lag(maxPages?: number): Promise<IndexLag>;
  /**
   * Compares the index with the store, beyond what the checks of the store cover, and the content of `sample` pages of it. One line
   * for each difference.
   */
  verify(sample: number): Promise<readonly string[]>;
}
