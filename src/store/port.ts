// What the store promises. Both engines keep every sentence; test/contract holds them to it.
//
// Time is the database's: no caller passes a clock. Every write is idempotent, so that a caller who does not know
// whether a commit arrived may send it again. A reader sees a page's old chunks or its new ones, never a mixture.
// After a kill at any point no URL is lost, no page doubled, no chunk orphaned, and counters equal rows.

import type { SearchFilter } from '../core/lexical/search-filter.ts';
import type { SegmentPostings } from '../core/lexical/segment.ts';
import type { Chunk } from '../core/model/chunk.ts';
import type { OutlineEntry } from '../core/model/document.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { OutcomeName } from '../core/model/outcome.ts';
import type { PageUrl, UrlKey } from '../core/model/page-url.ts';
import type { EndedRunState, RunId, RunMode, RunState, SourceId, VersionId } from '../core/model/run.ts';
import type { Hosts, Turn } from './hosts-port.ts';
import type { Journal } from './journal-port.ts';
import type { Tokens } from './tokens-port.ts';
import type { JsonObject } from './json.ts';

export type { Json, JsonObject } from './json.ts';
export type { AccessToken, Tokens } from './tokens-port.ts';
export type { Hosts, HostState, RobotsFile, Turn } from './hosts-port.ts';
export type { JournalEvent, EventQuery, Problem, Journal } from './journal-port.ts';

export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  readonly sources: Sources;
  readonly runs: Runs;
  readonly frontier: Frontier;
  readonly hosts: Hosts;
  readonly pages: Pages;
  readonly searchRows: SearchRows;
  readonly vectors: Vectors;
  readonly figures: Figures;
  readonly journal: Journal;
  readonly tokens: Tokens;
  /** Checks every invariant and returns what breaks one; an empty list means that all hold. */
  verify(): Promise<readonly Violation[]>;
  /** Writes the whole database to a new file, as it stands at one moment, while others write. Raises `backup.elsewhere`. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

// ---- sources and their versions

export interface SourceDefinition {
  /** Unique, chosen by the user or derived from the start. */
  readonly name: string;
  readonly kind: 'web' | 'folder';
  /** Where the source begins: a URL or a path. */
  readonly start: string;
  readonly settings: JsonObject;
}

export interface Source extends SourceDefinition {
  readonly id: SourceId;
  readonly createdAt: Date;
  readonly versions: readonly Version[];
}

export interface Version {
  readonly id: VersionId;
  /** What the user called it; the empty string where no version was given. */
  readonly label: string;
}

export interface Sources {
  /** Creates the source with one version. A taken name raises `source.exists`. */
  add(definition: SourceDefinition, versionLabel: string): Promise<Source>;
  byName(name: string): Promise<Source | null>;
  list(): Promise<readonly Source[]>;
  /**
   * Removes the source and all that belongs to it, in steps that survive a kill: a half-removed source is invisible
   * at once and is finished by the next call of `finishRemovals`. Workers that still hold claims of it are superseded.
   */
  remove(source: SourceId): Promise<void>;
  finishRemovals(): Promise<void>;
  /** What is known of a version as a whole, computed by its runs: the Markdown route of its host, masks. */
  facts(version: VersionId): Promise<JsonObject>;
  keepFacts(version: VersionId, facts: JsonObject): Promise<void>;
  /** A text that a crawl starts from, such as llms-full.txt; null where none is kept. */
  file(version: VersionId, name: string): Promise<DiscoveryFile | null>;
  keepFile(version: VersionId, name: string, file: DiscoveryFile): Promise<void>;
}

export interface DiscoveryFile {
  readonly url: PageUrl;
  readonly body: StoredBody;
}

// ---- runs

export interface Run {
  readonly id: RunId;
  readonly source: SourceId;
  readonly version: VersionId;
  readonly state: RunState;
  readonly mode: RunMode;
  readonly settings: JsonObject;
  /** Why the run ended as it did; null while it lives. */
  readonly reason: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly counts: RunCounts;
}

/** `found` is every URL accepted into the run; the outcomes but `refused` add up to it once the run is drained. */
export type RunCounts = Readonly<Record<OutcomeName | 'found' | 'bytes', number>>;

export interface RunLease {
  readonly run: Run;
  readonly worker: string;
  /** Grows with each lease of this run. What an older lease asks for is refused. */
  readonly fence: number;
}

