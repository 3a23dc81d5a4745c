// The records that an external index needs from the database: the pages to index, and rows about the points that it was sent.
// The rows are right: a number that no row names is not an answer, whatever the engine holds.

import type { SearchFilter } from '../core/lexical/query/search-filter.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { PageUrl, UrlKey } from '../core/model/page-url.ts';
import type { VersionId } from '../core/model/run.ts';
import type { Chunk } from '../core/model/chunk.ts';
import type { KeyRange } from './index-parts.ts';

export interface IndexedPageKey {
  readonly version: VersionId;
  readonly key: UrlKey;
}

export interface FilteredPage {
  /** The page's URL, or the file's path inside its folder. */
  readonly path: string;
  readonly pageKind: string | null;
  readonly mediaType: string;
  readonly chunks: ReadonlyArray<Pick<Chunk, 'passageKind' | 'headings' | 'symbol'>>;
}

/** What is indexed of a page, in page order. */
export interface IndexedPage extends FilteredPage {
  readonly version: number;
  readonly chunks: ReadonlyArray<FilteredPage['chunks'][number] & Pick<Chunk, 'text' | 'contentHash'>>;
  readonly title: string;
}

/** Chunks of one page that have room in an id; the others are not indexed. A page of 10 MB has some 10,000. */
export const MAX_CHUNKS = 2 ** 16;

/** The stored form of a sample. */
export interface PackedSample {
  /** Chunks that were counted. */
  readonly chunks: number;
  /** A line for each term with its number of chunks, sorted by code units. */
  readonly terms: Uint8Array;
}

/** Two collections, pages and chunks, and the rows about them. Another form of the points is built as a new generation. */
export interface Generation {
  readonly id: number;
  /** Start of the names of its collections; unique among all libraries. */
  readonly name: string;
  /** Fingerprint of the schema of its points. */
  readonly fingerprint: string;
  /** `current` is searched; `building` replaces it once it holds every page; `dropped` is deleted after a while, and its row remains. */
  readonly state: 'building' | 'current' | 'dropped' | 'deleted';
  /** How long ago the generation was dropped. */
  readonly droppedForMs: number;
  /** The id of the database's history when it was made. */
  readonly history: string;
  /** Whether the database has gone back since: points that its rows name may have been deleted, or be of another page. */
  readonly isRolledBack: boolean;
  /** The highest number that was reserved in it. */
  readonly lastNumber: number;
  /** Position in the outbox before its versions were queued. */
  readonly position: number;
}

/** Numbers that were reserved together. No other reservation of the generation has one between `after` and the highest of them. */
export interface Reservation {
  readonly numbers: readonly number[];
  readonly after: number;
}

/** A number without a page, whose point tells that others were deleted, and the earlier ones of its kind. */
export interface DeletionMark {
  readonly number: number;
  readonly previous: readonly number[];
}

/** A page that was sent to the engine under a number, which is a new one whenever the page is indexed. */
export interface NumberedPage extends IndexedPageKey {
  readonly number: number;
  readonly chunks: number;
  /** Position in the outbox at which the page was read: its points hold every change up to it. */
  readonly position: number;
}

export interface FoundNumber extends IndexedPageKey {
  readonly number: number;
  readonly chunks: number;
  readonly url: PageUrl;
  /** A replaced number is found for a while, for queries that began before it was replaced. */
  readonly isCurrent: boolean;
}

/** In place of a version: all of them together. */
export const LIBRARY = 0 as VersionId;

/** The size of a version, or of the library, and the sample of its terms. */
export interface SampleState {
  readonly version: VersionId;
  readonly chunks: number;
  /** Whether a page has changed since it was sampled. */
  readonly isChanged: boolean;
  readonly sample: {
    readonly chunks: number;
    /** How many there were to choose from. */
    readonly ofChunks: number;
    readonly ageMs: number;
    /** Another one whenever it is refreshed. */
    readonly revision: number;
  } | null;
}

/** A page that is replaced in the index, added to it or removed from it. */
export interface Replacement {
  readonly page: IndexedPageKey;
  /** The number that was current when the page was read, and the reserved one; null if there is none. */
  readonly before: number | null;
  readonly after: number | null;
}

/** Held by one process at a time. */
export interface PartLease {
  readonly part: number;
  readonly holder: string;
}

/** Queued pages of one version and part, in the order of their keys. */
export interface QueuedPages {
  readonly part: KeyRange;
  readonly version: VersionId;
  /** Also those that are in the index and no longer in the store. */
  readonly pages: readonly IndexedPageKey[];
  /** The last key that was looked at; null at the end of the part. */
  readonly end: UrlKey | null;
  /** Another one whenever the version is queued again. */
  readonly enqueuedAt: Date;
}

/** An embedding space whose vectors the engine holds. */
export interface IndexedSpace {
  readonly id: number;
  readonly dimensions: number;
}

export interface QueuedText {
  readonly space: number;
  readonly contentHash: Sha256;
  /** Another one whenever the text gets another vector. */
  readonly revision: number;
}

/** Where to continue with the chunks that have a text. */
export interface TextCursor {
  readonly contentHash: Sha256;
  readonly after: number;
}

/** A chunk that has a text, with what filters need to know of it, and nothing that is long. */
export interface ChunkOfText extends TextCursor, IndexedPageKey, FilteredPage {
  /** The current number of its page; null if it has none. */
  readonly number: number | null;
  readonly ordinal: number;
}

