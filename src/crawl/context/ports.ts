// What the conductors of the write path work with: ports only.

import type { Fetcher, LocalFiles } from '../../fetch/port.ts';
import type { Parser } from '../../parse/port.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretFor } from '../../platform/secrets.ts';
import type { Store } from '../../store/port.ts';

export interface CrawlStages {
  readonly store: Store;
  readonly fetcher: Fetcher;
  readonly local: LocalFiles;
  readonly parser: Parser;
  readonly log: Log;
  readonly secretFor: SecretFor;
}

export interface CrawlLimits {
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly concurrency: number;
  readonly maxBytesInWork: number;
  readonly maxAttempts: number;
  readonly poisonAfterCrashes: number;
  readonly maxRedirects: number;
  /** Share of the URLs done so far that may have failed before a run gives up. */
  readonly maxFailureRate: number;
  /** How often a page with the same parameters, or with the same text in one folder, is taken before it is called a trap. */
  readonly maxUrlsPerShape: number;
  readonly repeatSample: number;
  /** 0 keeps them for ever. */
  readonly keepEventsDays: number;
  readonly minDelayMs: number;
  readonly startDelayMs: number;
  /** How long a host that fails is left alone. */
  readonly breakerMs: number;
  /** The first wait before a URL is asked again; it doubles each time. */
  readonly retryBaseMs: number;
}