/**
 * A live run has at most one conductor at a time: the holder of its lease. Claims of URLs are open to every worker.
 * At most one run of a source lives at a time.
 */
export interface Runs {
  /** Raises `source.busy` where a run of the source lives already, `database.full` where no new work may begin. */
  start(version: VersionId, mode: RunMode, settings: JsonObject): Promise<Run>;
  byId(run: RunId): Promise<Run | null>;
  /** Newest first; of one source where it is given. */
  list(limit: number, source?: SourceId): Promise<readonly Run[]>;
  /** Every run that has not ended, oldest first. */
  live(): Promise<readonly Run[]>;
  /** Takes a live run that has no conductor, or whose conductor's lease has ended; a queued run becomes running. */
  lease(worker: string, leaseMs: number): Promise<RunLease | null>;
  /** False when the lease was lost to another conductor: stop at once. */
  renew(lease: RunLease, leaseMs: number): Promise<boolean>;
  /** Lets another conductor take over without waiting for the lease to end. */
  release(lease: RunLease): Promise<void>;
  /** Asks a live run to pause, go on, or stop. False when the run is not in a state that allows it. */
  control(run: RunId, wish: 'pause' | 'resume' | 'stop'): Promise<boolean>;
  /** Settles up to `limit` unasked URLs as dropped; returns how many. Needed before a stopped run can end. */
  dropUnasked(lease: RunLease, reason: string, limit: number): Promise<number>;
  /** Ends a drained run. False when the lease is lost or the frontier still holds work. */
  finish(lease: RunLease, state: EndedRunState, reason: string | null): Promise<boolean>;
}

// ---- the frontier

/** Which level of the discovery cascade found a URL. */
export const FOUND_BY = ['seed', 'llms-txt', 'llms-full', 'sitemap', 'link', 'known'] as const;
export type FoundBy = (typeof FOUND_BY)[number];

export interface Offer {
  readonly url: PageUrl;
  readonly depth: number;
  readonly foundBy: FoundBy;
  /** Lower is asked earlier within its host. */
  readonly rank: number;
  /** Redirects in a row that led here; 0 unless given. */
  readonly hops?: number;
  /** The page that links to it, by its address or by its key. */
  readonly parent: PageUrl | UrlKey | null;
  /** Whose pace it obeys; the URL's own host unless given. Pages of a bundle are read from a file, so nobody is asked. */
  readonly host?: string;
}

/** A URL that was never asked, with the rule that refused it. */
export interface Refusal {
  readonly url: PageUrl;
  readonly depth: number;
  readonly foundBy: FoundBy;
  readonly reason: string;
  readonly parent: PageUrl | UrlKey | null;
}

export interface Claim extends Turn {
  readonly run: RunId;
  readonly source: SourceId;
  readonly version: VersionId;
  readonly worker: string;
  readonly url: PageUrl;
  readonly depth: number;
  readonly foundBy: FoundBy;
  /** Grows with every claim of this URL. A settlement with an older fence is refused. */
  readonly fence: number;
  /** Claims of this URL in this run, this one included. */
  readonly attempts: number;
  /** Claims of this URL in this run that ended with their lease: its worker died or stalled. */
  readonly crashes: number;
  /** Redirects and canonical links in a row that led here. */
  readonly hops: number;
  readonly known: KnownPage | null;
}

export interface KnownPage {
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly contentHash: Sha256;
  /** Names and versions of the extractor and chunker that made the stored document; empty for one to be made again. */
  readonly madeBy: string;
  /** The key of the page that stands for it, where it is folded. */
  readonly aliasOf: UrlKey | null;
}

export type Outcome =
  | { readonly kind: 'indexed'; readonly page: PageContent; readonly chunks: readonly Chunk[] }
  | { readonly kind: 'unchanged'; readonly etag: string | null; readonly lastModified: string | null }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'moved'; readonly to: PageUrl }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Not settled: asked again after the wait. */
  | { readonly kind: 'retry'; readonly reason: string; readonly inMs: number };

export interface PageContent {
  readonly title: string;
  readonly description: string | null;
  readonly language: string | null;
  readonly mediaType: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** SHA-256 of `text`. */
  readonly contentHash: Sha256;
  readonly text: string;
  /** Equal for pages that say the same; null for one that is never folded into another. */
  readonly twinHash: Sha256 | null;
  /** The address that the page gives for itself, where a crawl may take it. */
  readonly canonical: PageUrl | null;
  readonly outline: readonly OutlineEntry[];
  readonly madeBy: string;
  /** What was learnt of the page beside its text: kind, timing, headers. */
  readonly facts: JsonObject;
  /** The bytes as they were received, for extracting again without the network; null where they are not kept. */
  readonly body: StoredBody | null;
}

