// The frontier: every URL of a version, from its enqueueing over the claim of a worker to its settlement.

import type { NavigationEntry } from '../../core/discover/navigation.ts';
import type { Chunk } from '../../core/model/chunk.ts';
import type { OutlineEntry } from '../../core/model/document.ts';
import type { Sha256 } from '../../core/model/hash.ts';
import type { OutcomeName } from '../../core/model/outcome.ts';
import type { PageUrl, UrlKey } from '../../core/model/page-url.ts';
import type { RunId, SourceId, VersionId } from '../../core/model/run.ts';
import type { Reason } from '../../core/outcome/reasons.table.ts';
import type { RequestSlot } from './hosts.ts';
import type { JsonObject } from './json.ts';
import type { RunLease } from './runs.ts';
import type { StoredBody } from '../../platform/compress-body.ts';

/** Levels of the discovery cascade that can find a URL. Stored as positions in this list. */
export const DISCOVERY_KINDS = [
  'seed',
  'llms-txt',
  'llms-full',
  'sitemap',
  'link',
  'previous',
  'api-catalog',
  'plan',
] as const;
export type DiscoveryKind = (typeof DISCOVERY_KINDS)[number];

/** The rank of a URL that no plan ranks. */
export const USUAL_RANK = 500;

export interface FrontierEntry {
  readonly url: PageUrl;
  readonly depth: number;
  readonly foundBy: DiscoveryKind;
  /** Lower is fetched earlier within its host, among URLs of the same rank. */
  readonly priority: number;
  /**
   * From 0 to 999: a lower one is fetched earlier within its host, whatever its priority; `USUAL_RANK` by default. In a run with a
   * maximum depth a level is complete before the next one begins, whatever the ranks.
   */
  readonly rank?: number;
  /** Length of the redirect chain that led here; 0 by default. */
  readonly hops?: number;
  /** The page that links to it, by its URL or its key. */
  readonly parent: PageUrl | UrlKey | null;
  /** The URL as it was written, if parameters were stripped or reordered. */
  readonly rawUrl?: PageUrl | null;
  /** The host whose rate limit applies; by default the URL's own host. Pages of a bundle are read from a file, so no host is contacted. */
  readonly host?: string;
}

/** A URL that is not fetched, with the rule that excluded it. */
export interface Exclusion {
  readonly url: PageUrl;
  readonly depth: number;
  readonly foundBy: DiscoveryKind;
  readonly reason: Reason;
  readonly parent: PageUrl | UrlKey | null;
}

export interface Claim extends RequestSlot {
  readonly run: RunId;
  readonly source: SourceId;
  readonly version: VersionId;
  readonly worker: string;
  readonly url: PageUrl;
  readonly depth: number;
  readonly foundBy: DiscoveryKind;
  /** Fencing token: grows with every claim of this URL. A settlement with an older one is superseded. */
  readonly fence: number;
  /** Claims of this URL in this run, including this one. */
  readonly attempts: number;
  /** Claims of this URL in this run whose lease expired, because the worker died or stalled. */
  readonly crashes: number;
  /** Length of the chain of redirects and canonical links that led here. */
  readonly hops: number;
  /** The page stored for this URL; null if there is none. */
  readonly previous: PreviousPage | null;
}

export interface PreviousPage {
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly contentHash: Sha256;
  /** Names and versions of the extractor and chunker that produced the stored document; empty for one to be reprocessed. */
  readonly pipelineVersion: string;
  /** For a duplicate, the key of its canonical page. */
  readonly aliasOf: UrlKey | null;
  /** Time since it was last fetched or revalidated. */
  readonly checkedAgoMs: number;
  /** The page's classification; null if it was not classified. */
  readonly pageKind: string | null;
}

