// A query as a search engine receives it, and the candidates that it returns. Every engine generates them its own way; which
// pages are shown is decided by core/rank.

import type { PageUrl } from '../../model/page-url.ts';
import type { VersionId } from '../../model/run.ts';
import type { SearchFilter } from './search-filter.ts';

export interface PageRef {
  readonly version: VersionId;
  readonly url: PageUrl;
}

export interface QueryTerm {
  readonly term: string;
  /** 1 for an ordinary word, less for a stop word or a spelling correction. */
  readonly weight: number;
}

/**
 * @example
 * const termsOf = ({ terms }: IndexQuery): string[] => terms.map(({ term }) => term);
 */
export interface IndexQuery {
  readonly versions: readonly VersionId[];
  /** Tokens of core/lexical, never query syntax, with their weights by `weighTerms`. Every index gets the same ones, so that scores can be compared. */
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

/**
 * A page that contains some of the terms. The store decides whether it still exists.
 *
 * @example
 * const best = ({ chunks }: CandidatePage): number => chunks[0]?.ordinal ?? 0;
 */
export interface CandidatePage extends PageRef, PageScores {
  /** Best first; at least one. */
  readonly chunks: ReadonlyArray<{ readonly ordinal: number; readonly score: number }>;
}

/**
 * @example
 * const isUnknown = ({ docFrequencies }: TermFrequencies, at: number): boolean => docFrequencies[at] === 0;
 */
export interface TermFrequencies {
  /** Number of chunks that the terms were counted in: all of these versions, or all of the library. */
  readonly chunks: number;
  /** How many of them contain each term, in the order of the terms: counted, or estimated from a sample. 0 if none does. */
  readonly docFrequencies: readonly number[];
}

export interface IndexedTerm {
  readonly term: string;
  readonly docFrequency: number;
}

/**
 * The read side of a search engine. Both reads reject with the reason of the signal soon after it aborts.
 *
 * @example
 * const find = (index: CandidateIndex, query: IndexQuery): Promise<readonly CandidatePage[]> =>
 *   index.candidates(query, AbortSignal.timeout(1000));
 */
export interface CandidateIndex {
  /** What the weights of a query's terms are computed from. */
  frequencies(versions: readonly VersionId[], terms: readonly string[], signal?: AbortSignal): Promise<TermFrequencies>;
  /** The best pages with their best chunks, best first. Filters are applied inside. */
  candidates(query: IndexQuery, signal?: AbortSignal): Promise<readonly CandidatePage[]>;
  /** Indexed terms that an unknown word may be a misspelling of: same beginning, about the same length. */
  suggest(versions: readonly VersionId[], word: string): Promise<readonly IndexedTerm[]>;
}

/** A query by vector. */
export interface NearestQuery {
  /** The embedding space of the vector, by its id in the store. */
  readonly space: number;
  /** A unit vector. */
  readonly vector: Float32Array;
  readonly versions: readonly VersionId[];
  readonly filter: SearchFilter;
  readonly limit: number;
}

/** A chunk with a near vector. The store decides whether it still exists. */
export interface NearestChunkRef extends PageRef {
  readonly ordinal: number;
  /** Cosine similarity, -1 to 1. */
  readonly similarity: number;
}
