// node bench/store/event-lists.ts sqlite|postgres [EVENTS]: what the first page of every list of runs costs in a library of 10 million
// events, 2,000 runs, 100,000 problems and 10,000 milestones. Half of the events are those of one run. PostgreSQL is the one that
// PINAKES_TEST_POSTGRES_URL names; a database is created there and dropped.
//
// Each figure is of the whole action: CPU time of the calling process (median) and of the server (mean), and the tables that its
// statements scan. The newest rows of a whole table, read in the order of its key, are not a scan.

import type { Action, ActionDeps } from '../../src/actions/action.ts';
import { actions } from '../../src/actions/actions.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import type { Store } from '../../src/store/port.ts';
import { createRunFixture } from '../../test/support/run-fixture.ts';
import { openPlannedPostgres, openPlannedSqlite, type PlannedStore } from '../../test/support/query-plans.ts';
import { postgresUrl } from '../../test/support/stores.ts';
import { readPostmasterPid, serverCpuMs } from '../support/backend-cpu.ts';
import { cpuMs } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';

const ENGINE = process.argv[2] === 'postgres' ? 'postgres' : 'sqlite';
const DEFAULT_EVENTS = 10_000_000;
const EVENTS = Number(process.argv[3] ?? DEFAULT_EVENTS);
const RUNS = 2000;
const PROBLEMS = 100_000;
const MILESTONES = 10_000;
const CALLS = 30;
const MAX_CPU_MS = 50;
const STEP = 500_000;

/** One in a hundred fails, one in a hundred thousand is a problem. */
const KIND = `case when i % 100000 = 0 then 'problem' when i % 100 = 8 then 'failed' when i % 5 = 0 then 'enqueued' when i % 5 = 1 then 'dequeued' when i % 5 = 2 then 'new' else 'unchanged' end`;
const RUN = `case when i % 2 = 0 then 1 else i % ${RUNS} + 1 end`;
const DETAIL = `'{"depth":3,"reason":"fetch.status: status 500","queueSize":' || (i % 9000) || '}'`;

function numbers(first: number, last: number): string {
  return `with recursive n (i) as (select ${first} union all select i + 1 from n where i < ${last})`;
}

async function fill({ sql, store }: PlannedStore): Promise<void> {
  const { source, lease } = await createRunFixture(store);
  const { id } = source;
  const version = source.versions[0]!.id;
  const now = Date.now();
  await sql(`${numbers(2, RUNS)} insert into runs (source_id, version_id, state, mode, settings, created_at, started_at, ended_at)
    select ${id}, ${version}, 'completed', 'incremental', '{}', ${now}, ${now}, ${now} from n`);
  for (let first = 1; first <= EVENTS; first += STEP) {
    const last = Math.min(EVENTS, first + STEP - 1);
    await sql(`${numbers(first, last)} insert into events (seq, at, source_id, run_id, kind, url, detail)
      select 100 + i, ${now} - (${EVENTS} - i), ${id}, ${RUN}, ${KIND}, 'https://x.dev/guide/page-' || i, ${DETAIL} from n`);
    await sql(`update event_head set last = ${last + 100}`);
    // PostgreSQL has events in ranges, which the process of a run adds.
    await store.runs.renew(lease, 600_000);
    console.error(`${last} events`);
  }
  await store.runs.finish(lease, 'completed', null);
  await sql(`${numbers(1, PROBLEMS)} insert into problems (source_id, run_id, kind, severity, scope, target, message, details, count, first_at, last_at)
    select ${id}, i % ${RUNS} + 1, 'kind-' || (i % 20), case when i % 1000 = 0 then 'error' else 'warning' end, case when i % 9 = 0 then 'host' else 'page' end,
      'https://x.dev/' || i, 'it fails', '{}', 1, ${now}, ${now} from n`);
  await sql(
    `${numbers(1, MILESTONES)} insert into milestones (run_id, kind, source_id, at, details) select i % ${RUNS} + 1, 'kind-' || (i / ${RUNS}), ${id}, ${now}, '{}' from n`,
  );
  await sql(`analyze`);
}

type ListName =
  | 'crawl_status'
  | 'list_events'
  | 'list_problems'
  | 'list_milestones'
  | 'list_failures'
  | 'list_urls'
  | 'list_samples'
  | 'list_hosts'
  | 'show_growth'
  | 'show_url';

