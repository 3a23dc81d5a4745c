// The outbox: which pages changed, in the order of the commits, for consumers outside the database.

import type { KeyRange } from '../../ports/index-parts.ts';
import type { ChunkId } from '../../core/model/chunk.ts';
import type { PageUrl, UrlKey } from '../../core/model/page-url.ts';
import type { SourceId, VersionId } from '../../core/model/run.ts';

export interface Change {
  /** Grows in commit order, without gaps. */
  readonly position: number;
  readonly at: Date;
  readonly version: VersionId;
  readonly source: SourceId;
  readonly page: UrlKey;
  readonly url: PageUrl;
  /** The position: greater with each change of the page, even after it was removed and added again. */
  readonly revision: number;
  /**
   * What became of the page in the index. One without chunks is not there: a duplicate is `removed` when it becomes an alias, and `new` when
   * it is a page again.
   */
  readonly kind: 'new' | 'changed' | 'removed';
  /** Both are empty where only title, headings or order changed. */
  readonly added: readonly ChunkId[];
  readonly removed: readonly ChunkId[];
  /** A change of a source that the caller may not see: only its position counts. */
  readonly isHidden?: boolean;
}

/** The positions of this database. */
export interface ChangeRange {
  /** Id of this library: positions mean nothing in another one. */
  readonly library: string;
  /** 0 in a new library. */
  readonly latest: number;
  /** The lowest position that `after` accepts. */
  readonly oldest: number;
}

/** A page that can be found, as a consumer lists it. */
export interface PageChunkIds {
  readonly page: UrlKey;
  readonly url: PageUrl;
  readonly changedAt: Date;
  /** Chunks in page order. */
  readonly chunks: readonly ChunkId[];
}

/** A version by the names that a user knows; of a removed source, as it was called. */
export interface NamedVersion {
  readonly version: VersionId;
  readonly source: string;
  readonly label: string;
  readonly isRemoved: boolean;
}

/**
 * A row is written in the transaction that changed the chunks of the page, by a settlement, a reprocessing, a deduplication, a confirmed
 * deletion or the removal of its source, and outlives both. A page that is removed with its source may have more than one `removed` row, each with
 * some of its chunks.
 *
 * A reader that has seen a position never finds a lower one later. It may see a row twice, if it is ended before it saves its position,
 * so it applies them idempotently, by page and revision.
 *
 * A consumer begins with `latest`, reads all pages, and then follows from that position. So it does when its position has
 * expired, or when it was never there.
 */
export interface Changes {
  /**
   * In order. Raises `changes.expired` if rows after the position were compacted, and for a position that was never assigned, which was read
   * from a database that has since been restored from an older backup. With `keys`, of the pages in this range alone.
   */
  after(position: number, limit: number, keys?: KeyRange): Promise<readonly Change[]>;
  range(): Promise<ChangeRange>;
  /** When the change was made; null for one that was compacted or that was never there. A restored database gives a position to another change. */
  timeOf(position: number): Promise<Date | null>;
  /** Pages with the ids of their chunks, in URL-key order after the key `after`; `after` of the result is null at the end. */
  listPages(
    version: VersionId,
    after: UrlKey | null,
    limit: number,
  ): Promise<{ readonly pages: readonly PageChunkIds[]; readonly after: UrlKey | null }>;
  /** Every version, and those of removed sources whose changes are kept, by id. */
  versions(): Promise<readonly NamedVersion[]>;
  /** 0 in a new library. */
  latest(): Promise<number>;
  /** The lowest position that `after` accepts. */
  oldestComplete(): Promise<number>;
  /** Where a consumer is; null if it never saved a position. */
  consumer(name: string): Promise<number | null>;
  /** Saves the position of a consumer. Never moves it back: a process that was presumed dead may be late. */
  advance(name: string, position: number): Promise<void>;
  /**
   * Looks at up to `limit` of the rows that are older than this, and keeps of each page the newest, unless the page is removed. Returns
   * how many it looked at. The time is that of `Journal.advanceExpiry`.
   */
  compact(olderThanMs: number, limit: number): Promise<number>;
}
