// Crawls of the servers in test/data/cases/hostile-server.json: the behaviours that one request cannot show. The others are in
// test/security/hostile/hostile-server.test.ts.

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RunId } from '../../../src/core/model/run.ts';
import type { SourceSettings } from '../../../src/core/model/source-settings.ts';
import type { Run } from '../../../src/store/port/runs.ts';
import { startChaosServer, type ChaosServer } from '../../support/chaos-server.ts';
import { startCountingServer, type CountingServer } from '../../support/counting-server.ts';
import { createCrawler, type Crawler, type CrawlOptions } from '../../support/crawl.ts';
import { docPage, startDocSite, type DocSite } from '../../support/scripted-site.ts';
import { readCases } from '../../support/read-cases.ts';

vi.setConfig({ testTimeout: 120_000 });

interface HostileCase {
  readonly id: string;
  readonly name: string;
  readonly expected: string;
}

const { behaviours } = readCases('hostile-server') as { behaviours: HostileCase[] };
const MAX_ATTEMPTS = 3;
const OPTIONS: CrawlOptions = {
  fetch: { allowCidrs: ['127.0.0.1/32'], headerTimeoutMs: 3000, idleTimeoutMs: 1500 },
  limits: { maxAttempts: MAX_ATTEMPTS, maxUrlsPerPattern: 30, duplicateCheckPages: 15, concurrency: 4 },
};

let crawler: Crawler;
let sentinel: CountingServer;
let healthySite: DocSite;

beforeAll(async () => {
  crawler = await createCrawler(OPTIONS);
  sentinel = await startCountingServer((_, response) => response.end('secret'), '127.0.0.2');
  healthySite = await startDocSite({
    '/docs/': docPage('a healthy site', ['/docs/more']),
    '/docs/more': docPage('more'),
  });
});
afterAll(async () => {
  expect(await crawler.store.verify()).toEqual([]);
  await crawler.close();
  expect(sentinel.connections()).toBe(0);
  await Promise.all([sentinel.close(), healthySite.close()]);
});

/** Each test has a separate server, and so a separate host. */
function srvTest(id: string, run: (server: ChaosServer) => Promise<void>, site = false): void {
  const behaviour = behaviours.find((candidate) => candidate.id === id);
  test(`${id}: ${behaviour?.name}: ${behaviour?.expected}`, async () => {
    const server = await startChaosServer({ sentinelPort: sentinel.port, secondMs: 40, ...(site ? { site: id } : {}) });
    try {
      await run(server);
    } finally {
      await server.close();
    }
  });
}

const BASIC = { preset: 'basic' } as const;
const requestedPaths = (server: ChaosServer, id: string): string[] =>
  server.requests.map(({ url }) => url).filter((url) => url.startsWith(`/${id}`));
const crawl = (server: ChaosServer, id: string, path = '/', settings: Partial<SourceSettings> = {}): Promise<Run> =>
  crawler.crawl(server.url(id, path), { ...BASIC, ...settings });
const storedOf = async (server: ChaosServer): Promise<string[]> =>
  (await crawler.stored())
    .filter((url) => url.includes(`:${server.port}/`))
    .map((url) => new URL(url).pathname + new URL(url).search);

async function textOf(url: string): Promise<string | undefined> {
  const source = (await crawler.store.sources.list()).find(({ startUrl }) => startUrl === url);
  return (await crawler.store.pages.get(source!.versions[0]!.id, url as never))?.text;
}

/** A host that requests a pause gets it while another host is crawled; then the run is stopped. */
function pauses(id: string, low: number, high: number): void {
  srvTest(id, async (server) => {
    const run = await crawler.start(server.url(id, '/'), BASIC);
    const host = `127.0.0.1:${server.port}`;
    while ((await crawler.store.hosts.get(host)).pausedForMs === 0) await wait(20);
    const before = requestedPaths(server, id).length;
    const other = await startDocSite({ '/docs/': docPage('other', ['/docs/x']), '/docs/x': docPage('x') });
    expect(await crawler.crawl(`${other.origin}/docs/`, BASIC)).toMatchObject({ counts: { new: 2 } });
    await other.close();
    await wait(600);
    expect(requestedPaths(server, id)).toHaveLength(before);
    // One URL pauses its host for 30 s at most, and waits itself as long as the server asks for.
    expect((await crawler.store.hosts.get(host)).pausedForMs).toBeGreaterThan(Math.min(low, 25_000));
    const retry = (await crawler.events(run)).find(({ kind }) => kind === 'retry');
    expect(retry?.detail['inMs']).toBeGreaterThan(low);
    expect(retry?.detail['inMs']).toBeLessThanOrEqual(high);
    expect(await crawler.problems(run)).toMatchObject([{ kind: 'host-throttled', target: host }]);
    await crawler.store.runs.control(run, 'stop');
    expect(await crawler.ended(run)).toMatchObject({ state: 'stopped', counts: { failed: 0 } });
  });
}

