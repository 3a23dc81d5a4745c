// Problems and milestones of runs. They are few, and kept for good: retention is for events.

import { milestoneFacts } from '../../../core/model/milestone.ts';
import type { RunId } from '../../../core/model/run.ts';
import type { Journal, Milestone, Problem, ReportedProblem } from '../../port.ts';
import { jsonObject, jsonText } from '../engine/codec.ts';
import type { Engine, Executor } from '../engine/engine.ts';
import type { FrontierLookup } from '../frontier/frontier-lookup.ts';
import { readRange } from './read-range.ts';
import { appendEvent } from './tally.ts';

const upsertProblem = `insert into problems (source_id, run_id, kind, severity, scope, target, message, details, times, first_at, last_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 1, now_ms(), now_ms())
  on conflict (run_id, kind, target) do update set times = problems.times + 1, last_at = excluded.last_at, severity = excluded.severity,
    message = excluded.message, details = excluded.details returning times`;
const PROBLEM = `select id, run_id, kind, severity, scope, target, message, details, times, first_at, last_at from problems`;
const selectProblems = `${PROBLEM} where run_id = $1 order by id`;

const insertMilestone = `insert into milestones (run_id, kind, source_id, at, details) values ($1, $2, $3, now_ms(), $4) on conflict do nothing returning run_id`;
const MILESTONE = `select id, run_id, kind, at, details from milestones`;
const selectMilestones = `${MILESTONE} where run_id = $1 order by at, kind`;

interface ProblemRow extends Omit<Problem, 'run' | 'details'> {
  readonly id: number;
  readonly run_id: number;
  readonly details: string;
  readonly times: number;
  readonly first_at: number;
  readonly last_at: number;
}

interface MilestoneRow {
  readonly id: number;
  readonly run_id: number;
  readonly kind: string;
  readonly at: number;
  readonly details: string;
}

type RunNotes = Pick<
  Journal,
  'reportProblem' | 'problems' | 'listProblems' | 'recordMilestone' | 'milestones' | 'listMilestones'
>;

export function createRunNotes(engine: Engine, lookup: FrontierLookup): RunNotes {
  const { reader } = engine;
  return {
    async reportProblem(problem) {
      const { source } = await lookup.runFacts(problem.run);
      await engine.transaction((tx) => reportProblem(tx, source, problem));
    },
    problems: async (run) => (await reader.all<ProblemRow>(selectProblems, [run])).map(toProblem),
    async listProblems({ run, kind, scope, severity, ...range }) {
      const filters = { run_id: run, kind, scope, severity };
      return (await readRange<ProblemRow>(reader, { select: PROBLEM, order: 'id', filters }, range)).map(toProblem);
    },
    async recordMilestone(run, milestone, details) {
      const { source } = await lookup.runFacts(run);
      return engine.transaction(async (tx) => {
        const reached = await tx.all(insertMilestone, [run, milestone, source, jsonText(details)]);
        if (reached.length === 0) return false;
        const detail = { ...milestoneFacts(run, milestone), details };
        await appendEvent(tx, { source, run, kind: 'milestone', url: null, detail });
        return true;
      });
    },
    milestones: async (run) => (await reader.all<MilestoneRow>(selectMilestones, [run])).map(toMilestone),
    async listMilestones({ run, kind, ...range }) {
      const source = { select: MILESTONE, order: 'id', filters: { run_id: run, kind } };
      return (await readRange<MilestoneRow>(reader, source, range)).map(toMilestone);
    },
  };
}

/** A repeated problem is counted without another event. */
async function reportProblem(tx: Executor, source: number, problem: Problem): Promise<void> {
  const { run, kind, severity, scope, target, message, details } = problem;
  const values = [source, run, kind, severity, scope, target, message, jsonText(details)];
  const [row] = await tx.all<{ times: number }>(upsertProblem, values);
  if (row?.times !== 1) return;
  const detail = { kind, severity, scope, target, message, details };
  await appendEvent(tx, { source, run, kind: 'problem', url: null, detail });
}

function toProblem({ run_id, details, first_at, last_at, ...rest }: ProblemRow): ReportedProblem {
  const times = { firstAt: new Date(first_at), lastAt: new Date(last_at) };
  return { ...rest, run: run_id as RunId, details: jsonObject(details), ...times };
}

function toMilestone({ id, run_id, kind, at, details }: MilestoneRow): Milestone {
  return { id, run: run_id as RunId, kind, at: new Date(at), details: jsonObject(details) };
}
