// Lists the problems of a run, or of all runs.

import { z } from 'zod';
import type { ReportedProblem, Run, Store } from '../store/port.ts';
import { action } from './action.ts';
import { Cursors, cursorsOf, rangeFields, rangeOf } from './support/list-range.ts';
import { RUN_REFERENCE, resolveRun } from './support/resolve.ts';

export const ProblemView = z.object({
  id: z.int().nullable().describe('Increases with every problem; null for how a run ended'),
  ts: z.iso.datetime().describe('When it was reported first'),
  run: z.int(),
  kind: z.string(),
  severity: z.enum(['info', 'warning', 'error']),
  scope: z.string().describe('Kind of target: a page, a host, a file or the run'),
  target: z.string(),
  message: z.string(),
  times: z.int(),
  lastAt: z.iso.datetime(),
  details: z.record(z.string(), z.unknown()),
});

export type ProblemView = z.output<typeof ProblemView>;

export const listProblems = action({
  name: 'list_problems',
  summary: 'Show what went wrong in runs and what to do about it',
  effect: 'read',
  input: z.strictObject({
    run: z.string().min(1).optional().describe(`${RUN_REFERENCE}; all runs by default`),
    kind: z.string().min(1).optional().describe('Only problems of this kind'),
    scope: z.string().min(1).optional().describe('Only problems of a page, a host, a file or a run'),
    severity: z.enum(['info', 'warning', 'error']).optional().describe('Only problems of this severity'),
    ...rangeFields('problems', { limit: 100, max: 500 }),
  }),
  output: z.object({
    run: z.int().nullable().describe('The requested run; null for all runs'),
    problems: z.array(ProblemView).describe('Newest first'),
    cursors: Cursors,
  }),
  bindings: {
    cli: { command: 'problems', positional: ['run'], example: 'pinakes problems docs.example.dev' },
    http: [
      { method: 'GET', path: '/problems' },
      { method: 'GET', path: '/runs/{run}/problems', operation: 'list_run_problems' },
    ],
  },

  async run({ run: reference, kind, scope, severity, ...range }, { store }) {
    const run = reference === undefined ? null : await resolveRun(store, reference);
    const filter = { kind: kind ?? null, scope: scope ?? null, severity: severity ?? null };
    const found = await store.journal.listProblems({ run: run?.id ?? null, ...filter, ...rangeOf(range) });
    const numbers = found.map(({ id }) => id);
    const isFirstPage = range.before === undefined && range.after === undefined;
    const problems = isFirstPage && run !== null ? withResult(run, found.map(problemView)) : found.map(problemView);
    const isWanted = (one: ProblemView): boolean =>
      (kind ?? one.kind) === one.kind &&
      (scope ?? one.scope) === one.scope &&
      (severity ?? one.severity) === one.severity;
    return { run: run?.id ?? null, problems: problems.filter(isWanted), cursors: cursorsOf(numbers, range) };
  },
});

/** The first problem says why a run failed or is not complete, unless one that ended it does. */
function withResult({ id: run, state, reason, endedAt }: Run, problems: ProblemView[]): ProblemView[] {
  if (reason === null || endedAt === null || (state !== 'failed' && state !== 'partial')) return problems;
  if (problems.some(({ message }) => message.includes(reason))) return problems;
  const severity = state === 'failed' ? 'error' : 'warning';
  const about = { kind: `run-${state}`, severity, scope: 'run', target: `run ${run}`, message: reason } as const;
  const at = endedAt.toISOString();
  return [{ id: null, ts: at, run, ...about, times: 1, lastAt: at, details: {} }, ...problems];
}

export async function loadProblems(store: Store, run: Run): Promise<ProblemView[]> {
  return withResult(run, (await store.journal.problems(run.id)).map(problemView));
}

function problemView({ firstAt, lastAt, details, ...problem }: ReportedProblem): ProblemView {
  return { ...problem, ts: firstAt.toISOString(), lastAt: lastAt.toISOString(), details: { ...details } };
}
