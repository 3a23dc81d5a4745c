// The state and progress of runs, newest first; for one run also its problems, and which URLs failed or were excluded, and why.

import { z } from 'zod';
import { OUTCOME_NAMES, type OutcomeName } from '../core/model/outcome.ts';
import { EXPLAINED_OUTCOMES } from '../core/outcome/outcome-labels.table.ts';
import { RUN_STATES, type RunId, type VersionId } from '../core/model/run.ts';
import { SOURCE_STATUSES, sourceStatus, type SourceStatus } from '../core/model/source-status.ts';
import type { Store } from '../store/port.ts';
import type { Run } from '../store/port/runs.ts';
import { action } from './action.ts';
import { ProblemView, loadProblems } from './list-journal.ts';
import { loadRunViews, RunView } from './support/run-view.ts';
import { Cursors, cursorsOf, rangeFields, rangeOf } from './support/list-range.ts';
import { resolveRun, resolveSource } from './support/resolve.ts';
import { openRunUrls } from './support/run-urls.ts';
import { PageCursor } from './support/page-cursor.ts';

const Reason = z.object({
  outcome: z.enum(OUTCOME_NAMES),
  reason: z.string(),
  count: z.int(),
  example: z.string().describe('One of the URLs'),
});

const Estimate = z.object({ pages: z.int(), low: z.int(), high: z.int(), coverage: z.number() });
const CoverageTotals = z.object({
  promised: z.int(),
  stored: z.int(),
  coverage: z.number(),
  missing: z.array(z.string()),
});

export type ReasonView = z.output<typeof Reason>;

/** Outcomes whose URLs are listed unless one is named. */
const LISTED_OUTCOMES: readonly OutcomeName[] = ['failed', 'not-found', 'excluded'];
const MAX_REASONS_PER_OUTCOME = 10;
/** A longer queue is counted up to this number. */
const MAX_COUNTED_QUEUE = 200_000;

interface RunSource {
  readonly startUrl: string;
  readonly status: SourceStatus;
  readonly pages: number;
  readonly chunks: number;
}

interface ListedUrl {
  readonly url: string;
  readonly outcome: OutcomeName;
  readonly reason: string | null;
}