export interface StoredBody {
  readonly encoding: 'identity' | 'zstd' | 'deflate';
  readonly bytes: Uint8Array;
}

/** A URL as an earlier run left it. */
export interface KnownUrl {
  readonly url: PageUrl;
  readonly depth: number;
  readonly foundBy: FoundBy;
  readonly parent: UrlKey | null;
  readonly outcome: OutcomeName | null;
  readonly hasPage: boolean;
}

export interface Settlement {
  readonly claim: Claim;
  readonly outcome: Outcome;
  readonly links: readonly Offer[];
  readonly refused: readonly Refusal[];
  /** Bytes received for it. */
  readonly bytes: number;
  /** How many pages the run may store; what comes later is refused, or dropped where it is known, with this reason. */
  readonly pageLimit?: { readonly pages: number; readonly reason: string };
}

export interface OutcomeReason {
  readonly reason: string;
  readonly times: number;
  readonly example: PageUrl;
}

/** What is known of one URL of a run. */
export interface FrontierUrl {
  readonly url: PageUrl;
  readonly state: 'queued' | 'claimed' | 'waiting' | 'settled' | 'refused';
  readonly outcome: OutcomeName | null;
  readonly reason: string | null;
  readonly foundBy: FoundBy;
  readonly depth: number;
  readonly attempts: number;
  readonly offeredAt: Date;
  readonly settledAt: Date | null;
}

/** With the page that led to it; null for one that no page led to. */
export interface LocatedUrl extends FrontierUrl {
  readonly parent: PageUrl | null;
}

export interface UrlQuery {
  readonly outcome: OutcomeName | null;
  /** The key after which the list goes on; null at its beginning. */
  readonly after: string | null;
  readonly limit: number;
}

export interface ClaimRequest {
  readonly worker: string;
  readonly limit: number;
  readonly leaseMs: number;
  /** How far ahead of a host's pace URLs may be taken together. 0 takes one URL a host. */
  readonly aheadMs: number;
}

/**
 * Remembers every URL of a version and hands out the next ones politely.
 *
 * A URL is offered many times and claimed by one worker at a time. A claim that is not settled before its lease ends
 * returns to the pool, so a killed worker loses no page; a late settlement finds a newer fence and changes nothing.
 * One that was claimed as often as a run allows is settled as failed instead, so that a page which kills its workers
 * cannot keep a run alive. Hosts are never asked faster than their delay, whatever the number of workers.
 *
 * No settlement removes a page: a known one that is found gone, moved or no longer to be kept is `missing` until
 * the end of its run confirms it.
 */
