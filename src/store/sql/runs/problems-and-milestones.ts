// Problems and milestones of runs. They are few, and kept for good: retention is for events.

import { ANALYSIS_JOB } from '../../../core/analysis/analysis-run.ts';
import type { RunId } from '../../../core/model/run.ts';
import type { Analysis } from '../../port/analysis.ts';
import type { Journal, Milestone, Problem, ReportedProblem } from '../../port/journal.ts';
import { jsonObject, jsonText } from '../engine/codec.ts';
import type { Engine, Executor } from '../engine/engine.ts';
import type { FrontierLookup } from '../frontier/frontier-lookup.ts';
import { lockSourceOf, lockSourceOfRun } from '../sources/lock-source.ts';
import { readRange } from './read-range.ts';
import { appendEvent } from './transaction-tail.ts';

const upsertProblem = `insert into problems (source_id, run_id, kind, severity, scope, target, message, details, count, first_at, last_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 1, now_ms(), now_ms())
  on conflict (run_id, kind, target) do update set count = problems.count + 1, last_at = excluded.last_at, severity = excluded.severity,
    message = excluded.message, details = excluded.details returning count`;
const PROBLEM = `select id, run_id, kind, severity, scope, target, message, details, count, first_at, last_at from problems`;
const selectProblems = `${PROBLEM} where run_id = $1 order by id`;

const insertMilestone = `insert into milestones (job, run_id, source_id, kind, scope, target, message, details, at)
  values ($8, $1, $2, $3, $4, $5, $6, $7, now_ms()) on conflict do nothing returning run_id`;
const MILESTONE = `select id, job, run_id, kind, scope, target, message, details, at from milestones`;
const selectMilestones = `${MILESTONE} where run_id = $1 order by id`;

const selectReached = `select kind, scope from milestones where version_id = $1`;
const insertDue = `insert into milestones (job, run_id, version_id, source_id, kind, scope, target, message, details, at)
  select $7, $8, v.id, v.source_id, $2, $3, $4, $5, $6, now_ms() from versions v where v.id = $1 on conflict do nothing returning source_id`;
/** Events are of runs: that of the milestone is with those of the version's latest one. */
const selectLatestRun = `select max(id) as id from runs where version_id = $1`;

interface ProblemRow extends Omit<Problem, 'run' | 'details'> {
  readonly id: number;
  readonly run_id: number;
  readonly details: string;
  readonly count: number;
  readonly first_at: number;
  readonly last_at: number;
}

interface MilestoneRow extends Omit<Milestone, 'run' | 'at' | 'details'> {
  readonly run_id: number | null;
  readonly at: number;
  readonly details: string;
}

type ProblemsAndMilestones = Pick<
  Journal,
  'reportProblem' | 'problems' | 'listProblems' | 'recordMilestone' | 'milestones' | 'listMilestones'
>;

export function createProblemsAndMilestones(engine: Engine, lookup: FrontierLookup): ProblemsAndMilestones {
  const { reader } = engine;
  return {
    async reportProblem(problem) {
      const { source } = await lookup.runInfo(problem.run);
      await engine.transaction(async (tx) => {
        if (await lockSourceOfRun(tx, problem.run)) await insertProblem(tx, source, problem);
      });
    },
    problems: async (run) => (await reader.all<ProblemRow>(selectProblems, [run])).map(toProblem),
    async listProblems({ run, kind, scope, severity, ...range }) {
      const filters = { run_id: run, kind, scope, severity };
      return (await readRange<ProblemRow>(reader, { select: PROBLEM, order: 'id', filters }, range)).map(toProblem);
    },
    async recordMilestone(run, milestone) {
      const { source } = await lookup.runInfo(run);
      const { kind, scope, target, message, details } = milestone;
      return engine.transaction(async (tx) => {
        const values = [run, source, kind, scope, target, message, jsonText(details), String(run)];
        if (!(await lockSourceOfRun(tx, run))) return false;
        if ((await tx.all(insertMilestone, values)).length === 0) return false;
        await appendEvent(tx, { source, run, kind: 'milestone', url: null, detail: { ...milestone } });
        return true;
      });
    },
    milestones: async (run) => (await reader.all<MilestoneRow>(selectMilestones, [run])).map(toMilestone),
    async listMilestones({ job, kind, scope, ...range }) {
      const source = { select: MILESTONE, order: 'id', filters: { job, kind, scope } };
      return (await readRange<MilestoneRow>(reader, source, range)).map(toMilestone);
    },
  };
}

/** Milestones that a version reaches once, in whichever run. */
export function createAwards(engine: Engine): Pick<Analysis, 'reachedOnce' | 'award'> {
  return {
    reachedOnce: (version) => engine.reader.all(selectReached, [version]),
    award: (version, milestone, run) =>
      engine.transaction(async (tx) => {
        const { kind, scope, target, message, details } = milestone;
        const job = run === null ? ANALYSIS_JOB : String(run);
        const values = [version, kind, scope, target, message, jsonText(details), job, run];
        if (!(await lockSourceOf(tx, version))) return false;
        const [awarded] = await tx.all<{ source_id: number }>(insertDue, values);
        if (awarded === undefined) return false;
        const eventRun = run ?? (await tx.all<{ id: number | null }>(selectLatestRun, [version]))[0]?.id ?? null;
        const detail = { ...milestone, ...(run === null && { job }) };
        if (eventRun !== null)
          await appendEvent(tx, { source: awarded.source_id, run: eventRun, kind: 'milestone', url: null, detail });
        return true;
      }),
  };
}

/** A repeated problem is counted without another event. */
export async function insertProblem(tx: Executor, source: number, problem: Problem): Promise<void> {
  const { run, kind, severity, scope, target, message, details } = problem;
  const values = [source, run, kind, severity, scope, target, message, jsonText(details)];
  const [row] = await tx.all<{ count: number }>(upsertProblem, values);
  if (row?.count !== 1) return;
  const detail = { kind, severity, scope, target, message, details };
  await appendEvent(tx, { source, run, kind: 'problem', url: null, detail });
}

function toProblem({ run_id, details, first_at, last_at, ...rest }: ProblemRow): ReportedProblem {
  const at = { firstAt: new Date(first_at), lastAt: new Date(last_at) };
  return { ...rest, run: run_id as RunId, details: jsonObject(details), ...at };
}

function toMilestone({ run_id, at, details, ...rest }: MilestoneRow): Milestone {
  return { ...rest, run: run_id as RunId | null, at: new Date(at), details: jsonObject(details) };
}