interface UrlRequest {
  readonly outcome: OutcomeName | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

export const crawlStatus = action({
  // A specification fixes the name of this tool.
  name: 'crawl_status',
  summary: 'Show the state and progress of runs',
  effect: 'read',
  input: z.strictObject({
    run: z
      .string()
      .min(1)
      .optional()
      .describe('Only this run, in detail: its number, a source for its latest run, or `latest`'),
    outcome: z
      .enum(EXPLAINED_OUTCOMES)
      .optional()
      .describe('Only URLs with this outcome; failed and excluded by default'),
    cursor: PageCursor.optional().describe('`nextCursor` of the previous result'),
    source: z.string().min(1).optional().describe('Only runs of this source, in a list of runs'),
    state: z.enum(RUN_STATES).optional().describe('Only runs in this state, in a list of runs'),
    brief: z.boolean().default(false).describe('Omit the source, the reasons and the URLs'),
    ...rangeFields('runs or URLs', { limit: 10, max: 100 }),
  }),
  output: z.object({
    runs: z.array(RunView),
    cursors: Cursors,
    source: z
      .object({ startUrl: z.string(), status: z.enum(SOURCE_STATUSES), pages: z.int(), chunks: z.int() })
      .nullable()
      .describe('Of the requested run; otherwise null, and null if `brief`'),
    elapsedMs: z.int().nullable().describe('How long the requested run has taken; null if it has not begun'),
    urls: z
      .array(z.object({ url: z.string(), outcome: z.enum(OUTCOME_NAMES), reason: z.string().nullable() }))
      .describe('Of the requested run, by outcome'),
    nextCursor: z.string().nullable().describe('With an outcome: pass it as `cursor` for more URLs; null at the end'),
    reasons: z.array(Reason).describe('Of the requested run, most frequent first; otherwise empty'),
    queue: z
      .array(z.object({ depth: z.int(), urls: z.int() }))
      .describe('Of the requested run: queued URLs by depth; otherwise empty'),
    problems: z.array(ProblemView).describe('Of the requested run; otherwise empty'),
    settings: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Of the requested run: its settings when it began, without headers; null once its events are deleted'),
    markdownVerdict: z
      .string()
      .nullable()
      .describe('Of the requested run: whether pages are read as the Markdown that the site publishes, and why'),
    coverage: CoverageTotals.nullable().describe(
      'Of the requested run: how much of what its site promises is stored; null if that was not measured',
    ),
    estimate: Estimate.nullable().describe(
      'Of a requested run with a plan: how many pages the site has, as estimated last; otherwise null',
    ),
    unindexed: z.int().describe('Pages stored but not searchable yet'),
    isSearchable: z.boolean().describe('Whether all pages stored by the requested run are searchable; otherwise true'),
    scheduled: z
      .array(z.object({ source: z.string(), at: z.iso.datetime() }))
      .describe('Scheduled runs, soonest first; empty if one run was requested'),
  }),
  bindings: {
    cli: { command: 'status', group: 'runs', positional: ['run'], example: 'pinakes status' },
    http: [
      { method: 'GET', path: '/runs', operation: 'list_runs' },
      { method: 'GET', path: '/runs/{run}', operation: 'show_run' },
    ],
    mcp: {
      title: 'State of crawls',
      description:
        'Show the progress of crawls; with `run` also failed and excluded URLs with their reasons. Call it after add_source or recrawl_source, or when a page is missing.',
      tools: 'default',
      fixedInput: { brief: false, source: undefined, state: undefined, before: undefined, after: undefined },
    },
  },

  async run({ run: reference, outcome, cursor, brief, source, state = null, ...range }, { store, index }) {
    const { pages: unindexed } = await index.lag();
    if (reference === undefined) {
      const id = source === undefined ? null : (await resolveSource(store, source)).id;
      const found = await store.runs.listPage({ source: id, state, ...rangeOf(range) });
      return {
        ...NO_RUN,
        runs: [...(await loadRunViews(store, found))],
        cursors: cursorsOf(found, (run) => run.id, range),
        unindexed,
        scheduled: await scheduledRuns(store),
      };
    }
    const run = await resolveRun(store, reference);
    return {
      ...NO_RUN,
      runs: [...(await loadRunViews(store, [run]))],
      cursors: { nextBefore: null, prevAfter: null },
      elapsedMs: elapsedMsOf(run),
      queue: run.endedAt === null ? [...(await store.frontier.queueByDepth(run.id, MAX_COUNTED_QUEUE))] : [],
      problems: await loadProblems(store, run),
      settings: await loadSettings(store, run.id),
      ...(brief ? {} : await loadDetails(store, run, { outcome, cursor, limit: range.limit })),
      unindexed,
      isSearchable: await index.isIndexed(run.version),
    };
  },
});

/** What a list of runs has in place of the details of one. */
const NO_RUN = {
  source: null,
  elapsedMs: null,
  urls: [],
  nextCursor: null,
  reasons: [],
  queue: [],
  problems: [],
  settings: null,
  markdownVerdict: null,
  coverage: null,
  estimate: null,
  isSearchable: true,
  scheduled: [],
};

/** What changes with each page, or takes long: no poll needs it. */
async function loadDetails(store: Store, run: Run, request: UrlRequest) {
  return {
    source: await sourceOfRun(store, run),
    reasons: await loadReasons(store, run.id),
    ...(await loadUrls(store, run, request)),
    markdownVerdict: await describeReading(store, run.version),
    ...(await loadCoverage(store, run)),
  };
}

function elapsedMsOf({ startedAt, endedAt, readAt }: Run): number | null {
  return startedAt === null ? null : (endedAt ?? readAt).getTime() - startedAt.getTime();
}

/** The source may have others by now. */
async function loadSettings({ journal }: Store, run: RunId): Promise<Record<string, unknown> | null> {
  const [started] = await journal.list({ run, kind: 'run-started', before: null, after: null, limit: 1 });
  const settings = z.record(z.string(), z.unknown()).safeParse(started?.detail['settings']);
  return settings.data ?? null;
}

/** The last measured coverage: a poll measures nothing. */
async function loadCoverage({ analysis, plans }: Store, { id, version }: Run) {
  const stored = await plans.load(id);
  const estimate = Estimate.safeParse(stored?.progress?.['estimate']).data ?? null;
  const known = await analysis.coverage(version);
  if (known === null) return { coverage: null, estimate };
  return { coverage: CoverageTotals.parse(known.report), estimate };
}

/** Imported lazily: no other command needs them. */
async function describeReading(store: Store, version: VersionId): Promise<string | null> {
  const { storedMarkdown } = await import('../crawl/site/site-profile.ts');
  const { route, ownMarkdown } = storedMarkdown(await store.sources.siteProfile(version));
  const name = route === null ? 'Markdown of the site' : `Markdown of the site (${route})`;
  if (ownMarkdown === null) return route === null ? null : name;
  const { describeFidelity } = await import('../core/discover/markdown/markdown-fidelity.ts');
  const { isUsed, fidelity, pages } = ownMarkdown;
  const retained = `it keeps ${describeFidelity(fidelity)} of ${pages} compared pages`;
  return isUsed ? `${name}: ${retained}` : `HTML instead of the ${name}: ${retained}`;
}

async function sourceOfRun({ sources, stats }: Store, run: Run): Promise<RunSource> {
  const [{ pages, chunks } = { pages: 0, chunks: 0 }] = await stats.versions([run.version]);
  const source = await sources.byId(run.source);
  return { startUrl: source?.startUrl ?? '', status: sourceStatus(run, pages), pages, chunks };
}

/** Failed and excluded ones from the start, or one page of the ones with the given outcome. */
async function loadUrls(
  store: Store,
  run: Run,
  { outcome, cursor, limit }: UrlRequest,
): Promise<{ urls: ListedUrl[]; nextCursor: string | null }> {
  const readUrls = await openRunUrls(store, run);
  const urls: ListedUrl[] = [];
  let nextCursor: string | null = null;
  for (const one of outcome === undefined ? LISTED_OUTCOMES : [outcome]) {
    const from = outcome === undefined ? null : (cursor ?? null);
    const found = await readUrls({ outcome: one, reason: null, cursor: from, limit });
    urls.push(...found.items.map(({ url, reason }) => ({ url, outcome: one, reason })));
    if (outcome !== undefined) nextCursor = found.nextCursor;
  }
  return { urls, nextCursor };
}

const MAX_SCHEDULED = 5;

async function scheduledRuns({ sources }: Store): Promise<{ source: string; at: string }[]> {
  const next = await sources.scheduled(MAX_SCHEDULED);
  return next.flatMap(({ name, dueAt }) => (dueAt === null ? [] : [{ source: name, at: dueAt.toISOString() }]));
}

async function loadReasons(store: Store, run: RunId): Promise<ReasonView[]> {
  const all: ReasonView[] = [];
  for (const outcome of EXPLAINED_OUTCOMES) {
    const found = await store.frontier.reasons(run, outcome, MAX_REASONS_PER_OUTCOME);
    all.push(...found.map((one) => ({ outcome, ...one })));
  }
  return all;
}