export interface Frontier {
  /** Returns how many were new to the run. Offering a URL that the run knows changes nothing. */
  offer(run: RunId, offers: readonly Offer[]): Promise<number>;
  /** Records URLs that a rule refused, again in each run. A URL that the run knows already stays as it is, and so does a page. */
  refuse(run: RunId, refusals: readonly Refusal[]): Promise<void>;
  /** Why URLs of the run ended with an outcome, most frequent first, each with an example. */
  reasons(run: RunId, outcome: OutcomeName, limit: number): Promise<readonly OutcomeReason[]>;
  /** The URLs of a run in URL-key order; `after` is null when the list is at its end. */
  urls(run: RunId, query: UrlQuery): Promise<{ urls: readonly FrontierUrl[]; after: string | null }>;
  /**
   * Takes up to `limit` pages of the version, in URL-key order after `after`, into the run; null when none is left. What
   * found them first stays written.
   */
  /** What is known of one URL of a version; null where it was never met. */
  locate(version: VersionId, url: PageUrl): Promise<LocatedUrl | null>;
  /** Takes up to `limit` pages of the version, in URL-key order after `after`, into the run; null when none is left. */
  offerKnown(run: RunId, after: string | null, limit: number): Promise<string | null>;
  /** URLs that earlier runs left behind and this one has not met, in URL-key order after `after`. */
  known(
    run: RunId,
    after: string | null,
    limit: number,
  ): Promise<{ readonly urls: readonly KnownUrl[]; readonly after: string | null }>;
  /** Due URLs of all running runs. Empty means that nothing is due now. Raises `database.full` as `start` does. */
  claim(request: ClaimRequest): Promise<readonly Claim[]>;
  /** Returns the claims that are still held; the others were lost to another worker. */
  renew(claims: readonly Claim[], leaseMs: number): Promise<readonly Claim[]>;
  /** Hands claims back unasked; they are due at once and the attempt is not counted. */
  release(claims: readonly Claim[]): Promise<void>;
  /**
   * One transaction for all: fences checked, pages and chunks replaced (a chunk whose id stays keeps its row), links
   * offered, refusals recorded, counters moved, events appended. The answer has one entry for each settlement.
   */
  settle(settlements: readonly Settlement[]): Promise<ReadonlyArray<'settled' | 'superseded'>>;
  /**
   * Removes the pages of up to `limit` missing URLs of the run and settles them as what they were found to be: gone, moved
   * or skipped. Pages that were folded into them stand again, to be made from their bodies. Returns how many.
   */
  confirmMissing(lease: RunLease, limit: number): Promise<number>;
  /** Refuses up to `limit` unasked URLs of a run that is full, and drops those that are known; returns how many. */
  overflow(lease: RunLease, reason: string, limit: number): Promise<number>;
  /** Puts one URL of up to `limit` circles of aliases back into the queue, one hop further from its start; returns how many. */
  untangle(lease: RunLease, limit: number): Promise<number>;
  /** True when no URL of the run is queued, claimed or waiting. */
  drained(run: RunId): Promise<boolean>;
}

// ---- pages and chunks

export interface StoredPage {
  readonly version: VersionId;
  readonly url: PageUrl;
  readonly title: string;
  readonly description: string | null;
  readonly language: string | null;
  readonly contentHash: Sha256;
  readonly mediaType: string;
  readonly chunks: number;
  readonly changedAt: Date;
  readonly checkedAt: Date;
}

export interface StoredDocument extends StoredPage {
  readonly foundBy: FoundBy;
  readonly madeBy: string;
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
  readonly facts: JsonObject;
  readonly body: StoredBody | null;
}

export interface StoredChunk extends Chunk {
  readonly page: StoredPage;
  /** 0-based position in the page. */
  readonly ordinal: number;
}

/** A folded page is no page to a reader: it is listed nowhere, has no chunks, and is known as an alias of another. */
export interface Pages {
  get(version: VersionId, url: PageUrl): Promise<StoredDocument | null>;
  /** In URL-key order after the key `after`. */
  list(
    version: VersionId,
    after: string | null,
    limit: number,
  ): Promise<{ pages: readonly StoredPage[]; after: string | null }>;
  chunksOf(version: VersionId, url: PageUrl): Promise<readonly StoredChunk[]>;
  /** By its id or an even number of its first digits; null where none or more than one begins so. */
  chunk(version: VersionId, idStart: string): Promise<StoredChunk | null>;
  /** Titles of some pages. */
  titles(
    versions: readonly VersionId[],
    limit: number,
  ): Promise<ReadonlyArray<{ readonly url: PageUrl; readonly title: string }>>;
  /** Other URLs that lead to the page, sorted. */
  aliasesOf(version: VersionId, url: PageUrl): Promise<readonly PageUrl[]>;
  /** Every `madeBy` of the pages that stand, each once. */
  makers(version: VersionId): Promise<readonly string[]>;
  /** Pages that stand and were made so, in URL-key order after the key `after`. */
  madeBy(
    version: VersionId,
    maker: string,
    after: string | null,
    limit: number,
  ): Promise<{ readonly urls: readonly PageUrl[]; readonly after: string | null }>;
  /** Replaces what was made of stored bodies. Nothing is written where the run's lease is lost. */
  remake(lease: RunLease, pages: readonly RemadePage[]): Promise<void>;
  /** Marks pages that could not be made again: the next time they are asked, it is as if they were not known. */
  askAnew(lease: RunLease, urls: readonly PageUrl[]): Promise<void>;
  /** Pages that may be folded: those that say the same as another, name another as their own address, or are folded. */
  foldable(
    version: VersionId,
    after: string | null,
    limit: number,
  ): Promise<{ readonly pages: readonly FoldablePage[]; readonly after: string | null }>;
  /** Where URLs lead: to themselves where a page is stored, through redirects to the page at their end, else nowhere. */
  standing(version: VersionId, urls: readonly PageUrl[]): Promise<ReadonlyMap<PageUrl, PageUrl>>;
  /** Folds pages into others and lets them stand again, all or nothing. The run's counters follow. */
  fold(lease: RunLease, changes: readonly FoldChange[]): Promise<void>;
}

