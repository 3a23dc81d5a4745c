// Vectors of chunk texts, and the queue of texts to embed.

import type { SearchFilter } from '../../core/lexical/query/search-filter.ts';
import type { Sha256 } from '../../core/model/hash.ts';
import type { VersionId } from '../../core/model/run.ts';
import type { EmbeddingSpace } from '../../core/vector/space.ts';
import type { JsonObject } from './json.ts';
import type { FoundChunk } from '../../core/lexical/query/index-reader.ts';

export type SpaceId = number & { readonly __brand: 'space' };

export interface StoredSpace extends EmbeddingSpace {
  readonly id: SpaceId;
}

export interface EmbeddingClaim {
  readonly space: SpaceId;
  readonly contentHash: Sha256;
  readonly text: string;
  /** Headings of the chunks with this text; empty if they differ. */
  readonly headings: readonly string[];
  readonly worker: string;
  readonly fence: number;
  readonly attempts: number;
}

export type EmbeddingOutcome =
  | { readonly kind: 'embedded'; readonly vector: Float32Array }
  | { readonly kind: 'retry'; readonly inMs: number; readonly reason: string }
  /** Returned without a try: the claim does not count as an attempt. */
  | { readonly kind: 'released' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface EmbeddingSettlement {
  readonly claim: EmbeddingClaim;
  readonly outcome: EmbeddingOutcome;
}

export interface NearestRequest {
  readonly space: SpaceId;
  /** A unit vector of the space. */
  readonly vector: Float32Array;
  readonly versions: readonly VersionId[];
  readonly filter: SearchFilter;
  readonly limit: number;
}

export interface NearestChunk extends FoundChunk {
  /** Exact cosine similarity, -1 to 1. */
  readonly similarity: number;
}

export interface SpaceProgress {
  readonly pending: number;
  readonly embedded: number;
  readonly failed: number;
}

/** Vectors are keyed by space and chunk text, so that an unchanged text is never embedded twice. Spaces never mix. */
export interface Vectors {
  /** Returns the existing space for a known fingerprint. In a new space every chunk text of the store becomes pending. */
  openSpace(fingerprint: string, dimensions: number, settings: JsonObject): Promise<StoredSpace>;
  /** Null if no space has the fingerprint. */
  findSpace(fingerprint: string): Promise<StoredSpace | null>;
  spaces(): Promise<readonly StoredSpace[]>;
  /** Raises `embed.unsupported` if the database does not support vector search. */
  requireSearch(): Promise<void>;
  claim(space: SpaceId, worker: string, limit: number, leaseMs: number): Promise<readonly EmbeddingClaim[]>;
  /** One transaction; results in the order of the settlements. The vector of a superseded claim is discarded. */
  settle(settlements: readonly EmbeddingSettlement[]): Promise<ReadonlyArray<'settled' | 'superseded'>>;
  /**
   * Imports vectors of the same space that were computed elsewhere, for pending texts of a version; returns how many. A text
   * that has a vector keeps it, and an outstanding claim of an imported text is superseded.
   */
  importVectors(
    space: SpaceId,
    version: VersionId,
    vectors: ReadonlyArray<{ readonly contentHash: Sha256; readonly vector: Float32Array }>,
  ): Promise<number>;
  byContentHash(space: SpaceId, texts: readonly Sha256[]): Promise<ReadonlyMap<Sha256, Float32Array>>;
  /**
   * Call it from time to time while a space is filled, and do not wait for it. Where `nearest` needs an index, builds it once most
   * texts have their vectors, which may take hours, and drops it before a load after which building it again is cheaper.
   */
  maintainIndex(space: SpaceId): Promise<void>;
  /**
   * The chunks nearest to a vector, best first. All of them exist and pass the filter. None where there are too many to be compared and
   * their index is not built yet.
   */
  nearest(request: NearestRequest): Promise<readonly NearestChunk[]>;
  progress(space: SpaceId): Promise<SpaceProgress>;
}
