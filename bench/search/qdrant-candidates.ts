// node bench/search/qdrant-candidates.ts LIBRARY QUESTIONS.jsonl QDRANT_URLS [--pid PID,PID] [--copied] [--write NAME]: candidates
// from Qdrant and from the segments, on the same library in the same run: CPU time of client and engine, the share of the
// same pages, and the ranking after rerank; and CPU time of the same requests to Qdrant sent bare, by a client that only reads
// the bytes of the answers. Pages that Qdrant lacks are indexed first. PID are the processes of the nodes, on this machine. With
// `--copied` the library has copies of its sources (copy-library.ts), whose texts cannot be read: then nothing is ranked. LIBRARY is
// written to (its rows about the points): give it a copy.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { queryTerms, weighTerms } from '../../src/core/lexical/query/parsed-query.ts';
import type { CandidateIndex, CandidatePage } from '../../src/core/lexical/query/index-query.ts';
import type { NodeRequest } from '../../src/index/qdrant/node.ts';
import { openNodes } from '../../src/index/qdrant/nodes.ts';
import { createQdrantIndex } from '../../src/index/qdrant/qdrant-index.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { evaluateQuestion } from './eval/evaluate-question.ts';
import { mean, percentile } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';
import { memoryMegabytes } from '../support/process-memory.ts';
import { writeResult } from '../support/write-result.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { pid: { type: 'string' }, write: { type: 'string' }, copied: { type: 'boolean', default: false } },
});
const [library, questionsFile, urls] = positionals;
if (library === undefined || questionsFile === undefined || urls === undefined)
  throw new Error('usage: node bench/search/qdrant-candidates.ts LIBRARY QUESTIONS.jsonl QDRANT_URLS [--pid PID]');

const owner = { pid: process.pid, command: 'bench', since: new Date().toISOString() };
const store = openSqliteStore({ directory: library, owner, startDelayMs: 1000, maxAttempts: 8 });
const sources = await store.sources.list();
const questions = readQuestions(questionsFile).filter(({ site }) => sources.some(({ name }) => name === site));
/** The requests that the last query sent to Qdrant. */
const nodeRequests: NodeRequest[] = [];
const client = openNodes({ urls: urls.split(','), apiKey: undefined });
const nodes: typeof client = {
  ...client,
  read(request, requestOptions) {
    nodeRequests.push(request);
    return client.read(request, requestOptions);
  },
};
const { points: records, changes, history } = store;
const qdrant = createQdrantIndex({ nodes, records, changes, history, timeoutMs: 30_000 });
const segments = createSegmentIndex(store.segments);

const PAGES_PER_STEP = 200;
const INDEX_TICK = 5000;

