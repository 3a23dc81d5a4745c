// What an engine outside of the database needs of the database: the pages to index, and rows about the points that it was sent.
// The rows are right: a number that no row names is not an answer, whatever the engine holds.

import type { IndexedTerm } from '../query/index-query.ts';
import type { SearchFilter } from '../query/search-filter.ts';
import type { Sha256 } from '../../model/hash.ts';
import type { PageUrl, UrlKey } from '../../model/page-url.ts';
import type { VersionId } from '../../model/run.ts';
import type { IndexedPage, PageTerm } from './page-points.ts';

export interface PageKey {
  readonly version: VersionId;
  readonly key: UrlKey;
}

/** Two collections, pages and chunks, and the rows about them. Another form of the points is built as a new generation. */
export interface Generation {
  readonly id: number;
  /** Start of the names of its collections; unique among all libraries. */
  readonly name: string;
  /** Of the form of its points. */
  readonly fingerprint: string;
  /** `current` is searched; `building` replaces it once it holds every page; `dropped` is deleted after a while, and its row remains. */
  readonly state: 'building' | 'current' | 'dropped' | 'deleted';
  /** Of a dropped one. */
  readonly droppedForMs: number;
}

/** A page that was sent to the engine under a number, which is a new one whenever the page is indexed. */
export interface NumberedPage extends PageKey {
  readonly number: number;
  readonly chunks: number;
  /** Position in the outbox at which the page was read: its points hold every change up to it. */
  readonly position: number;
}

export interface FoundNumber extends PageKey {
  readonly number: number;
  readonly chunks: number;
  readonly url: PageUrl;
  /** A replaced number is found for a while, for queries that began before it was replaced. */
  readonly isCurrent: boolean;
}

export interface PointScope {
  readonly chunks: number;
  /** In the order of the terms. */
  readonly docFrequencies: readonly number[];
  /** Whether no other version has pages. */
  readonly isEverything: boolean;
}

/** A page that is replaced in the index, added to it or removed from it. */
export interface Replacement {
  readonly page: PageKey;
  /** The number that was current when the page was read, and the reserved one; null if there is none. */
  readonly before: number | null;
  readonly after: number | null;
  readonly added: readonly PageTerm[];
  readonly removed: ReadonlyArray<Pick<PageTerm, 'id' | 'chunks'>>;
}

/** Queued pages of one version, in the order of their keys. */
export interface QueuedPages {
  readonly version: VersionId;
  /** Also those that are in the index and no longer in the store. */
  readonly pages: readonly PageKey[];
  /** The last key that was looked at; null at the end of the version. */
  readonly end: UrlKey | null;
}

/** An embedding space whose vectors the engine holds. */
export interface VectorSpace {
  readonly id: number;
  readonly dimensions: number;
}

export interface QueuedText {
  readonly space: number;
  readonly contentHash: Sha256;
}

export interface PointRecords {
  generations(): Promise<readonly Generation[]>;
  /**
   * With every version queued, unless one is being built, or another one than `current` is current by now. Without a current one it
   * is current immediately, so that a search finds what is indexed so far.
   */
  addGeneration(added: Pick<Generation, 'name' | 'fingerprint'>, current: number | null): Promise<void>;
  /** The generation becomes current, and the one that was is dropped. */
  switchTo(generation: number): Promise<void>;
  /** Drops a generation and deletes rows of it, about this many; true when there are none left. */
  forget(generation: number, limit: number): Promise<boolean>;
  /** Number of stored pages and chunks. */
  stored(): Promise<{ readonly pages: number; readonly chunks: number }>;

  /** What is indexed of some pages; those without chunks are left out. */
  read(pages: readonly PageKey[]): Promise<ReadonlyArray<IndexedPage & PageKey>>;
  /** The current numbers of some pages. */
  numbersOf(generation: number, pages: readonly PageKey[]): Promise<readonly NumberedPage[]>;
  /** Takes a number for each page before it is sent, in the order of the pages. */
  reserve(generation: number, pages: ReadonlyArray<Omit<NumberedPage, 'number'>>): Promise<readonly number[]>;
  /** One transaction. Leaves out each page whose current number is not `before` any more; returns which were published. */
  publish(generation: number, pages: readonly Replacement[]): Promise<readonly boolean[]>;
  /** Numbers that were replaced longer than `graceMs` ago, or reserved longer than `abandonedMs` ago and never published. */
  replaced(
    generation: number,
    ages: { readonly graceMs: number; readonly abandonedMs: number },
    limit: number,
  ): Promise<ReadonlyArray<Pick<NumberedPage, 'number' | 'chunks'>>>;
  /** After their points were deleted. */
  release(numbers: readonly number[]): Promise<void>;

  /** The pages of numbers that the engine returned; those that no row names are left out. */
  find(numbers: readonly number[]): Promise<readonly FoundNumber[]>;
  /** Ordinals of the chunks that pass the filter, by page number; a page without such a chunk is left out. */
  admitted(pages: readonly FoundNumber[], filter: SearchFilter): Promise<ReadonlyMap<number, readonly number[]>>;
  scope(generation: number, versions: readonly VersionId[], terms: readonly number[]): Promise<PointScope>;
  termsWithPrefix(
    generation: number,
    versions: readonly VersionId[],
    prefix: string,
    length: { readonly min: number; readonly max: number },
  ): Promise<readonly IndexedTerm[]>;

  /** The spaces whose vectors the engine holds: that of the current model, and the one before it, which is searched meanwhile. */
  spaces(): Promise<readonly VectorSpace[]>;
  vectors(space: number, texts: readonly Sha256[]): Promise<ReadonlyMap<Sha256, Float32Array>>;
  /** Texts that got a vector and were not sent since. */
  queuedTexts(limit: number): Promise<readonly QueuedText[]>;
  dequeueTexts(texts: readonly QueuedText[]): Promise<void>;
  pagesWithTexts(texts: readonly Sha256[]): Promise<readonly PageKey[]>;
  /** Numbers whose points are being sent. */
  reserved(generation: number): Promise<readonly NumberedPage[]>;

  /** Queues every page of a version. */
  queueVersion(generation: number, version: VersionId): Promise<void>;
  /** Null if none are queued. */
  nextQueued(generation: number, limit: number): Promise<QueuedPages | null>;
  dequeue(generation: number, queued: QueuedPages): Promise<void>;
  /** Queued pages, counted up to `max`, and for how long the first of them has waited. */
  queued(generation: number, max: number): Promise<{ readonly pages: number; readonly ageMs: number }>;
  isQueued(generation: number, version: VersionId): Promise<boolean>;

  /** Current pages after a number, in the order of their numbers. */
  list(generation: number, after: number, limit: number): Promise<readonly NumberedPage[]>;
  /** Whether numbers have a row, current or not. */
  known(numbers: readonly number[]): Promise<ReadonlySet<number>>;
  /** Pages of the store without a current number and current numbers without a page, one line each, up to `limit`. */
  compare(generation: number, limit: number): Promise<readonly string[]>;
}
