// What truly differs between the engines: taking claims under concurrency, opening lanes, locks and near vectors.

import type { ClaimRequest, NearestRequest, Space } from '../../port.ts';
import type { Executor } from './engine.ts';

export interface ClaimedRow {
  readonly version_id: number;
  readonly url_key: Uint8Array;
  readonly run_id: number;
  readonly source_id: number;
  readonly url: string;
  readonly depth: number;
  readonly found_by: number;
  readonly fence: number;
  readonly attempts: number;
  readonly crashes: number;
  readonly hops: number;
  readonly pace_ms: number;
  readonly starts_in_ms: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly content_hash: Uint8Array | null;
  readonly made_by: string | null;
  readonly alias_key: Uint8Array | null;
  readonly checked_ago: number | null;
  readonly page_kind: string | null;
}

/** A page whose words or whose order of chunks changed. */
export interface SearchChange {
  readonly version: number;
  readonly key: Uint8Array;
}

export interface WrittenVector {
  readonly contentHash: Uint8Array;
  readonly vector: Float32Array;
}

export interface NearPk {
  readonly pk: number;
  readonly similarity: number;
}

/** How an engine finds near vectors. */
export interface VectorParts {
  /** Raises `embed.unsupported`. */
  require(): Promise<void>;
  /** After the space is there; may be called again. */
  opened(space: Space): Promise<void>;
  /** In the transaction that wrote them. */
  written(tx: Executor, space: number, vectors: readonly WrittenVector[]): Promise<void>;
  /** Best first. A chunk that went meanwhile may be among them. */
  nearest(request: NearestRequest): Promise<readonly NearPk[]>;
}

export interface EngineParts {
  readonly name: 'sqlite' | 'postgres';
  /** Returns rows whose lease or wait has ended to the queue, or gives them up at the cap; then takes due ones. One transaction. */
  claim(request: ClaimRequest, maxAttempts: number): Promise<readonly ClaimedRow[]>;
  /** Held to the end of the transaction by everyone who adds or removes chunk texts while a space exists. */
  lockTexts(tx: Executor): Promise<void>;
  /** Added to a select whose rows are about to be changed: keeps two writers apart where two may write at once. */
  readonly forUpdate: string;
  /** A select of `bytes`: the size of the database. */
  readonly databaseBytes: string;
  readonly vectors: VectorParts;
  /** Raises `backup.elsewhere` where another program does it. */
  backup(file: string): Promise<void>;
}
