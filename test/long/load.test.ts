// A server under load. The scale is recorded in the result: a small one by default, or the full one with LOAD_SCALE=full, which
// needs an otherwise idle machine; LOAD_SECONDS and LOAD_SESSIONS shorten it. The load is generated in this process and in the one
// that holds the streams, the server is a third one; CPU time is reported for each. An idle process beside them says how long
// the machine itself holds up a process: a host that shares its processors may do so for hundreds of milliseconds.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, start, type RunningProgram } from '../support/program.ts';
import { callTool, post } from '../support/mcp-client.ts';
import { sendRaw } from '../support/raw-http.ts';
import { cpuSecondsOf } from '../support/cpu-seconds.ts';
import { createSiteServer, type SiteServer } from '../support/generated-site.ts';
import { temporaryDirectory } from '../support/temporary-folder.ts';
import type { StreamReport } from './hold-streams.ts';
import { writeResult } from '../support/write-result.ts';

const SMALL = {
  mcpClients: 100,
  callsPerSecond: 30,
  seconds: 20,
  abandoned: 3000,
  streams: 200,
  pages: 150,
  searchSeconds: 5,
};
const FULL = {
  mcpClients: 1000,
  callsPerSecond: 30,
  seconds: 600,
  abandoned: 100_000,
  streams: 2000,
  pages: 600,
  searchSeconds: 10,
};
const isFull = process.env['LOAD_SCALE'] === 'full';
const setting = (name: string, initial: number): number => Number(process.env[name] ?? initial);
const SCALE = isFull
  ? { ...FULL, seconds: setting('LOAD_SECONDS', FULL.seconds), abandoned: setting('LOAD_SESSIONS', FULL.abandoned) }
  : SMALL;
/** The delay of the event loop is what it is above that of the idle process. */
const LIMITS = isFull
  ? { p95Ms: 300, loopMs: 100, rss: 1.1, slower: 2 }
  : { p95Ms: 2000, loopMs: 1000, rss: 1.5, slower: 5 };

let server: RunningProgram;
let idle: ChildProcess;
let site: SiteServer;
let url = '';
const results: Record<string, unknown> = { scale: SCALE };

beforeAll(async () => {
  site = await createSiteServer({ size: SCALE.pages });
  idle = fork(fileURLToPath(new URL('idle-loop.ts', import.meta.url)), [], { execArgv: [] });
  const settings = {
    PINAKES_DATA_DIR: temporaryDirectory(),
    PINAKES_SERVE_PORT: '0',
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_CRAWL_START_DELAY_MS: '0',
    PINAKES_CRAWL_MIN_DELAY_MS: '0',
  } as const;
  await run(settings, ['add', site.start, '--name', 'almanac', '--wait']);
  const { promise, resolve } = Promise.withResolvers<string>();
  server = start(settings, ['serve'], (text) => {
    const [address] = /http:\/\/\S+/.exec(text) ?? [];
    if (address !== undefined) resolve(address);
  });
  url = await promise;
}, 300_000);

afterAll(async () => {
  results['generatorCpuSeconds'] = Math.round((process.cpuUsage().user + process.cpuUsage().system) / 1e5) / 10;
  results['serverCpuSeconds'] = cpuSecondsOf(server.pid);
  idle.disconnect();
  server.kill('SIGTERM');
  await server.ended;
  await site.close();
  writeResult('load', results, isFull);
});

async function gauge(name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^pinakes_${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

interface LoopDelay {
  readonly loopMaxMs: number;
  readonly idleLoopMaxMs: number;
}

/** The longest delays of the event loops of the server and of the idle process since the last call. */
async function loopDelay(): Promise<LoopDelay> {
  const loopMaxMs = Math.round((await gauge('event_loop_delay_max_seconds')) * 1000);
  idle.send('');
  const [idleLoopMaxMs] = (await once(idle, 'message')) as [number];
  return { loopMaxMs, idleLoopMaxMs };
}

function expectResponsive({ loopMaxMs, idleLoopMaxMs }: LoopDelay): void {
  expect(loopMaxMs).toBeLessThanOrEqual(LIMITS.loopMs + idleLoopMaxMs);
}

const percentile = (list: readonly number[], share: number): number =>
  Math.round(list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0);

const QUERIES = ['almanac', 'guide chapter', 'documentation of days', 'how to read the pages', 'season'];

interface CallStats {
  readonly times: number[];
  readonly errors: number;
}

/** Evenly spaced calls, round robin among the clients, while `shouldContinue` returns true. */
async function callWhile(shouldContinue: (calls: number) => boolean, perSecond: number): Promise<CallStats> {
  const times: number[] = [];
  const calls: Promise<number>[] = [];
  for (let i = 0; shouldContinue(i); i += 1) {
    const startedAt = performance.now();
    const client = `client-${i % SCALE.mcpClients}`;
    const query = QUERIES[i % QUERIES.length] ?? '';
    const call = callTool(url, 'search_docs', { query }, { 'user-agent': client })
      .then(({ isError }) => (times.push(performance.now() - startedAt), isError === true ? 1 : 0))
      .catch(() => 1);
    calls.push(call);
    await wait(1000 / perSecond);
  }
  const errors = (await Promise.all(calls)).reduce((sum, one) => sum + one, 0);
  return { times, errors };
}

const callFor = (seconds: number, perSecond: number): Promise<CallStats> =>
  callWhile((calls) => calls < seconds * perSecond, perSecond);

test('calls of many MCP clients succeed', async () => {
  await loopDelay();
  const { times, errors } = await callFor(SCALE.seconds, SCALE.callsPerSecond);
  const delay = await loopDelay();
  results['mcp'] = {
    calls: times.length,
    errors,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    ...delay,
  };
  expect(errors).toBe(0);
  expect(percentile(times, 0.95)).toBeLessThanOrEqual(LIMITS.p95Ms);
  expectResponsive(delay);
});

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'gone', version: '1' } },
};

