// The ports and limits that the crawl works with.

import type { PackageReference } from '../../core/archives/package-reference.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { WordTable } from '../../core/vector/word-vectors.ts';
import type { Fetcher, LocalFiles } from '../../fetch/port.ts';
import type { Parser } from '../../parse/port.ts';
import type { Rendering } from '../../render/port.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretFor } from '../../platform/secrets.ts';
import type { Store } from '../../store/port.ts';

/** The registry that the operator configured for packages of one kind. */
export interface RegistryAccess {
  readonly url: string;
  /** The operator's own credentials, for URLs of the registry only. */
  readonly headersFor: (url: PageUrl) => Readonly<Record<string, string>>;
}

export interface ArchiveAccess {
  /** Size of an archive of a repository or of a package, as it is sent. */
  readonly maxBytes: number;
  /** Null if the operator configured none: then no package of that kind is fetched. */
  readonly registryFor: (reference: PackageReference) => RegistryAccess | null;
}

export interface CrawlPorts {
  readonly store: Store;
  readonly fetcher: Fetcher;
  readonly local: LocalFiles;
  readonly parser: Parser;
  /** Absent or null without a browser. */
  readonly rendering?: Rendering | null;
  /** The table for word vectors of imported pages; absent, they have none. */
  readonly words?: () => WordTable | null;
  readonly log: Log;
  readonly secretFor: SecretFor;
  /** Absent, no archive is fetched. */
  readonly archives?: ArchiveAccess;
}

export interface CrawlLimits {
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly concurrency: number;
  /** Runs that one process coordinates at a time. */
  readonly maxRuns: number;
  /** No scheduled run is started while so many runs are active. */
  readonly maxScheduledRuns: number;
  readonly maxInFlightBytes: number;
  readonly maxAttempts: number;
  readonly quarantineAfterCrashes: number;
  readonly maxRunCrashes: number;
  readonly maxRedirects: number;
  /** For sources without their own limits. */
  readonly maxPages: number;
  readonly maxMinutes: number;
  /** How long a run may go without settling a URL while a host is in trouble. */
  readonly maxStallMinutes: number;
  /** Share of the URLs processed so far that may have failed before a run is aborted. */
  readonly maxFailureRate: number;
  /**
   * How many URLs with the same parameters, and how many pages with the same text in one folder, are accepted before
   * they count as a trap.
   */
  readonly maxUrlsPerPattern: number;
  readonly duplicateCheckPages: number;
  /** 0 keeps them forever. */
  readonly eventRetentionDays: number;
  /** 0 keeps them forever. */
  readonly changeRetentionDays: number;
  readonly minDelayMs: number;
  readonly startDelayMs: number;
  /** How long a failing host is paused. */
  readonly circuitBreakerMs: number;
  /** The first delay before a URL is retried; it doubles each time. */
  readonly retryBaseMs: number;
}