/** Seconds of all threads of the engine. */
function engineSeconds(): number {
  const threads = (options.pid?.split(',') ?? []).flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`),
  );
  return threads.reduce((sum, file) => sum + nanoseconds(file) / 1e9, 0);
}

function nanoseconds(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]);
  } catch {
    return 0; // the thread has ended
  }
}

/** Totals of all nodes: private memory, memory including resident mapped files, and files. */
function engineMegabytes(): Record<string, number> {
  const pids = options.pid?.split(',') ?? [];
  const sumOf = (megabytes: (pid: string) => number): number =>
    Math.round(pids.reduce((sum, pid) => sum + megabytes(pid), 0));
  return {
    own: sumOf((pid) => memoryMegabytes(pid, 'RssAnon')),
    resident: sumOf((pid) => memoryMegabytes(pid, 'VmRSS')),
    disk: sumOf((pid) => (blocksIn(`/proc/${pid}/cwd/storage`) * 512) / 1e6),
  };
}

function blocksIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true }) as string[];
  return files.reduce((sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.blocks ?? 0), 0);
}

async function indexMissing(): Promise<Record<string, number>> {
  const [begun, cpu, engine] = [performance.now(), process.cpuUsage(), engineSeconds()];
  let pages = 0;
  for (let some = 1; some > 0; pages += some) {
    some = await qdrant.index(PAGES_PER_STEP);
    if (Math.floor(pages / INDEX_TICK) < Math.floor((pages + some) / INDEX_TICK))
      console.error(`${pages + some} pages`);
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    pages,
    wallSeconds: Math.round((performance.now() - begun) / 1000),
    clientSeconds: Math.round((user + system) / 1e6),
    engineSeconds: Math.round(engineSeconds() - engine),
  };
}

interface Times {
  readonly clientMs: number;
  readonly engineMs: number;
  readonly wallMs: number;
}

interface Measured extends Times {
  readonly candidates: readonly CandidatePage[];
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly times: Times }> {
  // Reading the times of the threads costs the client something, so it comes before its time is taken, and after.
  const engine = engineSeconds();
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const value = await work();
  const wallMs = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  return { value, times: { wallMs, clientMs: (user + system) / 1000, engineMs: (engineSeconds() - engine) * 1000 } };
}

const PAGES = 60;
const CHUNKS_PER_PAGE = 32;

const agent = new Agent({ keepAlive: true });
const [firstUrl = ''] = urls.split(',');

async function sendBare({ method, path, body }: NodeRequest): Promise<void> {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sent = httpRequest(new URL(path, firstUrl), { method, agent, headers }, (response) =>
    response.resume().on('end', resolve),
  );
  sent.on('error', reject).end(text);
  await promise;
}

async function measureBare(requests: readonly NodeRequest[]): Promise<number> {
  const { times } = await timed(async () => {
    for (const one of requests) await sendBare(one);
  });
  return times.clientMs + times.engineMs;
}

async function measure(index: CandidateIndex, question: Question, scope: 'all' | 'site'): Promise<Measured> {
  const chosen = sources.filter(({ name }) => scope === 'all' || name === question.site);
  const versions = chosen.flatMap((source) => source.versions.map(({ id }) => id));
  const typed = queryTerms(question.query, 0.2);
  const { value: candidates, times } = await timed(async () => {
    const frequencies = await index.frequencies(
      versions,
      typed.map(({ term }) => term),
    );
    const terms = weighTerms(typed, frequencies);
    return index.candidates({ versions, terms, pages: PAGES, chunksPerPage: CHUNKS_PER_PAGE });
  });
  return { candidates, ...times };
}

function percentiles(values: readonly number[]): { p50: number; p95: number } {
  const rounded = (share: number): number => Math.round(percentile(values, share) * 10) / 10;
  return { p50: rounded(0.5), p95: rounded(0.95) };
}

function timesOf(measured: readonly Measured[]): Record<string, { p50: number; p95: number }> {
  return {
    together: percentiles(measured.map(({ clientMs, engineMs }) => clientMs + engineMs)),
    client: percentiles(measured.map(({ clientMs }) => clientMs)),
    engine: percentiles(measured.map(({ engineMs }) => engineMs)),
    wall: percentiles(measured.map(({ wallMs }) => wallMs)),
  };
}

/** The number of pages that both the segments and Qdrant find. */
function sharedPages(bySegments: readonly Measured[], byOther: readonly Measured[]): number {
  let all = 0;
  let shared = 0;
  for (const [nth, { candidates: wanted }] of bySegments.entries()) {
    const found = new Set(byOther[nth]?.candidates.map(({ version, url }) => `${version} ${url}`));
    all += wanted.length;
    shared += wanted.filter(({ version, url }) => found.has(`${version} ${url}`)).length;
  }
  return Math.round((shared / all) * 10_000) / 10_000;
}

async function ndcg(index: CandidateIndex, scope: 'all' | 'site'): Promise<number> {
  const results: number[] = [];
  for (const question of questions)
    results.push((await evaluateQuestion(question, { index: { ...index, ...store.chunks }, sources, scope })).ndcg);
  return Math.round(mean(results) * 10_000) / 10_000;
}

/** Each of them twice over all questions: the first pass fills the caches. */
async function lastOfTwo<T>(runQuery: (question: Question) => Promise<T>): Promise<readonly T[]> {
  for (const question of questions) await runQuery(question);
  const measured: T[] = [];
  for (const question of questions) measured.push(await runQuery(question));
  return measured;
}

const indexing = await indexMissing();
const measurements: Record<string, unknown> = { indexing };
for (const scope of ['all', 'site'] as const) {
  // One engine after the other: what the segments leave for the garbage collector would count for Qdrant's client.
  const bySegments = await lastOfTwo((question) => measure(segments, question, scope));
  const byQdrant = await lastOfTwo(async (question) => {
    nodeRequests.length = 0;
    const measured = await measure(qdrant, question, scope);
    return { ...measured, bareMs: await measureBare([...nodeRequests]) };
  });
  const ranked = options.copied
    ? {}
    : {
        samePages: sharedPages(bySegments, byQdrant),
        ndcg10: { segments: await ndcg(segments, scope), qdrant: await ndcg(qdrant, scope) },
      };
  measurements[scope] = {
    segmentsMs: timesOf(bySegments),
    qdrantMs: timesOf(byQdrant),
    bareMs: percentiles(byQdrant.map(({ bareMs }) => bareMs)),
    ...ranked,
  };
  console.error(scope, JSON.stringify(measurements[scope]));
}
const { pages, chunks } = await store.points.stored();
const result = { questions: questions.length, pages, chunks, engineMegabytes: engineMegabytes(), ...measurements };
if (options.write === undefined) console.log(JSON.stringify(result, null, 2));
else writeResult(options.write, result);
await store.close();
