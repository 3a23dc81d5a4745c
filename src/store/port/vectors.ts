// Vectors of chunk texts, and the queue that makes them.

import type { SearchFilter } from '../../core/lexical/query/search-filter.ts';
import type { Sha256 } from '../../core/model/hash.ts';
import type { VersionId } from '../../core/model/run.ts';
import type { JsonObject } from './json.ts';
import type { FoundChunk } from './search-index.ts';

export type SpaceId = number & { readonly __brand: 'space' };

export interface Space {
  readonly id: SpaceId;
  /** Model, revision, dtype, pooling, prefix and dimensions in one string: equal fingerprints, comparable vectors. */
  readonly fingerprint: string;
  readonly dimensions: number;
}

export interface EmbeddingClaim {
  readonly space: SpaceId;
  readonly contentHash: Sha256;
  readonly text: string;
  /** Of the chunks with this text; empty where they stand under different ones. */
  readonly headings: readonly string[];
  readonly worker: string;
  readonly fence: number;
  readonly attempts: number;
}

export type EmbeddingOutcome =
  | { readonly kind: 'embedded'; readonly vector: Float32Array }
  | { readonly kind: 'retry'; readonly inMs: number; readonly reason: string }
  /** Given back untried: the claim does not count as an attempt. */
  | { readonly kind: 'released' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface EmbeddingSettlement {
  readonly claim: EmbeddingClaim;
  readonly outcome: EmbeddingOutcome;
}

export interface NearestRequest {
  readonly space: SpaceId;
  /** Of length 1, in the space. */
  readonly vector: Float32Array;
  readonly versions: readonly VersionId[];
  readonly filter: SearchFilter;
  readonly limit: number;
}

export interface NearChunk extends FoundChunk {
  /** Cosine, -1 to 1, exact. */
  readonly similarity: number;
}

export interface SpaceProgress {
  readonly wanted: number;
  readonly embedded: number;
  readonly failed: number;
}

/** Vectors are keyed by space and chunk text, so that an unchanged text is never embedded twice. Spaces never mix. */
export interface Vectors {
  /** Same fingerprint, same space. Every chunk text of the store becomes wanted in a new one. */
  openSpace(fingerprint: string, dimensions: number, settings: JsonObject): Promise<Space>;
  /** Null where no space has the fingerprint. */
  findSpace(fingerprint: string): Promise<Space | null>;
  spaces(): Promise<readonly Space[]>;
  /** Whether near vectors can be found here; raises `embed.unsupported` where the database lacks what it takes. */
  requireSearch(): Promise<void>;
  claim(space: SpaceId, worker: string, limit: number, leaseMs: number): Promise<readonly EmbeddingClaim[]>;
  /** One transaction; answers in the order of the settlements. A vector of a superseded claim is not kept. */
  settle(settlements: readonly EmbeddingSettlement[]): Promise<ReadonlyArray<'settled' | 'superseded'>>;
  /**
   * Gives texts of a version that want one a vector that was made elsewhere, in the same space; returns how many. A text that
   * has one keeps it, and whoever is at work on it is superseded.
   */
  keep(
    space: SpaceId,
    version: VersionId,
    vectors: ReadonlyArray<{ readonly contentHash: Sha256; readonly vector: Float32Array }>,
  ): Promise<number>;
  of(space: SpaceId, texts: readonly Sha256[]): Promise<ReadonlyMap<Sha256, Float32Array>>;
  /** The chunks nearest to a vector, best first. Every one is alive and passes the filter. */
  nearest(request: NearestRequest): Promise<readonly NearChunk[]>;
  progress(space: SpaceId): Promise<SpaceProgress>;
}