test('clients that connect at the same moment do not delay each other', async () => {
  const { host, port } = new URL(url);
  const headers = [`host: ${host}`, 'content-type: application/json', 'accept: application/json, text/event-stream'];
  const request = { method: 'POST', path: '/mcp', headers, body: JSON.stringify(initialize) };
  await loopDelay();
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: SCALE.mcpClients }, () => sendRaw(Number(port), request)));
  const ms = Math.round(performance.now() - startedAt);
  const delay = await loopDelay();
  const answered = answers.filter(({ status }) => status === 200).length;
  results['burst'] = { clients: SCALE.mcpClients, answered, ms, ...delay };
  expect(answered).toBe(SCALE.mcpClients);
  expectResponsive(delay);
});

test('abandoned sessions leak no memory', async () => {
  const begin = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i += 20) await Promise.all(Array.from({ length: 20 }, () => post(url, initialize)));
  };
  // Each request produces garbage that is not collected immediately: memory is measured once it is stable.
  await begin(SCALE.abandoned / 5);
  const samples: number[] = [];
  for (let i = 0; i < SCALE.abandoned; i += SCALE.abandoned / 20) {
    await begin(SCALE.abandoned / 20);
    samples.push(await gauge('resident_memory_bytes'));
  }
  const middle = (some: readonly number[]): number => percentile(some, 0.5) / 1e6;
  const [first, last] = [middle(samples.slice(0, 5)), middle(samples.slice(-5))];
  const rssMb = { first: Math.round(first), last: Math.round(last) };
  results['abandoned'] = { sessions: SCALE.abandoned, rssMb, growth: Math.round((last / first) * 1000) / 1000 };
  expect(last).toBeLessThan(first * LIMITS.rss);
});

/** Waits until the run has ended. */
async function waitForEnd(id: number): Promise<void> {
  for (;;) {
    const { runs } = (await (await fetch(`${url}/api/runs/${id}`)).json()) as { runs: { endedAt: string | null }[] };
    if (runs[0]?.endedAt !== null) return;
    await wait(50);
  }
}

/** Starts a full crawl of the site without a delay. */
async function startCrawl(): Promise<number> {
  const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"mode":"full"}' };
  const { run: id } = (await (await fetch(`${url}/api/sources/almanac/recrawl`, body)).json()) as { run: number };
  return id;
}

test('search stays responsive during a crawl', async () => {
  // The first queries run with cold caches, which would make the comparison too easy.
  await callFor(2, 10);
  const quiet = await callFor(SCALE.searchSeconds, 10);
  const enough = performance.now() + SCALE.searchSeconds * 1000;
  let isCrawling = true;
  const crawls = (async () => {
    while (performance.now() < enough) await waitForEnd(await startCrawl());
  })().finally(() => (isCrawling = false));
  const busy = await callWhile(() => isCrawling, 10);
  await crawls;
  const [p95QuietMs, p95DuringCrawlMs] = [percentile(quiet.times, 0.95), percentile(busy.times, 0.95)];
  results['search'] = {
    callsDuringCrawl: busy.times.length,
    p95QuietMs,
    p95DuringCrawlMs,
    errors: quiet.errors + busy.errors,
  };
  expect(quiet.errors + busy.errors).toBe(0);
  expect(p95DuringCrawlMs).toBeLessThanOrEqual(LIMITS.slower * p95QuietMs);
});

test('every stream receives every event of a crawl during searches', async () => {
  const listeners = fork(fileURLToPath(new URL('hold-streams.ts', import.meta.url)), [url, String(SCALE.streams)], {
    execArgv: [],
  });
  await once(listeners, 'message');
  await loopDelay();
  const id = await startCrawl();
  const { times, errors } = await callFor(SCALE.searchSeconds, 10);
  const delay = await loopDelay();
  await waitForEnd(id);
  listeners.send(id);
  const [report] = (await once(listeners, 'message')) as [StreamReport];
  results['streams'] = { streams: SCALE.streams, ...report, ...delay, searchP95Ms: percentile(times, 0.95) };
  expect(report.different).toBe(1);
  expect(errors).toBe(0);
  expectResponsive(delay);
});