/** How a worker settles a URL that it claimed. */
export type Outcome =
  | { readonly kind: 'indexed'; readonly page: PageContent; readonly chunks: readonly Chunk[] }
  | {
      readonly kind: 'unchanged';
      readonly etag: string | null;
      readonly lastModified: string | null;
      /** As the new bytes state it, which may change without the text; absent if no bytes were received. */
      readonly declaredVersion?: string | null;
      /** The value in the new bytes, which may change without the text. */
      readonly navigation?: readonly NavigationEntry[];
    }
  /** Stored, and recent enough not to be fetched: it counts as unchanged and keeps its time of check. */
  | { readonly kind: 'fresh'; readonly reason: Reason }
  | { readonly kind: 'missing'; readonly reason: Reason }
  /** The site does not have it, and it is not stored. */
  | { readonly kind: 'not-found'; readonly reason: Reason }
  | { readonly kind: 'moved'; readonly to: PageUrl }
  /** Fetched, but not stored. */
  | { readonly kind: 'skipped'; readonly reason: Reason }
  /** Not fetched: a rule excludes it. */
  | { readonly kind: 'excluded'; readonly reason: Reason }
  | { readonly kind: 'failed'; readonly reason: Reason }
  /** Not settled: fetched again after the delay, and after the URLs of its host that were not tried yet. */
  | { readonly kind: 'retry'; readonly reason: Reason; readonly inMs: number };

/** A duplicate is an alias of its canonical page. */
export function isAlias(previous: PreviousPage | null): previous is PreviousPage & { readonly aliasOf: UrlKey } {
  return previous !== null && previous.aliasOf !== null;
}

/** The outcome that is recorded for a settlement; null for a retry, which settles nothing. */
export function outcomeNameOf({ kind }: Outcome, previous: PreviousPage | null): OutcomeName | null {
  if (kind === 'retry') return null;
  if (kind === 'indexed') return previous === null ? 'new' : 'changed';
  // A duplicate that did not change is still an alias of the same page.
  if (kind === 'unchanged' || kind === 'fresh') return isAlias(previous) ? 'moved' : 'unchanged';
  return previous === null || kind === 'failed' ? kind : 'missing';
}

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
  /** Equal for pages with the same content; null for a page that is never deduplicated. */
  readonly dedupeHash: Sha256 | null;
  /** The canonical URL that the page declares, if the crawl admits it. */
  readonly canonical: PageUrl | null;
  readonly outline: readonly OutlineEntry[];
  readonly pipelineVersion: string;
  /** The version that the page states for the documented product; null or absent if it states none. */
  readonly declaredVersion?: string | null;
  /** Other properties of the page: its kind, timing. */
  readonly metadata: JsonObject;
  /** Response metadata: status, headers, timing. Empty for a page that was read from a disk. */
  readonly responseMeta: JsonObject;
  /** The browser that rendered it, such as `chromium 156.0.8078.79`; absent or null if it was stored as it was fetched. */
  readonly renderedBy?: string | null;
  /** Keys of the URLs that its text links to, each once. */
  readonly outlinks: readonly UrlKey[];
  /** Links in its menus; 0 by default. */
  readonly navLinks?: number;
  /** Stored for the start page of a site and for pages that lead to others; absent for the rest. */
  readonly navigation?: readonly NavigationEntry[];
  /** The bytes as they were received, so that the page can be extracted again without the network; null if they are not stored. */
  readonly body: StoredBody | null;
}

/** One request for a URL. */
export interface UrlFetch {
  /** Null if there was no answer. */
  readonly status: number | null;
  /** Received, before decoding. */
  readonly bytes: number;
  /** Media type without parameters; null if there was no body. */
  readonly mediaType: string | null;
  /** Until the response head, and in total; null if it was not measured. */
  readonly firstByteMs: number | null;
  readonly totalMs: number | null;
  /** The code of the error; null if the answer was usable. */
  readonly error: string | null;
}

/** A request as it is recorded with its URL. */
export interface RecordedFetch extends UrlFetch {
  readonly run: RunId;
  readonly at: Date;
}

export interface Settlement {
  readonly claim: Claim;
  readonly outcome: Outcome;
  readonly links: readonly FrontierEntry[];
  readonly excluded: readonly Exclusion[];
  /** Bytes received for it. */
  readonly bytes: number;
  /** The request for it; absent if none was sent. */
  readonly fetch?: UrlFetch;
  /** How many pages the run may store; later ones are excluded, or dropped if they are already stored, with this reason. */
  readonly pageLimit?: { readonly pages: number; readonly reason: Reason };
}

