// Stored pages, their documents and their chunks.

import type { DuplicateCandidate } from '../../core/dedupe/choose-canonical.ts';
import type { Chunk } from '../../core/model/chunk.ts';
import type { OutlineEntry } from '../../core/model/document.ts';
import type { Sha256 } from '../../core/model/hash.ts';
import type { PageUrl, UrlKey } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import type { StoredBody } from '../../platform/compress-body.ts';
import type { DiscoveryKind, PageContent } from './frontier.ts';
import type { JsonObject } from './json.ts';
import type { RunLease } from './runs.ts';

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

export interface DescribedPage extends StoredPage {
  /** Other properties of the page: its kind, timing. */
  readonly metadata: JsonObject;
}

export interface StoredDocument extends DescribedPage {
  readonly foundBy: DiscoveryKind;
  readonly pipelineVersion: string;
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
  readonly responseMeta: JsonObject;
  /** The browser that rendered it; null if it was stored as it was fetched. */
  readonly renderedBy: string | null;
  readonly body: StoredBody | null;
  /** Pages of the version that link to it, as last counted. */
  readonly inlinks: number;
}

/** The content of a page before a change. */
export interface PageRevision {
  readonly since: Date;
  readonly until: Date;
  readonly contentHash: Sha256;
  readonly pipelineVersion: string;
  /** Null if it was too long to keep. */
  readonly text: string | null;
}

export interface RemovedPage {
  readonly removedAt: Date;
  /** When its last text was first seen. */
  readonly since: Date;
  readonly title: string;
  /** Null if it was too long to keep. */
  readonly text: string | null;
}

export interface Backlink {
  readonly url: PageUrl;
  readonly title: string;
}

export interface LinkedPage extends Backlink {
  /** Pages that link to it. */
  readonly links: number;
}

export interface StoredChunk extends Chunk {
  readonly page: StoredPage;
  /** 0-based position in the page. */
  readonly ordinal: number;
}

/** A page with its headings and its chunks, without their texts. */
export interface OutlinedDocument {
  readonly url: PageUrl;
  readonly title: string;
  readonly outline: readonly OutlineEntry[];
  /** Chunks in page order. */
  readonly chunks: ReadonlyArray<Omit<Chunk, 'text' | 'contentHash' | 'jsonPath'>>;
}

/** A chunk whose symbol matches. */
export interface FoundSymbol {
  readonly url: PageUrl;
  readonly chunk: OutlinedDocument['chunks'][number];
  /** The page's outline if the chunk has several symbols; otherwise empty. */
  readonly outline: readonly OutlineEntry[];
}

export interface UrlRange {
  readonly prefix: string;
  readonly after: string | null;
  readonly limit: number;
}