export interface RemadePage {
  readonly url: PageUrl;
  readonly page: PageContent;
  readonly chunks: readonly Chunk[];
}

export interface FoldablePage {
  readonly url: PageUrl;
  readonly twinHash: Sha256 | null;
  readonly canonical: PageUrl | null;
  /** The page that it is folded into now. */
  readonly aliasOf: UrlKey | null;
}

export interface FoldChange {
  readonly url: PageUrl;
  /** Null lets it stand again: its chunks are then to be made from its body. */
  readonly into: PageUrl | null;
}

// ---- search rows

export interface FoundPostings {
  /** Chunks of all segments that were looked at. */
  readonly chunks: number;
  /** How many of them have each term, in the order of the terms. */
  readonly having: readonly number[];
  readonly segments: readonly SegmentPostings[];
}

/** A chunk as segments know it: by the number of its page and its position there. */
export interface SearchPlace {
  readonly segment: number;
  readonly page: number;
  readonly position: number;
}

export interface FoundChunk {
  readonly place: SearchPlace;
  readonly chunk: StoredChunk;
  readonly source: SourceId;
  /** What the page is for, as core/analyse guessed it. */
  readonly pageKind: string | null;
}

/**
 * Which chunks have which words. Derived from pages and chunks: a settled page is queued with its transaction, and
 * `index` reads it from there. Terms are tokens of core/lexical, never query syntax.
 */
export interface SearchRows {
  postings(versions: readonly VersionId[], terms: readonly string[]): Promise<FoundPostings>;
  /** The living chunks at some places; places of pages that went or changed are left out. */
  resolve(places: readonly SearchPlace[]): Promise<readonly FoundChunk[]>;
  /** Every place that passes the filter. */
  placesOf(versions: readonly VersionId[], filter: SearchFilter): Promise<readonly SearchPlace[]>;
  /** Terms with a common beginning, and how many chunks have each. */
  nearTerms(
    versions: readonly VersionId[],
    prefix: string,
  ): Promise<ReadonlyArray<{ readonly term: string; readonly having: number }>>;
  /** Reads up to `limit` settled pages into the index; returns how many. Does a step of its upkeep as well. */
  index(limit: number): Promise<number>;
  /** Queues every page of a version again. */
  reindex(version: VersionId): Promise<void>;
  /** Pages that are settled and not yet searchable. */
  lag(): Promise<number>;
}

// ---- vectors

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
  /** Whether near vectors can be found here; raises `embed.unsupported` where the database lacks what it takes. */
  requireSearch(): Promise<void>;
  claim(space: SpaceId, worker: string, limit: number, leaseMs: number): Promise<readonly EmbeddingClaim[]>;
  /** One transaction; answers in the order of the settlements. A vector of a superseded claim is not kept. */
  settle(settlements: readonly EmbeddingSettlement[]): Promise<ReadonlyArray<'settled' | 'superseded'>>;
  of(space: SpaceId, texts: readonly Sha256[]): Promise<ReadonlyMap<Sha256, Float32Array>>;
  /** The chunks nearest to a vector, best first. Every one is alive and passes the filter. */
  nearest(request: NearestRequest): Promise<readonly NearChunk[]>;
  progress(space: SpaceId): Promise<SpaceProgress>;
}

// ---- figures

export interface VersionFigures {
  readonly version: VersionId;
  readonly pages: number;
  /** Pages with the same content as another one, folded into it. */
  readonly duplicates: number;
  readonly chunks: number;
  /** When the page that was not looked at for longest was last found current. */
  readonly oldestCheckAt: Date;
  readonly newestCheckAt: Date;
  /** When a page last changed. */
  readonly changedAt: Date;
}

/** Read off the pages, so they cost a pass over all of them. */
export interface Figures {
  /** Versions without a page are left out. */
  versions(): Promise<readonly VersionFigures[]>;
  /** Of the database on its disk. */
  bytes(): Promise<number>;
}

export interface Violation {
  /** Id of the invariant, such as `I04`. */
  readonly invariant: string;
  readonly what: string;
  /** The offending row, short. */
  readonly row: string;
}