export interface PointRecords {
  generations(): Promise<readonly Generation[]>;
  /**
   * With every version queued, unless one is being built, or another one than `current` is current by now. Without a current one it
   * is current immediately, so that a search finds what is indexed so far.
   */
  addGeneration(added: Pick<Generation, 'name' | 'fingerprint'>, current: number | null): Promise<void>;
  /** The generation becomes current, and the one that was is dropped. False if it is not being built any more. */
  switchTo(generation: number): Promise<boolean>;
  /** Drops a generation that is not current and deletes rows of it, about this many; true when there are none left. */
  dropGeneration(generation: number, limit: number): Promise<boolean>;
  /** Number of stored pages and chunks. */
  stored(): Promise<{ readonly pages: number; readonly chunks: number }>;

  /** What is indexed of some pages; those without chunks are left out. */
  read(pages: readonly IndexedPageKey[]): Promise<ReadonlyArray<IndexedPage & IndexedPageKey>>;
  /** The current numbers of some pages. */
  numbersOf(generation: number, pages: readonly IndexedPageKey[]): Promise<readonly NumberedPage[]>;
  /** Takes a number for each page before it is sent, in the order of the pages. */
  reserve(generation: number, pages: ReadonlyArray<Omit<NumberedPage, 'number'>>): Promise<Reservation>;
  /** One transaction. Leaves out each page whose current number is not `before` any more; returns which were published. */
  publish(generation: number, pages: readonly Replacement[]): Promise<readonly boolean[]>;
  /** Numbers that were replaced longer than `graceMs` ago, or reserved longer than `abandonedMs` ago and never published. */
  replaced(
    generation: number,
    ages: { readonly graceMs: number; readonly abandonedMs: number },
    limit: number,
  ): Promise<ReadonlyArray<Pick<NumberedPage, 'number' | 'chunks'>>>;
  /** Takes a number that is sent before points are deleted: a database that has gone back to before it does not know it. */
  markDeletion(generation: number): Promise<DeletionMark>;
  /** After their points were deleted. */
  release(numbers: readonly number[]): Promise<void>;

  /** The pages of numbers that the engine returned; those that no row names are left out. */
  find(numbers: readonly number[]): Promise<readonly FoundNumber[]>;
  /** Ordinals of the chunks that pass the filter, by page number; a page without such a chunk is left out. */
  admitted(pages: readonly FoundNumber[], filter: SearchFilter): Promise<ReadonlyMap<number, readonly number[]>>;

  /** The state of the library first, then of every version that has chunks. */
  sampleStates(): Promise<readonly SampleState[]>;
  /** Pages of a version that have chunks, in an order that does not depend on what they are about. */
  samplePages(version: VersionId, limit: number): Promise<readonly IndexedPageKey[]>;
  sample(version: VersionId): Promise<PackedSample | null>;
  saveSample(version: VersionId, sample: PackedSample, ofChunks: number): Promise<void>;

  /** The spaces whose vectors the engine holds: that of the current model, and the one before it, which is searched in the meantime. */
  spaces(): Promise<readonly IndexedSpace[]>;
  vectors(space: number, texts: readonly Sha256[]): Promise<ReadonlyMap<Sha256, Float32Array>>;
  /** Texts that got a vector and were not sent since. */
  queuedTexts(limit: number, part?: KeyRange): Promise<readonly QueuedText[]>;
  /** Leaves those that got another vector in the meantime. */
  dequeueTexts(texts: readonly QueuedText[]): Promise<void>;
  /** How many texts of a space were not sent since they got their vector. */
  countQueuedTexts(space: number): Promise<number>;
  /** The next chunks that have each of the texts, up to `limit` for each, with the current numbers of their pages. */
  chunksOfTexts(generation: number, texts: readonly TextCursor[], limit: number): Promise<readonly ChunkOfText[]>;
  /** Numbers whose points are being sent. */
  reserved(generation: number): Promise<readonly NumberedPage[]>;

  /** Takes the lease of a part, unless another process holds it: then null. It ends by itself unless it is renewed. */
  lease(part: number, leaseMs: number): Promise<PartLease | null>;
  renewLease(lease: PartLease, leaseMs: number): Promise<void>;
  releaseLease(lease: PartLease): Promise<void>;

  /** Queues every page of a version. */
  queueVersion(generation: number, version: VersionId): Promise<void>;
  /** Null if none are queued. */
  nextQueued(generation: number, limit: number, part: KeyRange): Promise<QueuedPages | null>;
  /** Does nothing if the version was queued again in the meantime. */
  dequeue(generation: number, queued: QueuedPages): Promise<void>;
  /** Queued pages, counted up to `max`, and for how long the first of them has waited. */
  queued(generation: number, max: number): Promise<{ readonly pages: number; readonly ageMs: number }>;
  isQueued(generation: number, version: VersionId): Promise<boolean>;

  /** Current pages after a number, in the order of their numbers. */
  list(generation: number, after: number, limit: number): Promise<readonly NumberedPage[]>;
  /** The numbers that have a row, current or not. */
  existing(numbers: readonly number[]): Promise<ReadonlySet<number>>;
  /** Pages of the store without a current number and current numbers without a page, one line each, up to `limit`. */
  compare(generation: number, limit: number): Promise<readonly string[]>;
}
