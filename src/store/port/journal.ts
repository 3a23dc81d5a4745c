// The journal: events, problems and milestones of runs, as shown to people.

import type { MilestoneReport } from '../../core/model/milestone.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { RunId, SourceId } from '../../core/model/run.ts';
import type { ProblemKind } from '../../core/outcome/problem-kinds.table.ts';
import type { JsonObject } from './json.ts';

export interface JournalEvent {
  readonly seq: number;
  readonly at: Date;
  readonly source: SourceId;
  readonly run: RunId;
  readonly kind: string;
  readonly url: PageUrl | null;
  readonly detail: JsonObject;
}

/** A page of a list, by the numbers of its items; the newest ones if neither number is given. */
export interface ListRange {
  /** Only older ones: the newest below this. */
  readonly before: number | null;
  /** Only newer ones: the oldest above this. Wins over `before`. */
  readonly after: number | null;
  readonly limit: number;
}

export interface EventQuery extends ListRange {
  readonly run: RunId | null;
  readonly kind: string | null;
}

export interface Problem {
  readonly run: RunId;
  readonly kind: ProblemKind;
  readonly severity: 'info' | 'warning' | 'error';
  /** What it is about, such as `page`; for what a plan expected of a host, that host. */
  readonly scope: string;
  readonly target: string;
  readonly message: string;
  readonly details: JsonObject;
}

export interface ReportedProblem extends Problem {
  readonly id: number;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** A null field does not filter. */
export interface ProblemQuery extends ListRange {
  readonly run: RunId | null;
  readonly kind: string | null;
  readonly scope: string | null;
  readonly severity: Problem['severity'] | null;
}

export interface Milestone extends Omit<MilestoneReport, 'details'> {
  readonly id: number;
  /** The number of its run, or `analysis-run`. */
  readonly job: string;
  /** Null for one that an analysis found to be due. */
  readonly run: RunId | null;
  readonly at: Date;
  readonly details: JsonObject;
}

/** A null field does not filter. */
export interface MilestoneQuery extends ListRange {
  readonly job: string | null;
  readonly kind: string | null;
  readonly scope: string | null;
}

export interface Journal {
  /** Sequence numbers grow in commit order: a reader that has seen n never finds a number below n later. */
  append(run: RunId, events: ReadonlyArray<{ kind: string; url: PageUrl | null; detail: JsonObject }>): Promise<void>;
  after(seq: number, limit: number, run?: RunId): Promise<readonly JournalEvent[]>;
  /** Newest first. */
  list(query: EventQuery): Promise<readonly JournalEvent[]>;
  lastSeq(): Promise<number>;
  /**
   * Brings the time by which events expire up to date, once per run and by 30 days at most: a clock that was set wrong
   * must not delete the journal. Before the first call it is the current time.
   */
  advanceExpiry(): Promise<void>;
  /**
   * Deletes up to `limit` of the oldest events that are older than this, or a whole table of them; returns how many. Sequence numbers
   * are not reused.
   */
  prune(olderThanMs: number, limit: number): Promise<number>;
  /** The same kind and target in one run is one problem with a count. */
  reportProblem(problem: Problem): Promise<void>;
  problems(run: RunId): Promise<readonly ReportedProblem[]>;
  /** Lists those of all runs, newest first. */
  listProblems(query: ProblemQuery): Promise<readonly ReportedProblem[]>;
  /** Returns true the first time a run reaches it, by its kind, scope and target. */
  recordMilestone(run: RunId, milestone: MilestoneReport): Promise<boolean>;
  milestones(run: RunId): Promise<readonly Milestone[]>;
  /** Lists those of all runs, newest first. */
  listMilestones(query: MilestoneQuery): Promise<readonly Milestone[]>;
}
