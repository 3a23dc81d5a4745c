// What truly differs between the engines: taking claims under concurrency, opening lanes, and full text.

import type { ClaimRequest, SearchRows } from '../port.ts';
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
}

/** A chunk row that came or went with a page. */
export interface SearchableChunk {
  readonly pk: number;
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
}

export interface SearchChange {
  readonly version: number;
  readonly key: Uint8Array;
  readonly removed: readonly number[];
  readonly added: readonly SearchableChunk[];
}

export interface EngineParts {
  readonly name: 'sqlite' | 'postgres';
  /** Returns rows whose lease or wait has ended to the queue, or gives them up at the cap; then takes due ones. One transaction. */
  claim(request: ClaimRequest, maxAttempts: number): Promise<readonly ClaimedRow[]>;
  /** Held to the end of the transaction by everyone who adds or removes chunk texts while a space exists. */
  lockTexts(tx: Executor): Promise<void>;
  /** Writes search rows in the same transaction, or queues the pages for the indexer. */
  searchChanged(tx: Executor, changes: readonly SearchChange[]): Promise<void>;
  /** Removes the search rows of the version; called before its chunks go. */
  searchDropped(tx: Executor, version: number, chunkPks: readonly number[]): Promise<void>;
  readonly searchRows: SearchRows;
  /** Rows that break "each live chunk has exactly one search row": the one invariant that each engine says its own way. */
  readonly searchInvariant: string;
}
