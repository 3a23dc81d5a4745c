// The plans of runs, and the parts of the queue that a coordinator reads and reorders.

import type { PageUrl, UrlKey } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import type { JsonObject } from './json.ts';
import type { RunLease } from './runs.ts';

export interface StoredPlan {
  readonly plan: JsonObject;
  /** The last report of the coordinator; null before the first one. */
  readonly progress: JsonObject | null;
}

export const TARGET_DIGITS = 16;

/** A URL of a run that was settled, in the order of the journal. */
export interface SettledEvent {
  readonly url: PageUrl;
  /** The outcome. */
  readonly kind: string;
  /** Tokens of the stored page; null without one. */
  readonly tokens: number | null;
  readonly pageKind: string | null;
  /** The first `TARGET_DIGITS` of the keys of the URLs that its text links to. */
  readonly targets: readonly string[];
}

export interface QueuedUrl {
  readonly url: PageUrl;
  readonly rank: number;
  readonly parent: UrlKey | null;
  /** Whether a list of the site names it. */
  readonly isListed: boolean;
}

/** Every write requires the lease of the run's coordinator. */
export interface Plans {
  /** Replaces the plan of the run; false if the lease was lost. */
  save(lease: RunLease, plan: JsonObject): Promise<boolean>;
  saveProgress(lease: RunLease, progress: JsonObject): Promise<void>;
  load(run: RunId): Promise<StoredPlan | null>;
  /** URLs settled after the event `after`, at most `limit`; `after` of the result is where to continue. */
  settled(
    run: RunId,
    after: number,
    limit: number,
  ): Promise<{ readonly urls: readonly SettledEvent[]; readonly after: number }>;
  /**
   * The first queued URLs in the order of their ranks, host by host, without those that are retried; or the first ones that have the usual
   * rank, because no plan has ranked them yet.
   */
  queued(run: RunId, which: 'first' | 'unranked', limit: number): Promise<readonly QueuedUrl[]>;
  /** Skips URLs that are not queued any more. */
  rank(lease: RunLease, ranks: ReadonlyArray<{ readonly url: PageUrl; readonly rank: number }>): Promise<void>;
}
