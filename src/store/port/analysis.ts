// Analysis runs, and what they learn about pages and hosts from stored texts.

import type { AnalysisStage, AnalysisStatus } from '../../core/analysis/analysis-run.ts';
import type { HubStatus } from '../../core/analysis/hubs.ts';
import type { Evidence, KnownUrl } from '../../core/analysis/known-url.ts';
import type { Taxonomy } from '../../core/analysis/site-shape.ts';
import type { NavigationEntry } from '../../core/discover/navigation.ts';
import type { OutlineEntry } from '../../core/model/document.ts';
import type { Sha256 } from '../../core/model/hash.ts';
import type { MilestoneReport } from '../../core/model/milestone.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId, SourceId, VersionId } from '../../core/model/run.ts';
import type { SavedMention } from './gazetteer.ts';
import type { JsonObject } from './json.ts';

export interface AnalysisOptions {
  /** Pages with a lower version are pending. */
  readonly analysisVersion: number;
  readonly pageLimit: number | null;
  readonly domainLimit: number | null;
  readonly skipPages: boolean;
  readonly skipDomains: boolean;
  /** Only the run itself is written. */
  readonly dryRun: boolean;
  readonly verbose: boolean;
  /** Null for all sources. */
  readonly source: SourceId | null;
}

export interface AnalysisRun extends AnalysisOptions {
  readonly id: string;
  readonly status: AnalysisStatus;
  readonly stage: AnalysisStage;
  /** When it was started by its user; it may have waited for another one. */
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** The database's time when this was read. */
  readonly readAt: Date;
  readonly summary: JsonObject | null;
  readonly lastProgress: JsonObject | null;
  readonly error: string | null;
}

export interface AnalysisEvent {
  readonly id: number;
  readonly run: string;
  readonly at: Date;
  readonly stage: AnalysisStage;
  readonly message: string;
  readonly details: JsonObject | null;
}

export interface AnalysisLease {
  readonly run: AnalysisRun;
  readonly worker: string;
  /** Fencing token: grows with each lease of the run. */
  readonly fence: number;
  /** Workers in a row that lost the run without saving a page. */
  readonly crashes: number;
}

export interface PendingPage {
  readonly version: VersionId;
  readonly url: PageUrl;
  readonly title: string;
  readonly mediaType: string;
  readonly metadata: JsonObject;
  readonly contentHash: Sha256;
  readonly checkedAt: Date;
  readonly depth: number;
  /** Links in its menus. */
  readonly navLinks: number;
}

export interface AnalyzedPage {
  readonly page: Pick<PendingPage, 'version' | 'url' | 'contentHash'>;
  readonly analysis: JsonObject;
  /** Replace what is known about its places; null without a gazetteer. */
  readonly mentions: readonly SavedMention[] | null;
}

export interface StoredAnalysis {
  readonly url: PageUrl;
  readonly depth: number;
  readonly analysis: JsonObject;
}

export interface HostAnalysis {
  readonly host: string;
  readonly analysis: JsonObject;
}

/** A hub as it is recorded; a field that is null keeps the value that was stored before. */
export interface RecordedHub {
  readonly host: string;
  readonly url: PageUrl;
  /** The column place_kind: the kind of the member of a taxonomy, such as country. */
  readonly memberKind: string | null;
  readonly topicSlug: string | null;
  readonly topicLabel: string | null;
  readonly topicKind: 'section' | 'path-segment' | null;
  readonly evidence: JsonObject;
  /** The column place_slug: the slug of the member that the hub leads to, such as a version. */
  readonly memberSlug: string | null;
  readonly title: string | null;
  readonly navLinksCount: number | null;
  readonly articleLinksCount: number | null;
  readonly taxonomy: Taxonomy;
  readonly status: HubStatus;
  readonly httpStatus: number | null;
  readonly expectedBy: readonly Evidence[];
}

export interface StoredCoverage {
  readonly report: JsonObject;
  readonly measuredAt: Date;
  /** No page was changed and no run ended since. */
  readonly isCurrent: boolean;
}

/** A step of a run: what it has done so far. An absent field is left as it is. */
export interface AnalysisChange {
  readonly stage?: AnalysisStage;
  readonly summary?: JsonObject;
  readonly lastProgress?: JsonObject;
  readonly events?: ReadonlyArray<{ readonly message: string; readonly details: JsonObject | null }>;
}