srvTest('srv-05', async (server) => {
  expect(await crawl(server, 'srv-05')).toMatchObject({ state: 'failed', counts: { failed: 1 } });
  expect(requestedPaths(server, 'srv-05').length).toBeLessThanOrEqual(MAX_ATTEMPTS);
});

srvTest('srv-23', async (server) => {
  const run = await crawl(server, 'srv-23');
  expect(run).toMatchObject({ counts: { new: 0, skipped: 1 } });
  expect(requestedPaths(server, 'srv-23')).toHaveLength(1);
});

srvTest('srv-24', async (server) => {
  await crawl(server, 'srv-24', '/', { preset: 'llms-first' });
  expect(await storedOf(server)).toEqual([]);
});

for (const [id, first] of [
  ['srv-25', '/a'],
  ['srv-26', '/0'],
  ['srv-28', ''],
] as const) {
  srvTest(id, async (server) => {
    const run = await crawl(server, id, first, { scope: 'host' });
    expect(run).toMatchObject({ state: 'failed', counts: { new: 0 } });
    expect(run.reason).toMatch(/redirect|trap/);
    expect(requestedPaths(server, id).length).toBeLessThanOrEqual(12);
  });
}

srvTest('srv-27', async (server) => {
  await crawl(server, 'srv-27', '/', { scope: 'domain' });
  expect(sentinel.connections()).toBe(0);
});

srvTest('srv-30', async (server) => {
  const run = await crawl(server, 'srv-30');
  expect(run.state).toBe('completed');
  expect(requestedPaths(server, 'srv-30').toSorted()).toEqual(['/srv-30/', '/srv-30/a', '/srv-30/b', '/srv-30/c']);
});

pauses('srv-31', 25_000, 30_000);
pauses('srv-32', 110_000, 120_000);
pauses('srv-33', 3_590_000, 3_600_000);
pauses('srv-61', 500, 5000);

srvTest('srv-34', async (server) => {
  const patient = await createCrawler({
    ...OPTIONS,
    limits: { maxAttempts: 14, circuitBreakerMs: 200, retryBaseMs: 4 },
  });
  const run = await patient.crawl(server.url('srv-34', '/'), BASIC);
  expect(run).toMatchObject({ state: 'completed', counts: { new: 1, failed: 0 } });
  const changes = (await patient.events(run.id))
    .filter(({ kind }) => kind === 'rate-changed')
    .map(({ detail }) => detail['change']);
  for (const change of ['breaker-opened', 'breaker-half-open', 'breaker-closed']) expect(changes).toContain(change);
  const waits = (await patient.events(run.id))
    .filter(({ kind }) => kind === 'retry')
    .map(({ detail }) => Number(detail['inMs']));
  expect(waits.at(-1)!).toBeGreaterThan(waits[0]! * 50);
  await patient.close();
});

srvTest('srv-35', async (server) => {
  const patient = await createCrawler({
    ...OPTIONS,
    limits: { maxAttempts: 8, circuitBreakerMs: 100, concurrency: 4 },
  });
  const run = await patient.crawl(server.url('srv-35', '/'), BASIC);
  expect(run).toMatchObject({ state: 'completed', counts: { new: 21, failed: 0 } });
  expect(new Set(await patient.stored()).size).toBe(21);
  const times = Map.groupBy(requestedPaths(server, 'srv-35'), (url) => url);
  expect(Math.max(...[...times.values()].map(({ length }) => length))).toBeLessThanOrEqual(8);
  expect(await patient.store.verify()).toEqual([]);
  await patient.close();
});

srvTest('srv-36', async (server) => {
  await crawl(server, 'srv-36');
  const again = await crawl(server, 'srv-36');
  expect(again).toMatchObject({ counts: { changed: 0, failed: 1 } });
  expect(await textOf(server.url('srv-36', '/'))).toContain('a long text');
});