/** A duplicate is not a page to a reader: it is not listed, has no chunks, and is an alias of its canonical page. */
export interface Pages {
  get(version: VersionId, url: PageUrl): Promise<StoredDocument | null>;
  /** Lists pages in URL-key order after the key `after`. */
  list(
    version: VersionId,
    after: string | null,
    limit: number,
  ): Promise<{ pages: readonly DescribedPage[]; after: string | null }>;
  /** Pages whose URL starts with `prefix`, sorted by URL (code points), after the URL `after`. */
  byUrl(version: VersionId, range: UrlRange): Promise<readonly StoredPage[]>;
  /** `byUrl`, with headings and chunks. */
  outlines(version: VersionId, range: UrlRange): Promise<readonly OutlinedDocument[]>;
  /**
   * Chunks with a symbol that starts with `prefix`, or a trailing part of which does, as `symbolParts` in core decides. Sorted by the
   * part that matches, so exact matches come first; a chunk is returned once for each part.
   */
  symbols(version: VersionId, prefix: string, limit: number): Promise<readonly FoundSymbol[]>;
  /** The text of the document; null if there is no such page. */
  text(version: VersionId, url: PageUrl): Promise<string | null>;
  /** Characters of the stored text; null if there is no such page. */
  textLength(version: VersionId, url: PageUrl): Promise<number | null>;
  chunksOf(version: VersionId, url: PageUrl): Promise<readonly StoredChunk[]>;
  /** By its id or an even number of its first digits; null if no chunk matches, or more than one. */
  chunk(version: VersionId, idStart: string): Promise<StoredChunk | null>;
  /** Titles of up to `limit` pages of each version. */
  titles(
    versions: readonly VersionId[],
    limit: number,
  ): Promise<ReadonlyArray<{ readonly url: PageUrl; readonly title: string }>>;
  /** What up to `limit` pages declare, in URL-key order, which is as good as random; null for a page that declares nothing. */
  declaredVersions(version: VersionId, limit: number): Promise<ReadonlyArray<string | null>>;
  /** Other URLs that lead to the page, sorted. */
  aliasesOf(version: VersionId, url: PageUrl): Promise<readonly PageUrl[]>;
  /** Former contents of the page, newest first; only the newest few are kept. */
  revisions(version: VersionId, url: PageUrl): Promise<readonly PageRevision[]>;
  /** When the page was removed, and its last text; only the newest of a version are kept. Null if it is not known. */
  removed(version: VersionId, url: PageUrl): Promise<RemovedPage | null>;
  /** Pages whose text links to the page or to an alias of it, sorted by URL. */
  backlinks(version: VersionId, url: PageUrl, limit: number): Promise<readonly Backlink[]>;
  /**
   * The pages that most other pages link to in their texts, most first and then by URL. A link to a duplicate counts for its canonical
   * page. Reads the links of the whole version.
   */
  mostLinked(version: VersionId, limit: number): Promise<readonly LinkedPage[]>;
  /** Stores how many pages link to each page, for ranking. Writes only what has changed. */
  saveLinkCounts(version: VersionId, counts: ReadonlyMap<PageUrl, number>): Promise<void>;
  /**
   * The same, counted from the links of the pages: of those that changed since, or of all if these are many. Idempotent; does nothing
   * if the run's lease is lost.
   */
  countLinks(lease: RunLease): Promise<void>;
  /** For a version whose pages are neither grouped nor counted: forgets which of them changed. */
  forgetChanged(lease: RunLease): Promise<void>;
  /** Distinct pipeline versions of the canonical pages. */
  pipelineVersions(version: VersionId): Promise<readonly string[]>;
  /** Canonical pages produced by a pipeline version, in URL-key order after the key `after`. */
  byPipelineVersion(
    version: VersionId,
    pipelineVersion: string,
    after: string | null,
    limit: number,
  ): Promise<{ readonly urls: readonly PageUrl[]; readonly after: string | null }>;
  /** Replaces documents and chunks that were extracted from stored bodies again. Writes nothing if the run's lease is lost. */
  reprocess(lease: RunLease, pages: readonly ReprocessedPage[]): Promise<void>;
  /** Marks pages that could not be reprocessed: their next fetch is unconditional and replaces them. */
  markForRefetch(lease: RunLease, urls: readonly PageUrl[]): Promise<void>;
  /**
   * Groups of duplicates that may have changed since `groupsSettled`, each as a whole: those of `limit` changed pages and redirects
   * after the key `after`. Null if there are no more.
   */
  changedGroups(version: VersionId, after: string | null, limit: number): Promise<ChangedDuplicates | null>;
  /** After the changes of these groups were applied. Does nothing if the run's lease is lost. */
  groupsSettled(lease: RunLease, keys: readonly UrlKey[]): Promise<void>;
  /** Resolves URLs to stored pages: to themselves, or through redirects to the page at the end; others are left out. */
  resolveCanonical(version: VersionId, urls: readonly PageUrl[]): Promise<ReadonlyMap<PageUrl, PageUrl>>;
  /** Turns pages into aliases, and aliases back into pages, all or nothing. Updates the counters of the run. */
  applyAliases(lease: RunLease, changes: readonly AliasChange[]): Promise<void>;
}

export interface ReprocessedPage {
  readonly url: PageUrl;
  readonly page: PageContent;
  readonly chunks: readonly Chunk[];
}

export interface StoredCandidate extends DuplicateCandidate {
  /** The page that it is an alias of now. */
  readonly aliasOf: UrlKey | null;
}

export interface ChangedDuplicates {
  /** All pages of the groups, and those that were in a group with one of them. */
  readonly pages: readonly StoredCandidate[];
  /** For each canonical URL that one of them declares: the stored page that it leads to. */
  readonly canonicalUrls: ReadonlyMap<PageUrl, PageUrl>;
  /** Pages that too many different texts declare as canonical. */
  readonly mistaken: ReadonlySet<PageUrl>;
  /** What is settled with them. */
  readonly keys: readonly UrlKey[];
  readonly after: string | null;
}

export interface AliasChange {
  readonly url: PageUrl;
  /** Null turns the alias back into a page, whose chunks must then be produced from its body. */
  readonly aliasOf: PageUrl | null;
}