const LISTS: ReadonlyArray<readonly [name: string, action: ListName, input: Readonly<Record<string, unknown>>]> = [
  ['events', 'list_events', {}],
  ['events of a run', 'list_events', { run: '1' }],
  ['events of a small run', 'list_events', { run: '7' }],
  ['events of a kind', 'list_events', { kind: 'new' }],
  ['events of a rare kind', 'list_events', { kind: 'problem' }],
  ['events of a kind that does not occur', 'list_events', { kind: 'none' }],
  ['events of a kind in a run', 'list_events', { run: '1', kind: 'problem' }],
  ['older events', 'list_events', { before: Math.round(EVENTS / 2) }],
  ['newer events of a kind', 'list_events', { after: 100, kind: 'failed' }],
  ['problems', 'list_problems', {}],
  ['problems of a run', 'list_problems', { run: '7' }],
  ['problems of a kind', 'list_problems', { kind: 'kind-3' }],
  ['problems of a scope', 'list_problems', { scope: 'host' }],
  ['errors among problems', 'list_problems', { severity: 'error' }],
  ['milestones', 'list_milestones', {}],
  ['milestones of a run', 'list_milestones', { run: '7' }],
  ['milestones of a kind', 'list_milestones', { kind: 'kind-3' }],
  ['recent errors', 'list_failures', {}],
  ['recent errors of a run', 'list_failures', { run: '1' }],
  ['runs', 'crawl_status', {}],
  ['runs in a state', 'crawl_status', { state: 'completed' }],
  ['failed URLs of an earlier run', 'list_urls', { run: '1', outcome: 'failed' }],
  ['URLs of an earlier run', 'list_urls', { run: '1' }],
  ['URLs of an earlier run with a rare reason', 'list_urls', { run: '1', outcome: 'failed', reason: 'none' }],
  ['samples', 'list_samples', { run: '1' }],
  ['hosts', 'list_hosts', { run: '1' }],
  ['size by day', 'show_growth', {}],
  ['details of a URL', 'show_url', { url: 'https://x.dev/guide/page-5' }],
];

function call(store: Store, name: ListName, input: Readonly<Record<string, unknown>>): Promise<unknown> {
  const action = actions[name] as unknown as Action;
  const deps = { store, index: createSegmentIndex(store.segments) } as ActionDeps;
  return action.run(action.input.parse(input), deps);
}

const postmaster = ENGINE === 'postgres' ? await readPostmasterPid(postgresUrl()) : null;
const databaseCpuMs = (): number => (postmaster === null ? 0 : serverCpuMs(postmaster));

async function costOf(work: () => Promise<unknown>): Promise<{ cpuMs: number; serverCpuMs: number }> {
  await work();
  const own: number[] = [];
  const before = databaseCpuMs();
  for (let nth = 0; nth < CALLS; nth += 1) {
    const started = cpuMs();
    JSON.stringify(await work());
    own.push(cpuMs() - started);
  }
  const median = own.toSorted((a, b) => a - b)[Math.floor(CALLS / 2)] ?? 0;
  return { cpuMs: round2(median), serverCpuMs: round2((databaseCpuMs() - before) / CALLS) };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

const planned = await (ENGINE === 'postgres' ? openPlannedPostgres() : openPlannedSqlite());
try {
  const started = performance.now();
  await fill(planned);
  const buildSeconds = Math.round((performance.now() - started) / 1000);
  const lists: Record<string, unknown> = {};
  let slowest = 0;
  let scans = 0;
  for (const [name, action, input] of LISTS) {
    const cost = await costOf(() => call(planned.store, action, input));
    const found = await planned.scansOf((store) => call(store, action, input));
    const scanned = found.filter((scan) => scan.includes(' where '));
    lists[name] = { ...cost, ...(scanned.length > 0 && { scanned }) };
    slowest = Math.max(slowest, cost.cpuMs + cost.serverCpuMs);
    scans += scanned.length;
  }
  const measurements = {
    engine: ENGINE,
    events: EVENTS,
    runs: RUNS,
    problems: PROBLEMS,
    milestones: MILESTONES,
    buildSeconds,
  };
  writeResult(`event-lists-${ENGINE}${EVENTS === DEFAULT_EVENTS ? '' : `-${EVENTS}`}`, {
    ...measurements,
    lists,
    slowestCpuMs: round2(slowest),
    maxCpuMs: MAX_CPU_MS,
    scans,
  });
  if (slowest > MAX_CPU_MS || scans > 0) process.exitCode = 1;
} finally {
  await planned.close();
}
