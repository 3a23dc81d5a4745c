// Where the pages of a library are copied to.

import type { ChunkRecord, PageRecord } from '../core/export/records/page-records.ts';
import type { EmbeddingSpace } from '../core/vector/space.ts';

/**
 * A page in the library: its version stays the same when its source is renamed.
 *
 * @example
 * const keyOf = ({ versionId, url }: PageKey): string => `${versionId} ${url}`;
 */
export interface PageKey {
  readonly versionId: number;
  readonly url: string;
}

/** Which library version a record is of, for the sink itself. */
interface Versioned {
  readonly library_version_id: number;
}

/**
 * @example
 * const textOf = ({ chunks }: SinkContent): string => chunks.map(({ chunk_text }) => chunk_text).join('\n');
 */
export interface SinkContent {
  readonly page: PageRecord & Versioned;
  readonly chunks: ReadonlyArray<ChunkRecord & Versioned>;
  /** By the id of a chunk; those of texts that could not be embedded are missing. */
  readonly vectors: ReadonlyMap<string, readonly number[]>;
  readonly space: EmbeddingSpace | null;
}

/**
 * @example
 * const isDeleted = ({ content }: SinkPage): boolean => content === null;
 */
export interface SinkPage extends PageKey {
  /** Null if the library no longer has the page. */
  readonly content: SinkContent | null;
}

/**
 * A copy of a library with the position up to which it is current. One process writes at a time.
 *
 * A page is replaced as a whole, so writing it again changes nothing. The position is saved after the pages that it stands for: a sink that was killed
 * between the two writes some pages again, and misses none.
 *
 * @example
 * const copy = async (sink: Sink): Promise<void> => {
 *   await runSink(library, sink);
 *   await sink.close();
 * };
 */
export interface Sink {
  readonly wantsVectors: boolean;
  /** Pages are collected up to this size before they are written. */
  readonly batchBytes: number;
  /** Each write rewrites the whole copy: what changes is collected for ten times as long as the last write took. */
  readonly rewritesAll?: true;
  /**
   * The saved position; null if there is none, or nothing that it could stand for. A copy that one process at a time may write is held until
   * `release`; raises `sink.busy` if another one holds it.
   */
  open(): Promise<string | null>;
  /** Whatever happened since it was opened. */
  release?(): void | Promise<void>;
  write(pages: readonly SinkPage[], signal: AbortSignal): Promise<void>;
  save(position: string): Promise<void>;
  /** Every page that the copy has, each once or more. */
  stored(): AsyncIterable<PageKey>;
  /** What its user should know, such as why there are no vectors. */
  notes(): readonly string[];
  close(): Promise<void>;
}