srvTest('srv-38', async (server) => {
  expect(await crawl(server, 'srv-38')).toMatchObject({ state: 'failed', counts: { new: 0, unchanged: 0 } });
  for (const { headers } of server.requests) expect(headers.toLowerCase()).not.toContain('if-none-match');
});

srvTest('srv-39', async (server) => {
  await crawl(server, 'srv-39');
  expect(await crawl(server, 'srv-39')).toMatchObject({ counts: { changed: 1 } });
  expect(await textOf(server.url('srv-39', '/'))).toContain('body 1');
});

srvTest('srv-40', async (server) => {
  await crawl(server, 'srv-40');
  expect(await crawl(server, 'srv-40')).toMatchObject({ counts: { unchanged: 1 } });
  expect(requestedPaths(server, 'srv-40')).toHaveLength(2);
});

srvTest('srv-41', async (server) => {
  const run = await crawl(server, 'srv-41', '', { scope: 'host' });
  expect(requestedPaths(server, 'srv-41').length).toBeLessThanOrEqual(32);
  expect(await trapRules(run.id)).toContain('trap: more than 30 URLs with the parameters d');
});

srvTest('srv-42', async (server) => {
  const run = await crawl(server, 'srv-42', '/a/');
  expect(requestedPaths(server, 'srv-42').length).toBeLessThan(10);
  expect((await trapRules(run.id)).join()).toMatch(/repeated-segment/);
});

srvTest('srv-43', async (server) => {
  const run = await crawl(server, 'srv-43', '', { scope: 'host' });
  expect(requestedPaths(server, 'srv-43').length).toBeLessThanOrEqual(110);
  expect(await trapRules(run.id)).toContain('trap: more than 100 combinations of parameters on one path');
});

srvTest('srv-44', async (server) => {
  const run = await crawl(server, 'srv-44');
  expect(requestedPaths(server, 'srv-44').length).toBeLessThan(60);
  expect((await trapRules(run.id)).join()).toMatch(/pages of this folder are nearly identical/);
  expect(await crawler.crawl(`${healthySite.origin}/docs/`, BASIC)).toMatchObject({ state: 'completed' });
});

srvTest('srv-45', async (server) => {
  const run = await crawl(server, 'srv-45');
  expect(run).toMatchObject({ counts: { new: 1, excluded: 1 } });
  expect(requestedPaths(server, 'srv-45')).toHaveLength(1);
});

srvTest('srv-46', async (server) => {
  const run = await crawl(server, 'srv-46', '/', { maxMinutes: 0.06 });
  expect(run.reason).toMatch(/^ended at its time limit of 0\.06 minutes/);
  expect(run.counts.new).toBeGreaterThan(0);
  expect(run.counts.dropped).toBeGreaterThan(0);
});

srvTest(
  'srv-57',
  async (server) => {
    const run = await crawler.crawl(server.url('docs', '/'), BASIC);
    expect(run).toMatchObject({ state: 'failed', counts: { new: 0 } });
    expect(run.reason).toContain('robots.txt cannot be read (header-timeout)');
    expect(new Set(server.requests.map(({ url }) => url))).toEqual(new Set(['/robots.txt']));
    expect(await crawler.crawl(`${healthySite.origin}/docs/more`, BASIC)).toMatchObject({ state: 'completed' });
  },
  true,
);

async function trapRules(run: RunId): Promise<string[]> {
  const found = await Promise.all(
    (['excluded', 'skipped'] as const).map((outcome) => crawler.store.frontier.reasons(run, outcome, 20)),
  );
  return found.flat().map(({ reason }) => reason);
}

srvTest('srv-37', async (server) => {
  for (let runs = 0; runs < 3; runs++) await crawl(server, 'srv-37');
  const run = await crawl(server, 'srv-37');
  expect(run).toMatchObject({ counts: { 'not-found': 0, removed: 0 } });
  expect(await storedOf(server)).toEqual(['/srv-37/']);
});

srvTest('srv-47', async (server) => {
  await crawl(server, 'srv-47');
  expect(await storedOf(server)).toHaveLength(2);
});

srvTest('srv-48', async (server) => {
  await crawl(server, 'srv-48');
  expect(await storedOf(server)).toHaveLength(2);
});
