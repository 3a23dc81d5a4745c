// What monitoring sees of a server and of a worker: health, the state of the system, and every metric with its help.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReadiness } from '../../../src/library/health.ts';
import { readCrawlActivity } from '../../../src/library/library-state.ts';
import { METRICS, PROCESS_METRICS } from '../../../src/platform/metrics.table.ts';
import type { Run } from '../../../src/store/port/runs.ts';
import { start } from '../../support/program.ts';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { createRunFixture } from '../../support/run-fixture.ts';
import { openTestSqlite } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { addToken, startTestServer, type TestServer } from '../../support/test-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

let site: SiteServer;
let server: TestServer;
let token = '';

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(server.url + path, { headers: { authorization: `Bearer ${token}`, ...headers } });
const json = async (path: string): Promise<Record<string, unknown>> =>
  (await (await get(path)).json()) as Record<string, unknown>;
/** By the name of the line, with its labels. */
const values = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line.startsWith('pinakes_'))
      .map((line) => [line.slice('pinakes_'.length, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );

beforeAll(async () => {
  site = await createSiteServer({ size: 8 });
  server = await startTestServer({}, async (library) => void (token = await addToken(library, 'monitor', 'admin')));
  await fetch(`${server.url}/api/sources`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ url: site.start, name: 'almanac' }),
  });
  await waitUntil('the run has ended', async () => {
    const { runs } = (await json('/api/runs')) as { runs: { endedAt: string | null }[] };
    return runs[0]?.endedAt != null && ((await json('/api/library/stats')) as { unindexed: number }).unindexed === 0;
  });
  await get('/api/search?query=page');
});
afterAll(async () => {
  await server.stop();
  await site.close();
});

test.each(['/api/activity', '/health'])('[H2] %s shows what is crawled, and needs a token', async (path) => {
  const { lastProgressAt, ...counts } = await json(path);
  expect(counts).toEqual({ running: 0, paused: 0, queueSize: 0 });
  expect(Date.now() - Date.parse(String(lastProgressAt))).toBeLessThan(600_000);
  expect((await fetch(server.url + path)).status).toBe(401);
  // A person who opens the address in a browser gets the dashboard, which asks for the token itself.
  expect((await fetch(server.url + path, { headers: { accept: 'text/html' } })).status).toBe(401);
});

test.each(['/api/health', '/api/system-health'])(
  '[H2] %s shows the state of database, disk, process, embedding and index',
  async (path) => {
    expect(await json(path)).toMatchObject({
      status: 'ok',
      problems: [],
      database: { kind: 'sqlite', journalMode: 'wal', walBytes: expect.any(Number) },
      disk: { freeBytes: expect.any(Number), minFreeBytes: 524_288_000 },
      process: { rss: expect.any(Number), heapUsed: expect.any(Number), uptime: expect.any(Number) },
      crawl: { running: 0, paused: 0, queueSize: 0, hostsSuspended: 0 },
      embedding: { state: 'off', reason: null, pending: 0, failed: 0 },
      index: { backend: 'database', state: 'ready', reason: null, unindexed: 0, lagSeconds: 0 },
      webhooks: [],
    });
  },
);

test('a scrape has every metric with help and type, and counts what happened (finding T3.4)', async () => {
  const scraped = async (): Promise<string> => (await get('/metrics')).text();
  await waitUntil(
    'the crawl thread reports',
    async () => values(await scraped()).get('runs_ended_total{state="completed"}') === 1,
  );
  const answer = await get('/metrics');
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  const lines = text.split('\n');
  const declared = Object.keys(METRICS).filter((name) => name !== 'crawl_failures_total');
  for (const name of declared) {
    expect(lines.filter((line) => line.startsWith(`# HELP pinakes_${name} `))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith(`# TYPE pinakes_${name} `))).toHaveLength(1);
  }
  expect(
    lines.filter((line) => line !== '' && !line.startsWith('#')).every((line) => line.startsWith('pinakes_')),
  ).toBe(true);
  const counted = values(text);
  for (const name of [
    'crawl_requests_total{result="fetched"}',
    'crawl_request_duration_seconds_count',
    'crawl_bytes_total',
    'crawl_urls_total{outcome="new"}',
    'runs_ended_total{state="completed"}',
    'search_duration_seconds_count',
    'index_step_duration_seconds_count',
    'pages',
    'database_bytes',
    'disk_free_bytes',
    'cpu_seconds_total',
  ])
    expect([name, counted.get(name)]).toEqual([name, expect.any(Number)]);
  expect(counted.get(`crawl_urls_total{outcome="new"}`)).toBeGreaterThanOrEqual(counted.get('pages') ?? Infinity);
  expect(counted.get('runs_ended_total{state="completed"}')).toBe(1);
  expect(counted.get('runs{state="running"}')).toBe(0);
  expect(text).toMatch(/^pinakes_build_info\{version="\d+\.\d+\.\d+[^"]*",node="\d+\.[^"]*",database="sqlite"\} 1$/m);
});

test('a run that no worker takes is a metric, and the server stays ready (finding D7)', async () => {
  const { store, close } = await openTestSqlite();
  const { run } = await createRunFixture(store, ['https://a.dev/']);
  const createdAt = new Date(run.readAt.getTime() - 600_000);
  const waiting: Run = { ...run, state: 'queued', startedAt: null, createdAt };
  const runs = { ...store.runs, live: async () => [waiting] };
  const { unclaimedMs, stalledMs } = await readCrawlActivity({ runs, journal: store.journal });
  expect([unclaimedMs, stalledMs]).toEqual([600_000, 0]);
  expect(await createReadiness({ runs })()).toBeNull();
  await close();
});

test('a worker serves its own metrics and its health, and nothing else', async () => {
  let said = '';
  const settings = { PINAKES_DATA_DIR: temporaryDirectory() } as const;
  const worker = start(settings, ['worker', '--metrics-port', '0'], (text) => (said += text));
  try {
    const found = (): string | undefined => /"url":"(http:[^"]*)\/metrics"/.exec(said)?.[1];
    await waitUntil('the worker listens', async () => found() !== undefined);
    const url = found() ?? '';
    const names = new Set(
      [...(await (await fetch(`${url}/metrics`)).text()).matchAll(/^# TYPE pinakes_(\w+)/gm)].map(([, name]) => name),
    );
    expect([...names].every((name) => Object.hasOwn(PROCESS_METRICS, name ?? ''))).toBe(true);
    expect([...names]).toEqual(expect.arrayContaining(['build_info', 'uptime_seconds']));
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ running: 0, queueSize: 0 });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/api/sources`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  } finally {
    worker.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
  }
});

test('the log at level info has the program, and the start and end of runs (finding T3.3)', () => {
  const reported = server.log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level }) => level === 'info');
  expect(reported).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ message: 'pinakes started', version: '0.0.0', database: 'sqlite' }),
      expect.objectContaining({ message: 'run started', run: 1, mode: 'incremental' }),
      expect.objectContaining({ message: 'run ended', run: 1, state: 'completed', found: expect.any(Number) }),
    ]),
  );
});
