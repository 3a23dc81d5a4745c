// The frontier: every URL of a version, and which is next.

import type { OutcomeName } from '../../core/model/outcome.ts';
import type { PageUrl, UrlKey } from '../../core/model/page-url.ts';
import type { RunId, VersionId } from '../../core/model/run.ts';
import type { Claim, FoundBy, Offer, Refusal } from './claim.ts';
import type { RunLease } from './runs.ts';
import type { Settlement } from './settlement.ts';

/** A URL as an earlier run left it. */
export interface KnownUrl {
  readonly url: PageUrl;
  readonly depth: number;
  readonly foundBy: FoundBy;
  readonly parent: UrlKey | null;
  readonly outcome: OutcomeName | null;
  readonly hasPage: boolean;
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
  /** Only URLs that ended for this reason. */
  readonly reason?: string | null;
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
  /** The most that is taken of one host that has a pace; unlimited unless given. */
  readonly mostOfHost?: number;
  /** Hosts that are left alone this time. */
  readonly without?: readonly string[];
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
  /** What is known of one URL of a version; null where it was never met. */
  locate(version: VersionId, url: PageUrl): Promise<LocatedUrl | null>;
  /**
   * Takes up to `limit` pages of the version, in URL-key order after `after`, into the run; null when none is left. What
   * found them first stays written.
   */
  offerKnown(run: RunId, after: string | null, limit: number): Promise<string | null>;
  /**
   * URLs that earlier runs left behind and this one has not met, in URL-key order after `after`; only those that ended so,
   * where that is given.
   */
  known(
    run: RunId,
    after: string | null,
    limit: number,
    only?: { readonly outcome: OutcomeName; readonly reason: string | null },
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
  /** How many queued URLs stand at each rank, which is their depth, lowest first. Looks at `limit` URLs at most. */
  queue(run: RunId, limit: number): Promise<ReadonlyArray<{ readonly depth: number; readonly urls: number }>>;
  /** True when no URL of the run is queued, claimed or waiting. */
  drained(run: RunId): Promise<boolean>;
}
