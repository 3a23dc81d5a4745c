// The parts in which the engines differ: concurrent claims, locks, backup and vector search.

import type { Sha256 } from '../../../core/model/hash.ts';
import type { Stats } from '../../port.ts';
import type { ClaimRequest } from '../../port/frontier.ts';
import type { NearestRequest, StoredSpace, SpaceProgress } from '../../port/vectors.ts';
import type { Executor } from './engine.ts';
import type { Announcer } from './wakeups.ts';

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
  readonly delay_ms: number;
  readonly starts_in_ms: number;
  readonly reserved_after_ms: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly content_hash: Uint8Array | null;
  readonly pipeline_version: string | null;
  readonly alias_key: Uint8Array | null;
  readonly checked_ago: number | null;
  readonly page_kind: string | null;
}

export interface WrittenVector {
  readonly contentHash: Uint8Array;
  readonly vector: Float32Array;
}

export interface ScoredPk {
  readonly pk: number;
  readonly similarity: number;
}

/** How an engine searches vectors. */
export interface VectorParts {
  /** Raises `embed.unsupported`. */
  requireSupport(): Promise<void>;
  /** After the space was created; may be called again. */
  onSpaceOpened(space: StoredSpace): Promise<void>;
  /** Adds or replaces vectors. */
  write(tx: Executor, space: number, vectors: readonly WrittenVector[]): Promise<void>;
  /** Reads the existing vectors of these texts. */
  read(space: number, hashes: readonly Uint8Array[]): Promise<ReadonlyArray<readonly [Sha256, Float32Array]>>;
  /** See `Vectors.maintainIndex`. */
  maintainIndex(space: number, progress: SpaceProgress): Promise<void>;
  /** Best first, of the filter's versions and kinds of passages; its other conditions are not applied. May include a chunk that was removed in the meantime. */
  nearest(request: NearestRequest): Promise<readonly ScoredPk[]>;
}

export interface FileCheck {
  /** What is damaged, one line each. */
  readonly damage: readonly string[];
  /** What was not checked, and why. */
  readonly skipped: readonly string[];
}

/** Locks of chunk texts, held to the end of the transaction. They do nothing where there is one writer at a time. */
export interface TextLocks {
  /** Before texts are added or removed: until the transaction ends no space is opened. Any number of transactions may hold it. */
  holdSpaces(tx: Executor): Promise<void>;
  /** To open a space: waits for all transactions that hold the spaces. */
  lockSpaces(tx: Executor): Promise<void>;
  /**
   * Makes sure that every text has a row in each of the spaces, and that none of them is deleted by others. `insert` adds the
   * missing rows and returns how many. Any number of transactions may add the same text.
   */
  addTexts(tx: Executor, hashes: readonly Uint8Array[], spaces: number, insert: () => Promise<number>): Promise<void>;
  /** Waits for all who add or lock one of the texts. Returns how many rows there are, or more. */
  lockTexts(tx: Executor, hashes: readonly Uint8Array[]): Promise<number>;
  /** Appended to a select of texts to claim: leaves out those that another worker is claiming. */
  readonly forClaim: string;
}

/** Events in tables by ranges of their numbers, where a table can be dropped at once. */
export interface EventPartitions {
  /** Adds a range ahead of the events if that is due and no other process does it. */
  extend(): Promise<void>;
  /**
   * Drops the oldest range if all of its events are older than this, and returns how many there were. 0 if it is to be dropped later,
   * null if its events are to be deleted row by row.
   */
  retire(olderThanMs: number): Promise<number | null>;
}

export interface ClaimLimits {
  readonly maxAttempts: number;
  /** How many URLs a run may have for `dequeued` events to be written. */
  readonly queueEventMaxUrls: number;
}

export interface EngineParts {
  readonly name: 'sqlite' | 'postgres';
  /** Requeues rows whose lease or delay has expired, or fails them at the maximum of attempts; then claims due ones. One transaction. */
  claim(request: ClaimRequest, limits: ClaimLimits): Promise<readonly ClaimedRow[]>;
  /** Raises `database.newer` if another process has migrated the schema since it was opened. Called before work is taken. */
  readonly requireSchema: (tx: Executor) => Promise<void>;
  readonly announcer: Announcer;
  readonly textLocks: TextLocks;
  /** Runs work that deletes much in many transactions, so that no single commit has to move a long log into the file. */
  withShortLog<T>(work: () => Promise<T>): Promise<T>;
  /** Appended to a select whose rows are about to be changed: locks them where there can be several writers. */
  readonly forUpdate: string;
  /** Appended to a text column to compare and sort it by code points; empty where that is the default. */
  readonly byCodePoint: string;
  /** Whether the database rejected a value: its type, its size or a character in it. */
  isRejection(error: unknown): boolean;
  /** A query that returns `bytes`: the size of the database. */
  readonly databaseBytes: string;
  readonly writeAheadLog: Stats['writeAheadLog'];
  readonly vectors: VectorParts;
  /** Null where all events are in one table. */
  readonly eventPartitions: EventPartitions | null;
  /** The engine's own check of its files. `quick` is for a command that runs often. */
  checkFiles(depth: 'quick' | 'full'): Promise<FileCheck>;
  /** Raises `backup.unsupported` if another program does it. */
  backup(file: string): Promise<void>;
}
