// What somebody should look at: the problems of a run.

import { z } from 'zod';
import type { Store, Run } from '../store/port.ts';
import { action } from './action.ts';
import { oneRun, WHICH_RUN } from './one-run.ts';

export const ProblemView = z.object({
  kind: z.string(),
  severity: z.enum(['info', 'warning', 'error']),
  scope: z.string().describe('What the target is: a page, a host, a file or the run'),
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
    run: z.string().min(1).describe(WHICH_RUN),
    severity: z.enum(['info', 'warning', 'error']).optional().describe('Only problems of this severity'),
  }),
  output: z.object({ run: z.int(), problems: z.array(ProblemView) }),
  doors: {
    cli: { command: 'problems', positional: ['run'], example: 'pinakes problems docs.example.dev' },
    http: { method: 'GET', path: '/runs/{run}/problems' },
  },

  async run({ run: named, severity }, { store }) {
    const run = await oneRun(store, named);
    const problems = await problemsOf(store, run);
    return { run: run.id, problems: problems.filter((one) => severity === undefined || one.severity === severity) };
  },
});

export async function problemsOf(store: Store, run: Run): Promise<ProblemView[]> {
  return (await store.journal.problems(run.id)).map(
    ({ kind, severity, scope, target, message, times, lastAt, details }) => {
      const about = { kind, severity, scope, target, message, times };
      return { ...about, lastAt: lastAt.toISOString(), details: { ...details } };
    },
  );
}
