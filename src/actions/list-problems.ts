// Lists the problems of a run, or of all runs.

import { z } from 'zod';
import { PROBLEM_KINDS } from '../core/outcome/problem-kinds.table.ts';
import type { Store } from '../store/port.ts';
import type { ReportedProblem } from '../store/port/journal.ts';
import type { Run } from '../store/port/runs.ts';
import { action } from './action.ts';
import { Cursors, cursorsOf, rangeFields, rangeOf } from './support/list-range.ts';
import { RUN_REFERENCE, resolveRun } from './support/resolve.ts';

/** The severest first. */
const SEVERITIES = ['error', 'warning', 'info'] as const;

export const ProblemView = z.object({
  id: z.int().describe('Increases with every problem'),
  ts: z.iso.datetime().describe('When it was reported first'),
  run: z.int(),
  kind: z.enum(PROBLEM_KINDS),
  severity: z.enum(SEVERITIES),
  scope: z
    .string()
    .describe('Kind of target, or the host that a plan expected more of; a specification fixes the name'),
  target: z.string(),
  message: z.string(),
  count: z.int(),
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
    scope: z
      .string()
      .min(1)
      .optional()
      .describe('Only problems of a page, a file, a host, a site, a run or the library, or of the plan for this host'),
    severity: z
      .enum([...SEVERITIES, 'warn'])
      .optional()
      .describe('Only problems of this severity; `warn` is another name for `warning`'),
    ...rangeFields('problems', { limit: 100, max: 500 }),
  }),
  output: z.object({
    run: z.int().nullable().describe('The requested run; null for all runs'),
    problems: z.array(ProblemView).describe('Newest first'),
    cursors: Cursors,
  }),
  bindings: {
    cli: { command: 'problems', group: 'runs', positional: ['run'], example: 'pinakes problems docs.example.dev' },
    http: [
      { method: 'GET', path: '/problems' },
      { method: 'GET', path: '/runs/{run}/problems', operation: 'list_run_problems' },
    ],
  },

  async run({ run: reference, kind, scope, severity, ...range }, { store }) {
    const run = reference === undefined ? null : await resolveRun(store, reference);
    const severityName = severity === 'warn' ? 'warning' : (severity ?? null);
    const filter = { kind: kind ?? null, scope: scope ?? null, severity: severityName };
    const found = await store.journal.listProblems({ run: run?.id ?? null, ...filter, ...rangeOf(range) });
    return {
      run: run?.id ?? null,
      problems: found.map(problemView),
      cursors: cursorsOf(
        found.map(({ id }) => id),
        range,
      ),
    };
  },
});

/** The severest first. */
export async function loadProblems(store: Store, run: Run): Promise<ProblemView[]> {
  const problems = (await store.journal.problems(run.id)).map(problemView);
  return problems.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

function problemView({ firstAt, lastAt, details, ...problem }: ReportedProblem): ProblemView {
  return { ...problem, ts: firstAt.toISOString(), lastAt: lastAt.toISOString(), details: { ...details } };
}
