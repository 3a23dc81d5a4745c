// Lists of the journal, newest first: the events, problems and milestones of one run, or of all. All three have the same range, routes
// and form of command.

import { z } from 'zod';
import { hostOf } from '../core/model/page-url.ts';
import { PROBLEM_KINDS } from '../core/outcome/problem-kinds.table.ts';
import type { Store } from '../store/port.ts';
import type { JournalEvent, Milestone, ReportedProblem } from '../store/port/journal.ts';
import type { Run } from '../store/port/runs.ts';
import { action, type Action } from './action.ts';
import { Cursors, cursorsOf, rangeFields, rangeOf } from './support/list-range.ts';
import { RUN_REFERENCE, resolveRunId } from './support/resolve.ts';

const filter = (description: string) => z.string().min(1).optional().describe(description);
const runFilter = filter(`${RUN_REFERENCE}; all runs by default`);
const kindFilter = (items: string) => filter(`Only ${items} of this kind`);

function journalBindings(items: string, example: string): Action['bindings'] {
  return {
    cli: { command: items, group: 'runs', positional: ['run'], example },
    http: [
      { method: 'GET', path: `/${items}` },
      { method: 'GET', path: `/runs/{run}/${items}`, operation: `list_run_${items}` },
    ],
  };
}

export const EventView = z.object({
  seq: z.int().describe('Increases with every event'),
  at: z.iso.datetime(),
  run: z.int(),
  kind: z.string(),
  url: z.string().nullable(),
  detail: z
    .record(z.string(), z.unknown())
    .describe(
      'Depends on the kind. For URLs of the queue: depth, host, reason, queueSize and rawUrl, the URL as a link wrote it',
    ),
});

export type EventView = z.output<typeof EventView>;

export const listEvents = action({
  name: 'list_events',
  summary: 'List the events of runs, newest first',
  effect: 'read',
  input: z.strictObject({
    run: runFilter,
    kind: kindFilter('events'),
    ...rangeFields('events', { limit: 50, max: 1000 }),
  }),
  output: z.object({ events: z.array(EventView), cursors: Cursors }),
  bindings: journalBindings('events', 'pinakes events docs.example.dev --limit 20'),

  async run({ run: reference, kind = null, ...range }, { store }) {
    const run = await resolveRunId(store, reference);
    const events = (await store.journal.list({ run, kind, ...rangeOf(range) })).map(eventView);
    return { events, cursors: cursorsOf(events, ({ seq }) => seq, range) };
  },
});

export function eventView({ seq, at, run, kind, url, detail }: JournalEvent): EventView {
  const host = url !== null && 'queueSize' in detail ? { host: hostOf(url) } : {};
  return { seq, at: at.toISOString(), run, kind, url, detail: { ...host, ...detail } };
}

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
    run: runFilter,
    kind: kindFilter('problems'),
    scope: filter(
      'Only problems of a page, a file, a host, a site, a run or the library, or of the plan for this host',
    ),
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
  bindings: journalBindings('problems', 'pinakes problems docs.example.dev'),

  async run({ run: reference, kind = null, scope = null, severity = null, ...range }, { store }) {
    const run = await resolveRunId(store, reference);
    const filters = { run, kind, scope, severity: severity === 'warn' ? ('warning' as const) : severity };
    const problems = (await store.journal.listProblems({ ...filters, ...rangeOf(range) })).map(problemView);
    return { run, problems, cursors: cursorsOf(problems, ({ id }) => id, range) };
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

export const MilestoneView = z.object({
  id: z.int().describe('Increases with every milestone'),
  ts: z.iso.datetime(),
  run: z.int().nullable().describe('Null for one that an analysis found to be due'),
  job: z.string().describe('The number of the run, or `analysis-run`'),
  kind: z.string(),
  scope: z.string().describe('The host that it is about, or `run`; a specification fixes the name'),
  target: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});

export type MilestoneView = z.output<typeof MilestoneView>;

export const listMilestones = action({
  name: 'list_milestones',
  summary: 'List what runs have reached, newest first',
  effect: 'read',
  input: z.strictObject({
    run: runFilter,
    job: filter('Only those of this job: the number of a run, or `analysis-run`'),
    kind: kindFilter('milestones'),
    scope: filter('Only milestones of this host, or those about a run: `run`'),
    ...rangeFields('milestones', { limit: 100, max: 500 }),
  }),
  output: z.object({ milestones: z.array(MilestoneView), cursors: Cursors }),
  bindings: journalBindings('milestones', 'pinakes milestones --kind seeds-prepared'),

  async run({ run: reference, job: named = null, kind = null, scope = null, ...range }, { store }) {
    const run = await resolveRunId(store, reference);
    const job = run === null ? named : String(run);
    const found = await store.journal.listMilestones({ job, kind, scope, ...rangeOf(range) });
    return { milestones: found.map(milestoneView), cursors: cursorsOf(found, ({ id }) => id, range) };
  },
});

function milestoneView({ at, details, ...milestone }: Milestone): MilestoneView {
  return { ...milestone, ts: at.toISOString(), details: { ...details } };
}
