// The state of runs, newest first; for one run also its hosts, its problems and why URLs were kept out.

import { z } from 'zod';
import { OUTCOME_NAMES, type OutcomeName } from '../core/model/outcome.ts';
import type { RunId } from '../core/model/run.ts';
import type { Source, Store } from '../store/port.ts';
import { action } from './action.ts';
import { ProblemView, problemsOf } from './list-problems.ts';
import { oneRun, WHICH_RUN } from './one-run.ts';
import { RunView, viewOfRun } from './support/run-view.ts';

const Reason = z.object({
  outcome: z.enum(OUTCOME_NAMES),
  reason: z.string(),
  times: z.int(),
  example: z.string().describe('One of the URLs'),
});

export type ReasonView = z.output<typeof Reason>;

/** The outcomes that somebody may want to be told the reasons of. */
const EXPLAINED: readonly OutcomeName[] = ['failed', 'refused', 'skipped', 'gone', 'missing', 'dropped'];
const REASONS_EACH = 10;
/** A longer queue is counted so far. */
const MOST_QUEUED = 200_000;

const Host = z.object({
  host: z.string(),
  delayMs: z.int().describe('Between two requests'),
  crawlDelayMs: z.int().nullable().describe('What robots.txt asks for'),
  pausedForMs: z.int(),
  breaker: z.enum(['closed', 'open', 'half-open']).describe('open: not asked because it keeps failing'),
  failures: z.int().describe('In a row'),
});

export type HostView = z.output<typeof Host>;

export const crawlStatus = action({
  name: 'crawl_status',
  summary: 'Show what runs did and what they are doing',
  effect: 'read',
  input: z.strictObject({
    run: z
      .string()
      .min(1)
      .optional()
      .describe(`Only one run, with its hosts, its problems and why URLs were kept out. ${WHICH_RUN}`),
    brief: z.boolean().default(false).describe('Leave the reasons out'),
    limit: z.int().min(1).max(100).default(10).describe('How many runs to show'),
  }),
  output: z.object({
    runs: z.array(RunView),
    reasons: z.array(Reason).describe('Of the one run that was asked for, most frequent first; else empty'),
    hosts: z.array(Host).describe('Of the one run that was asked for, while it lives; else empty'),
    queue: z
      .array(z.object({ depth: z.int(), urls: z.int() }))
      .describe('Of the one run that was asked for: what waits at each distance from the start; else empty'),
    problems: z.array(ProblemView).describe('Of the one run that was asked for; else empty'),
    milestones: z
      .array(z.object({ kind: z.string(), at: z.iso.datetime() }))
      .describe('Of the one run that was asked for; else empty'),
    unindexed: z.int().describe('Pages that are stored and cannot be searched yet'),
    next: z
      .array(z.object({ source: z.string(), at: z.iso.datetime() }))
      .describe('Runs that start by themselves, the soonest first; empty where one run was asked for'),
  }),
  doors: {
    cli: { command: 'status', positional: ['run'], example: 'pinakes status' },
    http: [
      { method: 'GET', path: '/runs' },
      { method: 'GET', path: '/runs/{run}' },
    ],
    mcp: { title: 'State of crawls', tools: 'default' },
  },

  async run({ run: named, brief, limit }, { store }) {
    const sources = await store.sources.list();
    const unindexed = await store.searchRows.lag();
    if (named === undefined) {
      const runs = (await store.runs.list(limit)).map((one) => viewOfRun(one, sources));
      return {
        runs,
        reasons: [],
        hosts: [],
        queue: [],
        problems: [],
        milestones: [],
        unindexed,
        next: nextRuns(sources),
      };
    }
    const run = await oneRun(store, named);
    const reasons = brief ? [] : await reasonsOf(store, run.id);
    const hosts = [...(await store.hosts.list(run.id))];
    const queue = run.endedAt === null ? [...(await store.frontier.queue(run.id, MOST_QUEUED))] : [];
    const milestones = (await store.journal.milestones(run.id)).map(({ kind, at }) => ({ kind, at: at.toISOString() }));
    const problems = await problemsOf(store, run);
    return { runs: [viewOfRun(run, sources)], reasons, hosts, queue, problems, milestones, unindexed, next: [] };
  },
});

const MOST_NEXT = 5;

function nextRuns(sources: readonly Source[]): { source: string; at: string }[] {
  return sources
    .flatMap(({ name, dueAt }) => (dueAt === null ? [] : [{ source: name, at: dueAt.toISOString() }]))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, MOST_NEXT);
}

async function reasonsOf(store: Store, run: RunId): Promise<ReasonView[]> {
  const all: ReasonView[] = [];
  for (const outcome of EXPLAINED) {
    const found = await store.frontier.reasons(run, outcome, REASONS_EACH);
    all.push(...found.map((one) => ({ outcome, ...one })));
  }
  return all;
}
