// Pages and chunks as they are stored.

import type { Chunk } from '../../core/model/chunk.ts';
import type { OutlineEntry } from '../../core/model/document.ts';
import type { Sha256 } from '../../core/model/hash.ts';
import type { PageUrl, UrlKey } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import type { FoundBy } from './claim.ts';
import type { JsonObject } from './json.ts';
import type { RunLease } from './runs.ts';
import type { PageContent, StoredBody } from './settlement.ts';

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

export interface ListedPage extends StoredPage {
  /** What was learnt of it beside its text: kind, timing. */
  readonly facts: JsonObject;
}

export interface StoredDocument extends ListedPage {
  readonly foundBy: FoundBy;
  readonly madeBy: string;
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
  readonly arrival: JsonObject;
  readonly body: StoredBody | null;
}

/** What a page said before it changed. */
export interface EarlierText {
  readonly since: Date;
  readonly until: Date;
  readonly contentHash: Sha256;
  readonly madeBy: string;
  /** Null where it was too long to keep. */
  readonly text: string | null;
}

export interface LinkingPage {
  readonly url: PageUrl;
  readonly title: string;
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
  ): Promise<{ pages: readonly ListedPage[]; after: string | null }>;
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
  /** What the page said before its last changes, newest first; the oldest are forgotten. */
  earlier(version: VersionId, url: PageUrl): Promise<readonly EarlierText[]>;
  /** Pages whose text leads to the page or to an alias of it, by their URLs. */
  linking(version: VersionId, url: PageUrl, limit: number): Promise<readonly LinkingPage[]>;
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