/** A URL as an earlier run left it. */
export interface PreviousUrl {
  readonly url: PageUrl;
  readonly depth: number;
  readonly foundBy: DiscoveryKind;
  readonly parent: UrlKey | null;
  readonly outcome: OutcomeName | null;
  readonly hasPage: boolean;
}

export interface OutcomeReason {
  readonly reason: string;
  readonly count: number;
  readonly example: PageUrl;
}

/** The frontier row of one URL. */
export interface FrontierUrl {
  readonly url: PageUrl;
  readonly state: FrontierState;
  readonly outcome: OutcomeName | null;
  readonly reason: string | null;
  readonly foundBy: DiscoveryKind;
  readonly depth: number;
  readonly attempts: number;
  readonly enqueuedAt: Date;
  readonly settledAt: Date | null;
}

export type FrontierState = 'queued' | 'claimed' | 'waiting' | 'settled' | 'excluded';

export interface LocatedUrl extends FrontierUrl {
  /** The latest run that has it. */
  readonly run: RunId;
  /** The page that links to it; null if no page does. */
  readonly parent: PageUrl | null;
  /** How links wrote it, where parameters were stripped or reordered; the first few. */
  readonly rawUrls: readonly string[];
  /** The newest requests for it in all runs, newest first. */
  readonly fetches: readonly RecordedFetch[];
}

export interface UrlQuery {
  readonly outcome: OutcomeName | null;
  /** Only URLs that were settled for this reason. */
  readonly reason?: string | null;
  /** Cursor: the key of the last URL of the previous page of results; null for the first one. */
  readonly after: string | null;
  readonly limit: number;
}

export interface ClaimRequest {
  readonly worker: string;
  readonly limit: number;
  readonly leaseMs: number;
  /** How far ahead of a host's rate limit URLs may be claimed together. 0 claims one URL per host. */
  readonly aheadMs: number;
  /** Maximum number of claims from one host that has a rate limit; unlimited by default. */
  readonly maxPerHost?: number;
  /** Hosts to claim nothing from. */
  readonly excludedHosts?: readonly string[];
}

/**
 * Stores every URL of a version and hands out the next ones at a polite rate.
 *
 * A URL may be enqueued many times and is claimed by one worker at a time. A claim that is not settled before its lease
 * expires returns to the queue, so a killed worker loses no page; a late settlement finds a newer fencing token and changes
 * nothing. A URL that used up the attempts of a run is settled as failed instead, so that a page which kills its workers
 * cannot keep a run alive. Hosts are never requested faster than their delay allows, however many workers there are.
 *
 * No settlement removes a page: a stored page that the site no longer has, that moved or that a rule excludes now is `missing` until the end
 * of its run confirms it.
 */
export interface ShortenedUrl {
  readonly url: PageUrl;
  /** By the shortest path that is known. */
  readonly depth: number;
  /** Null if it is not an alias. */
  readonly movedTo: PageUrl | null;
}

/** In runs with a maximum depth. */
export interface ShortenedUrls {
  /**
   * For a drained run with a maximum depth: up to `limit` fetched URLs to which a shorter path was found after they were claimed, so that
   * their links were judged by the longer one.
   */
  shortened(lease: RunLease, limit: number): Promise<readonly ShortenedUrl[]>;
  /** Their links were judged by the shorter path. */
  settleDepths(lease: RunLease, urls: readonly ShortenedUrl[]): Promise<void>;
}

