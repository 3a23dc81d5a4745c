// Lists the problems of a run that need attention.

import { z } from 'zod';
import type { Store, Run } from '../store/port.ts';
import { action } from './action.ts';
import { RUN_REFERENCE, resolveRun } from './support/resolve.ts';

export const ProblemView = z.object({
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
  summary: 'Show what went wrong in a run and what to do about it',
  effect: 'read',
  input: z.strictObject({
    run: z.string().min(1).describe(RUN_REFERENCE),
    severity: z.enum(['info', 'warning', 'error']).optional().describe('Only problems of this severity'),
  }),
  output: z.object({ run: z.int(), problems: z.array(ProblemView) }),
  bindings: {
    cli: { command: 'problems', positional: ['run'], example: 'pinakes problems docs.example.dev' },
    http: { method: 'GET', path: '/runs/{run}/problems' },
  },

  async run({ run: reference, severity }, { store }) {
    const run = await resolveRun(store, reference);
    const problems = await loadProblems(store, run);
    return { run: run.id, problems: problems.filter((one) => severity === undefined || one.severity === severity) };
  },
});

/** The first problem says why a run failed or is not complete, unless one that ended it does. */
function withResult({ id, state, reason, endedAt }: Run, problems: ProblemView[]): ProblemView[] {
  if (reason === null || endedAt === null || (state !== 'failed' && state !== 'partial')) return problems;
  if (problems.some(({ message }) => message.includes(reason))) return problems;
  const severity = state === 'failed' ? 'error' : 'warning';
  const about = { kind: `run-${state}`, severity, scope: 'run', target: `run ${id}`, message: reason } as const;
  return [{ ...about, times: 1, lastAt: endedAt.toISOString(), details: {} }, ...problems];
}

export async function loadProblems(store: Store, run: Run): Promise<ProblemView[]> {
  const problems = (await store.journal.problems(run.id)).map(
    ({ kind, severity, scope, target, message, times, lastAt, details }) => {
      const about = { kind, severity, scope, target, message, times };
      return { ...about, lastAt: lastAt.toISOString(), details: { ...details } };
    },
  );
  return withResult(run, problems);
}
