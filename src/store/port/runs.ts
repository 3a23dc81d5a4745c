// Runs, and who conducts them.

import type { OutcomeName } from '../../core/model/outcome.ts';
import type { EndedRunState, RunId, RunMode, RunState, SourceId, VersionId } from '../../core/model/run.ts';
import type { JsonObject } from './json.ts';

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
  /**
   * Starts the run of a source that is due and sets its next one, in one transaction: of any number of callers one starts it.
   * Null where another did, or where a run of the source lives already; then the next one is set all the same.
   */
  startDue(version: VersionId, nextAfterMs: number): Promise<Run | null>;
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