/**
 * Analysis runs take turns: the oldest one that has not ended is leased, and the others wait. A page is pending while it has no analysis of
 * the version that is asked for, or its text has changed since; a killed run resumes where it stopped, because that is a property of the
 * page. Everything written under a lease is written with its step in one transaction, or not at all: false if the lease was lost.
 */
export interface Analysis {
  start(id: string, options: AnalysisOptions): Promise<void>;
  byId(id: string): Promise<AnalysisRun | null>;
  /** Newest first. */
  list(range: { readonly limit: number; readonly offset: number }): Promise<{
    readonly total: number;
    readonly runs: readonly AnalysisRun[];
  }>;
  /** Newest first. */
  events(run: string, limit: number): Promise<readonly AnalysisEvent[]>;
  /** Whether a run has not ended. */
  isLive(): Promise<boolean>;
  /** Null if no run waits for a worker. */
  lease(worker: string, leaseMs: number): Promise<AnalysisLease | null>;
  renew(lease: AnalysisLease, leaseMs: number): Promise<boolean>;
  /** Lets another worker take over without waiting for the lease to expire. */
  release(lease: AnalysisLease): Promise<void>;
  save(lease: AnalysisLease, step: AnalysisChange): Promise<boolean>;
  /** A page that was removed, or whose text has changed in the meantime, is left out. */
  savePages(lease: AnalysisLease, pages: readonly AnalyzedPage[], step: AnalysisChange): Promise<boolean>;
  /** Replaces what is known about these hosts of a version. */
  saveHosts(
    lease: AnalysisLease,
    version: VersionId,
    hosts: readonly HostAnalysis[],
    step: AnalysisChange,
  ): Promise<boolean>;
  finish(
    lease: AnalysisLease,
    status: 'completed' | 'failed',
    step: AnalysisChange & { readonly error: string | null },
  ): Promise<boolean>;
  /** Ends a run at once and keeps what it wrote; its worker notices with its next step. False if it has ended already. */
  stop(id: string): Promise<boolean>;
  /** Up to `limit` pending pages, the newest check first, after a page; without duplicates. */
  pending(options: AnalysisOptions, after: PendingPage | null, limit: number): Promise<readonly PendingPage[]>;
  countPending(options: AnalysisOptions): Promise<number>;
  /** Null if the page was removed. */
  textOf(page: PendingPage): Promise<{ readonly text: string; readonly outline: readonly OutlineEntry[] } | null>;
  /** Analyses of a version, in URL-key order after the key `after`. */
  analyses(
    version: VersionId,
    after: string | null,
    limit: number,
  ): Promise<{ readonly pages: readonly StoredAnalysis[]; readonly after: string | null }>;
  /** The analysis of one page; null if it was not analysed. */
  analysisOf(version: VersionId, url: PageUrl): Promise<JsonObject | null>;
  /** URLs of a version with what became of them, in URL-key order after the key `after`. */
  knownUrls(
    version: VersionId,
    after: string | null,
    limit: number,
  ): Promise<{ readonly urls: readonly KnownUrl[]; readonly after: string | null }>;
  /** The menus of up to `limit` pages of a version, those nearest to the start first: of the start page and of pages that lead to others. */
  navigation(version: VersionId, limit: number): Promise<ReadonlyArray<readonly NavigationEntry[]>>;
  /** Adds hubs of a version, or completes what is known of them; returns how many are new. Removes none. */
  saveHubs(version: VersionId, hubs: readonly RecordedHub[]): Promise<{ readonly added: number }>;
  /** Sorted by URL key. */
  hubs(version: VersionId, limit: number): Promise<readonly RecordedHub[]>;
  /** `ageMs`: since when what it was measured from was read. A page that was stored later may be missing in it. */
  saveCoverage(version: VersionId, report: JsonObject, ageMs: number): Promise<void>;
  /** Null if coverage was never measured. */
  coverage(version: VersionId): Promise<StoredCoverage | null>;
  hostsOf(version: VersionId): Promise<readonly HostAnalysis[]>;
  /** The highest version that a page was analysed with; 0 if none was. */
  highestVersion(): Promise<number>;
  /** Pages that the runs of a version fetched or found unchanged, by host. */
  downloads(version: VersionId): Promise<ReadonlyMap<string, number>>;
  /** Milestones that a version reached, and that it reaches once. */
  reachedOnce(version: VersionId): Promise<ReadonlyArray<Pick<MilestoneReport, 'kind' | 'scope'>>>;
  /** Returns true if no run has reached it before. Its job is the crawl that reached it, or `analysis-run` for null. */
  award(version: VersionId, milestone: MilestoneReport, run: RunId | null): Promise<boolean>;
}
