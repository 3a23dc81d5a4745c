// The embedding queue with a real model, failing servers, and killed processes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { pinakesError } from '../../../src/core/model/errors.ts';
import { fingerprintOf } from '../../../src/core/vector/space.ts';
import { createOnnxEmbedder } from '../../../src/embed/onnx-embedder.ts';
import type { LoadedModel } from '../../../src/embed/model-store.ts';
import type { Embedder } from '../../../src/embed/port.ts';
import { openRemoteEmbedder } from '../../../src/embed/remote-embedder.ts';
import { createJsonClient } from '../../../src/fetch/http/json-request.ts';
import { createHttpFetcher } from '../../../src/fetch/http/http-fetcher.ts';
import { embedChunks } from '../../../src/crawl/loop/embed-loop.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { Store } from '../../../src/store/port.ts';
import type { StoredSpace, SpaceProgress } from '../../../src/store/port/vectors.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { createRunFixture, claimAll, indexedOutcome, createSettlement } from '../../support/run-fixture.ts';
import { startEmbeddingServer, type Fault } from '../../support/embedding-server.ts';
import { minilmFolder } from '../../support/minilm-folder.ts';
import { TEST_SETTINGS, thisOwner } from '../../support/stores.ts';
import { cosine } from './minilm-reference.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const models = temporaryDirectory();
const TEXTS = Array.from(
  { length: 90 },
  (_, i) => `Text ${i} tells how option ${i * 7} is set. ${'More words. '.repeat(i)}`,
);
let model: LoadedModel;
let local: Embedder;
let directory: string;
let store: Store;

beforeAll(async () => {
  model = await minilmFolder(models);
  local = createOnnxEmbedder({ ...model, threads: 1 });
  await local.embed(['warm'], 'passage');
});
afterAll(async () => {
  await local.close();
  rmSync(models, { recursive: true });
});
beforeEach(async () => {
  directory = temporaryDirectory();
  store = open();
  await createRunFixture(store, ['https://x.dev/a']);
  const [page] = await claimAll(store);
  await store.frontier.settle([createSettlement(page!, indexedOutcome(page!.url, ...TEXTS))]);
});
afterEach(async () => {
  expect(await store.verify()).toEqual([]);
  await store.close();
  rmSync(directory, { recursive: true });
});

function open(): Store {
  return openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner, minFreeBytes: 0 });
}

async function spaceOf(embedder: Embedder): Promise<StoredSpace> {
  return store.vectors.openSpace(fingerprintOf(embedder.space), embedder.space.dimensions, {});
}

/** Runs the embed loop until nothing is pending, or for `forMs` at most. */
async function work(embedder: Embedder, forMs = 25_000): Promise<SpaceProgress> {
  const space = await spaceOf(embedder);
  const stop = new AbortController();
  const log = createLog({ level: 'silent', now: () => new Date() });
  const deps = { id: 'w', store, embedder, log, leaseMs: 60_000, now: Date.now, random: () => 0 };
  const working = embedChunks(deps, stop.signal);
  const until = Date.now() + forMs;
  while (Date.now() < until && (await store.vectors.progress(space.id)).pending > 0) await wait(50);
  stop.abort();
  await working;
  return store.vectors.progress(space.id);
}

/** Makes every pending text due and tries it once; the clock is fast-forwarded past every back-off. */
async function tryAllOnce(embedder: Embedder): Promise<void> {
  await spaceOf(embedder);
  const database = new DatabaseSync(join(directory, 'pinakes.db'), { timeout: 5000 });
  database.exec('update embeddings set due_at = 0 where state = 0');
  const due = database.prepare('select count(*) as n from embeddings where state = 1 or due_at = 0');
  const stop = new AbortController();
  const log = createLog({ level: 'silent', now: () => new Date() });
  let clock = 0;
  const fastClock = { leaseMs: 60_000, now: () => (clock += 120_000), random: () => 0 };
  const working = embedChunks({ id: 'w', store, embedder, log, ...fastClock }, stop.signal);
  while (due.get()?.['n'] !== 0) await wait(20);
  stop.abort();
  await working;
  database.close();
}

async function expectCorrectVectors(space: StoredSpace): Promise<void> {
  for (const text of [TEXTS[0]!, TEXTS[44]!, TEXTS[89]!]) {
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256').update(text).digest('hex') as never;
    const stored = (await store.vectors.byContentHash(space.id, [hash])).get(hash);
    const [outcome] = await local.embed([`Title\n${text.trim()}`], 'passage');
    if (outcome?.kind !== 'embedded') throw new Error('the model rejected a plain text');
    expect(cosine(stored!, outcome.vector)).toBeCloseTo(1, 4);
  }
}

