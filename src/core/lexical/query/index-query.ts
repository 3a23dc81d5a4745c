// A query as a search engine receives it, and the candidates that it returns. Every engine generates them its own way; which
// pages are shown is decided by core/rank.

import type { PageUrl } from '../../model/page-url.ts';
import type { VersionId } from '../../model/run.ts';
import type { QueryTerm } from './parsed-query.ts';
import type { SearchFilter } from './search-filter.ts';

export interface PagePlace {
  readonly version: VersionId;
  readonly url: PageUrl;
}

export interface IndexQuery {
  readonly versions: readonly VersionId[];
  /** Tokens of core/lexical, never query syntax, with their weights before idf. */
  readonly terms: readonly QueryTerm[];
  readonly filter?: SearchFilter | undefined;
  /** Maximum number of pages, and of chunks of each. */
  readonly pages: number;
  readonly chunksPerPage: number;
}

/** The scores that candidate generation gives a page, without reading its text. */
export interface PageScores {
  /** Score of the page as a whole. */
  readonly pageScore: number;
  /** Sum of the weights of the terms that occur anywhere on the page. */
  readonly coveredWeight: number;
  /** Sort key of candidate generation: the best chunk and the page as a whole. */
  readonly score: number;
}

/** A page that contains some of the terms. The store decides whether it still exists. */
export interface CandidatePage extends PagePlace, PageScores {
  /** Best first; at least one. */
  readonly chunks: ReadonlyArray<{ readonly ordinal: number; readonly score: number }>;
}

export interface Candidates {
  /** Number of chunks in all versions. */
  readonly chunks: number;
  /** How many of them contain each term, in the order of the terms. */
  readonly docFrequencies: readonly number[];
  /** Best first. */
  readonly pages: readonly CandidatePage[];
}

export interface IndexedTerm {
  readonly term: string;
  readonly docFrequency: number;
}

/** The read side of a search engine. */
export interface CandidateIndex {
  /** The best pages with their best chunks. Filters are applied inside. Rejects with the reason of the signal soon after it aborts. */
  candidates(query: IndexQuery, signal?: AbortSignal): Promise<Candidates>;
  /** Indexed terms that an unknown word may be a misspelling of: same beginning, about the same length. */
  suggest(versions: readonly VersionId[], word: string): Promise<readonly IndexedTerm[]>;
}

/** A query by vector. */
export interface NearestQuery {
  /** The embedding space of the vector, by its id in the store. */
  readonly space: number;
  /** Of length 1. */
  readonly vector: Float32Array;
  readonly versions: readonly VersionId[];
  readonly filter: SearchFilter;
  readonly limit: number;
}

/** A chunk with a near vector. The store decides whether it still exists. */
export interface NearestPlace extends PagePlace {
  readonly ordinal: number;
  /** Cosine similarity, -1 to 1. */
  readonly similarity: number;
}