export interface Frontier extends ShortenedUrls {
  /**
   * Returns how many were new to the run. Enqueueing a URL that the run already has changes nothing, except that a shorter
   * path admits one that was too deep. A run that has ended gets no more URLs, here and below.
   */
  enqueue(run: RunId, entries: readonly FrontierEntry[]): Promise<number>;
  /** Records URLs that a rule excluded, in each run again. A URL that the run already has is left as it is, and so is a stored page. */
  exclude(run: RunId, exclusions: readonly Exclusion[]): Promise<void>;
  /** Reasons for which URLs of the run got an outcome, most frequent first, each with an example. */
  reasons(run: RunId, outcome: OutcomeName, limit: number): Promise<readonly OutcomeReason[]>;
  /** The URLs of a run in URL-key order; `after` is null at the end of the list. */
  urls(run: RunId, query: UrlQuery): Promise<{ urls: readonly FrontierUrl[]; after: string | null }>;
  /** The frontier row of one URL of a version; null if it was never found. */
  locate(version: VersionId, url: PageUrl): Promise<LocatedUrl | null>;
  /** The versions that have found a URL. */
  versionsOf(url: PageUrl): Promise<readonly VersionId[]>;
  /**
   * Enqueues up to `limit` stored pages of the version, in URL-key order after `after`; null when none is left. How they were
   * first found stays recorded.
   */
  enqueuePrevious(run: RunId, after: string | null, limit: number): Promise<string | null>;
  /**
   * URLs of earlier runs that are not in this one, in URL-key order after `after`; optionally only those with a certain
   * outcome and reason, which a batch may have none of.
   */
  previousUrls(
    run: RunId,
    after: string | null,
    limit: number,
    only?: { readonly outcome: OutcomeName; readonly reason: string | null },
  ): Promise<{ readonly urls: readonly PreviousUrl[]; readonly after: string | null }>;
  /** Due URLs of all running runs. Empty means that nothing is due now. Raises `database.full` as `start` does. */
  claim(request: ClaimRequest): Promise<readonly Claim[]>;
  /** Time until a URL may be due; not positive if one may be due now, null if none is queued or claimed. Raises `database.newer`. */
  dueInMs(): Promise<number | null>;
  /** Returns the claims that are still ours; the others were lost to another worker. */
  renew(claims: readonly Claim[], leaseMs: number): Promise<readonly Claim[]>;
  /** The same, without a write: their leases stay as they are. */
  held(claims: readonly Claim[]): Promise<readonly Claim[]>;
  /** Returns claims to the queue without a fetch; they are due immediately and the attempt is not counted. */
  release(claims: readonly Claim[]): Promise<void>;
  /**
   * One transaction for all: checks fencing tokens, replaces pages and chunks (a chunk that keeps its id keeps its row),
   * enqueues links, records exclusions, updates counters and appends events. The result has one entry per settlement. Raises
   * `database.rejected`, and settles nothing, if a value of one of them cannot be stored.
   */
  settle(settlements: readonly Settlement[]): Promise<ReadonlyArray<'settled' | 'superseded'>>;
  /**
   * Removes the pages of up to `limit` missing URLs of the run and settles them as what they were found to be: removed, moved,
   * skipped or excluded. Duplicates of a removed page are restored, to be reprocessed from their bodies. Returns how many.
   */
  confirmMissing(lease: RunLease, limit: number): Promise<number>;
  /** Excludes the unfetched URLs of a run that reached its page limit, and drops those that have a stored page; returns how many. In steps. */
  excludeOverflow(lease: RunLease, reason: Reason): Promise<number>;
  /**
   * For a run with a maximum depth, before its first URL is enqueued and then repeatedly: opens the next level once the
   * current one is complete. URLs of later levels are not claimed, so each URL has the depth of its shortest path.
   */
  advanceDepth(lease: RunLease): Promise<void>;
  /** Requeues one URL of up to `limit` alias cycles, with its hop count incremented; returns how many. */
  breakAliasCycles(lease: RunLease, limit: number): Promise<number>;
  /** How many queued URLs there are at each depth, lowest first. Counts `limit` URLs at most. */
  queueByDepth(run: RunId, limit: number): Promise<ReadonlyArray<{ readonly depth: number; readonly urls: number }>>;
  /** False when every URL of the run is settled or waits for a retry. */
  hasWork(run: RunId): Promise<boolean>;
  /** True when no URL of the run is queued, claimed or waiting. */
  isDrained(run: RunId): Promise<boolean>;
}