test('every text gets its vector, and nothing is embedded twice', async () => {
  expect(await work(local)).toEqual({ pending: 0, embedded: TEXTS.length, failed: 0 });
  await expectCorrectVectors(await spaceOf(local));
  expect(await store.vectors.claim((await spaceOf(local)).id, 'other', 100, 1000)).toEqual([]);
});

test('[K3] a server that is busy, fails or responds with garbage costs time but no text', async () => {
  const server = await startEmbeddingServer(local);
  const fetcher = createHttpFetcher({
    userAgent: 'pinakes-test',
    allowCidrs: ['127.0.0.1/32'],
    allowHosts: [],
    allowPorts: [Number(new URL(server.url).port)],
    headerTimeoutMs: 2000,
  });
  const remote = await openRemoteEmbedder({
    protocol: 'openai',
    url: server.url,
    model: 'minilm',
    key: null,
    dimensions: 384,
    queryPrefix: '',
    passagePrefix: '',
    maxTokens: 256,
    maxBatchRows: 16,
    maxBatchTokens: 8192,
    sendRequest: createJsonClient(fetcher),
  });
  const faults: Fault[] = ['busy', 'error', 'cut-off', 'not-json'];
  server.faults.push(...faults);
  server.badTexts.add(`Title\n${TEXTS[5]?.trim() ?? ''}`.slice(0, 4000));
  const progress = await work(remote);
  await fetcher.close();
  await server.close();
  expect(progress.pending).toBe(0);
  expect(progress.embedded + progress.failed).toBe(TEXTS.length);
  expect(progress.failed).toBeLessThanOrEqual(1);
  await expectCorrectVectors(await spaceOf(remote));
});

test('an outage fails no text, and a text that crashes the model is marked as failed', async () => {
  const poison = `Title\n${TEXTS[7]!.trim()}`;
  let isDown = true;
  const failing: Embedder = {
    ...local,
    async embed(texts, role, signal) {
      if (isDown || texts.includes(poison)) throw pinakesError('embed.unavailable', { model: 'm', reason: 'down' });
      return local.embed(texts, role, signal);
    },
  };
  for (let attempt = 0; attempt < 8; attempt += 1) await tryAllOnce(failing);
  const space = await spaceOf(failing);
  expect(await store.vectors.progress(space.id)).toEqual({ pending: TEXTS.length, embedded: 0, failed: 0 });
  isDown = false;
  await tryAllOnce(failing);
  expect(await store.vectors.progress(space.id)).toEqual({ pending: 0, embedded: TEXTS.length - 1, failed: 1 });
});

test('a kill at any point loses no text and embeds none twice', async () => {
  const space = await spaceOf(local);
  await store.close();
  let kills = 0;
  for (let embedded = 0; embedded < TEXTS.length && kills < 12; kills += 1) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'embed-process.ts'), directory, models], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    // Each kill comes later than the previous one, to hit every phase: loading, embedding, settling.
    await wait(100 + kills * 250);
    child.kill('SIGKILL');
    await once(child, 'exit');
    store = open();
    expect(await store.verify()).toEqual([]);
    const progress = await store.vectors.progress(space.id);
    expect(progress.embedded).toBeGreaterThanOrEqual(embedded);
    expect(progress.embedded + progress.pending).toBe(TEXTS.length);
    embedded = progress.embedded;
    await store.close();
  }
  store = open();
  await wait(600);
  expect(kills).toBeGreaterThan(2);
  expect(await work(local)).toEqual({ pending: 0, embedded: TEXTS.length, failed: 0 });
  await expectCorrectVectors(space);
}, 120_000);

test('a new model is a new space: its texts are pending again, and the old vectors stay', async () => {
  await work(local);
  const old = await spaceOf(local);
  const next = createOnnxEmbedder({ folder: model.folder, model: { ...model.model, maxTokens: 64 }, threads: 1 });
  const space = await spaceOf(next);
  expect(space.id).not.toBe(old.id);
  expect(await store.vectors.progress(space.id)).toMatchObject({ pending: TEXTS.length, embedded: 0 });
  expect(await store.vectors.progress(old.id)).toMatchObject({ pending: 0, embedded: TEXTS.length });
  expect(await work(next)).toEqual({ pending: 0, embedded: TEXTS.length, failed: 0 });
  expect(await store.vectors.progress(old.id)).toMatchObject({ embedded: TEXTS.length });
  await next.close();
});
