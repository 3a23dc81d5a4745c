// Runs, and the leases of their coordinators.

import type { Reason } from '../../core/outcome/reasons.table.ts';
import type { OutcomeName } from '../../core/model/outcome.ts';
import type { EndedRunState, RunId, RunMode, RunState, SourceId, VersionId } from '../../core/model/run.ts';
import type { RunProgress } from '../../core/model/run-rates.ts';
import type { ListRange } from './journal.ts';
import type { JsonObject } from './json.ts';

export interface Run {
  readonly id: RunId;
  readonly source: SourceId;
  readonly version: VersionId;
  readonly state: RunState;
  readonly mode: RunMode;
  readonly settings: JsonObject;
  /** Why the run ended as it did; null while it is live. */
  readonly reason: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  /** When its first URLs, or the files of its folder, were all in the queue; null before. */
  readonly seededAt: Date | null;
  readonly endedAt: Date | null;
  /** When the URLs that a stopping run still has in flight are dropped; null if it waits for them. */
  readonly abortsAt: Date | null;
  /** When a URL was last found or settled; null before the first. */
  readonly activeAt: Date | null;
  /** How long coordinators have worked on it, by their monotonic clocks and up to the last renewal: without pauses. */
  readonly workedMs: number;
  /** The database's time when this was read: comparable to the other times, unlike the clock of this machine. */
  readonly readAt: Date;
  readonly counts: RunCounts;
  /** Links that were left out because the run had as many URLs as it may have; see `limitUrls`. */
  readonly leftOut: number;
  /** Events that it has written, also those that were deleted since. */
  readonly events: number;
  /** When it wrote its last event; null before the first. */
  readonly lastEventAt: Date | null;
}

/**
 * `found` is every URL accepted into the run; all outcomes except `excluded` add up to it once the run is drained. `requests`
 * are requests for its URLs, `downloads` those that were answered with a body.
 */
export type RunCounts = Readonly<Record<OutcomeName | 'found' | 'bytes' | 'requests' | 'downloads', number>>;

/** A run's requests to one host. */
export interface RunHost {
  readonly host: string;
  readonly requests: number;
  /** New, changed and unchanged pages. */
  readonly pages: number;
  /** Requests without a usable answer: network errors, errors of the server, throttling. */
  readonly errors: number;
  readonly bytes: number;
  /** Null if the last request had no answer. */
  readonly lastStatus: number | null;
  readonly lastAt: Date;
  /** Requests in the last minute; 0 for an ended run. */
  readonly requestsPerMinute: number;
  /** Delay between two requests to the host: the current one, or that at the end of the run; null if unknown. */
  readonly delayMs: number | null;
}

/** A null field does not filter. */
export interface RunQuery extends ListRange {
  readonly source: SourceId | null;
  readonly state: RunState | null;
}

export interface RunLease {
  readonly run: Run;
  readonly worker: string;
  /** Fencing token: grows with each lease of this run. Writes under an older lease are rejected. */
  readonly fence: number;
  /** Coordinators in a row that lost the run without any progress: they crashed, failed or stalled beyond their lease. */
  readonly crashes: number;
}

/**
 * A live run has at most one coordinator at a time: the holder of its lease. Claims of URLs are open to every worker.
 * A source has at most one live run.
 */
export interface Runs {
  /** Raises `source.busy` if the source has a live run, `database.full` if no new work may begin. */
  start(version: VersionId, mode: RunMode, settings: JsonObject): Promise<Run>;
  /**
   * Starts the run of a source that is due and schedules its next one, in one transaction: of any number of callers one
   * starts it. Null if another one did, or if the source has a live run; the next run is scheduled in both cases.
   */
  startDue(version: VersionId, nextAfterMs: number): Promise<Run | null>;
  byId(run: RunId): Promise<Run | null>;
  /** Newest first; of one source if it is given. */
  list(limit: number, source?: SourceId): Promise<readonly Run[]>;
  /** Newest first. */
  listPage(query: RunQuery): Promise<readonly Run[]>;
  /** Which run of its version it is, from 1. */
  ordinal(run: RunId): Promise<number>;
  /** How many runs are running or wait for a coordinator. Paused and stopping runs take no part. */
  countActive(): Promise<number>;
  /** The latest run of each of these sources that has one. */
  latest(sources: readonly SourceId[]): Promise<readonly Run[]>;
  /** Sources whose latest run failed: how many, and the names of the first ones. */
  failedSources(limit: number): Promise<{ readonly count: number; readonly names: readonly string[] }>;
  /** Every run that has not ended, oldest first. */
  live(): Promise<readonly Run[]>;
  /** Takes a live run that has no coordinator, or whose coordinator's lease has expired; a queued run becomes running. */
  lease(worker: string, leaseMs: number): Promise<RunLease | null>;
  /** Its progress over time, oldest first; 400 samples at most. The last two minutes of a live run have all of theirs. */
  samples(run: RunId): Promise<readonly RunProgress[]>;
  /** The sample to compare the present with: half a minute old, or younger at the start of a run; null if there is none. */
  recentSample(run: RunId): Promise<RunProgress | null>;
  /** The hosts that it requested, most requests first. */
  hosts(run: RunId, limit: number): Promise<readonly RunHost[]>;
  /**
   * False when the lease was lost to another coordinator: stop immediately. Adds a sample of the progress, and the time that
   * the coordinator worked since it renewed last.
   */
  renew(lease: RunLease, leaseMs: number, workedMs?: number): Promise<boolean>;
  /** Its first URLs are all in the queue: the next coordinator does not seed it again. */
  markSeeded(lease: RunLease): Promise<void>;
  /** Lets another coordinator take over without waiting for the lease to expire. */
  release(lease: RunLease): Promise<void>;
  /** Pauses, resumes or stops a live run. False when the run is not in a state that allows it. */
  control(run: RunId, command: 'pause' | 'resume' | 'stop'): Promise<boolean>;
  /**
   * Stops a live run: `graceMs` later its coordinator drops the URLs that are still in flight. A run that is already stopping
   * keeps the earlier time. False when the run has ended.
   */
  stopWithin(run: RunId, graceMs: number): Promise<boolean>;
  /** How many URLs of the run each worker may have in flight; null without its own limit. */
  limitConcurrency(lease: RunLease, urls: number | null): Promise<void>;
  /**
   * How many URLs the run may find. Links beyond it are left out and counted, without a row; as many exclusions are recorded.
   * A version has at most three times as many URLs, of all its runs together. URLs that the version already has are always
   * accepted. Concurrent settlements may exceed the limit by the links of their pages.
   */
  limitUrls(lease: RunLease, urls: number): Promise<void>;
  /** Settles the unfetched URLs as dropped, in steps; returns how many. Required before a stopped run can end. */
  dropUnfetched(lease: RunLease, reason: Reason): Promise<number>;
  /** Settles the claimed URLs as dropped and returns how many: settlements of their workers are then superseded. */
  dropInFlight(lease: RunLease, reason: Reason): Promise<number>;
  /**
   * Ends a drained run. False when the lease is lost or the frontier still has work. Why a run failed or is not complete is
   * one of its problems, unless a problem of the run has the reason in its message.
   */
  finish(lease: RunLease, state: EndedRunState, reason: string | null): Promise<boolean>;
}
