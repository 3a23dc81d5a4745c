// The remote embedders against a real server in front of the real model.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createOnnxEmbedder } from '../../src/embed/onnx-embedder.ts';
import type { Embedder } from '../../src/embed/port.ts';
import { openRemoteEmbedder, type RemoteEmbedderOptions } from '../../src/embed/remote-embedder.ts';
import { createAskServer } from '../../src/fetch/http/json-request.ts';
import { createHttpFetcher } from '../../src/fetch/http/http-fetcher.ts';
import { startEmbeddingServer, type EmbeddingServer, type Fault } from '../support/embedding-server.ts';
import { minilmFolder } from '../support/minilm-folder.ts';
import { cosine, minilmReference } from './minilm-reference.ts';

const models = mkdtempSync(join(tmpdir(), 'pinakes-models-'));
const KEY = 'key-that-nobody-may-see';
const PROTOCOLS = ['tei', 'openai', 'ollama'] as const;
let local: Embedder;
let server: EmbeddingServer;
const fetchers: Array<ReturnType<typeof createHttpFetcher>> = [];

beforeAll(async () => {
  local = createOnnxEmbedder({ ...(await minilmFolder(models)), threads: 1 });
  // The first text waits for the model to load.
  await local.embed(['warm'], 'passage');
  server = await startEmbeddingServer(local);
});
afterEach(() => {
  server.faults.length = 0;
  server.badTexts.clear();
});
afterAll(async () => {
  await Promise.all(fetchers.map((fetcher) => fetcher.close()));
  await server.close();
  await local.close();
  rmSync(models, { recursive: true });
});

function opened(more: Partial<RemoteEmbedderOptions> = {}): Promise<Embedder> {
  const { port } = new URL(server.url);
  const fetcher = createHttpFetcher({
    userAgent: 'pinakes-test',
    allowCidrs: ['127.0.0.1/32'],
    allowHosts: [],
    allowPorts: [Number(port)],
    headerTimeoutMs: 3000,
  });
  fetchers.push(fetcher);
  return openRemoteEmbedder({
    protocol: 'tei',
    url: server.url,
    model: 'minilm',
    key: KEY,
    dimensions: null,
    queryPrefix: '',
    passagePrefix: '',
    maxTokens: 512,
    maxBatchRows: 32,
    maxBatchTokens: 8192,
    ask: createAskServer(fetcher),
    ...more,
  });
}

test.each(PROTOCOLS)('%s gives the reference vectors, in the order of the texts', async (protocol) => {
  const embedder = await opened({ protocol });
  const references = minilmReference();
  const outcomes = await embedder.embed(
    references.map(({ text }) => text),
    'passage',
  );
  outcomes.forEach((outcome, at) => {
    expect(outcome.kind).toBe('embedded');
    if (outcome.kind === 'embedded') expect(cosine(outcome.vector, references[at]!.vector)).toBeGreaterThan(0.999);
  });
  expect(embedder.space.dimensions).toBe(384);
  expect(server.asked.at(-1)?.authorization).toBe(`Bearer ${KEY}`);
  expect(embedder.health().state).toBe('ready');
});

test('the space says what the server says of its model', async () => {
  expect((await opened()).space).toMatchObject({
    revision: 'abc123',
    dtype: 'float32',
    pooling: 'mean',
    maxTokens: 256,
  });
  expect((await opened({ protocol: 'ollama' })).space).toMatchObject({ model: 'minilm', revision: 'sha256-1' });
  expect((await opened({ protocol: 'openai' })).space).toMatchObject({
    model: 'minilm',
    revision: '',
    pooling: 'server',
  });
});

test('every server is told to cut long texts, where it can be told', async () => {
  for (const protocol of ['tei', 'ollama'] as const) {
    await (await opened({ protocol })).embed(['text'], 'passage');
    expect(server.asked.at(-1)?.json).toMatchObject({ truncate: true });
  }
});

test.each<[Fault, string, boolean]>([
  ['busy', 'embed.throttled', true],
  ['error', 'embed.unavailable', true],
  ['silent', 'embed.timeout', true],
  ['cut-off', 'embed.unavailable', true],
  ['not-json', 'embed.unavailable', true],
  ['one-missing', 'embed.unavailable', true],
  ['short-vectors', 'embed.dimensions', false],
  ['forbidden', 'embed.refused', false],
])('a server that is %s is told as %s, and the next question is answered', async (fault, code, retryable) => {
  for (const protocol of PROTOCOLS) {
    const embedder = await opened({ protocol });
    server.faults.push(fault);
    const failure = await embedder.embed(['one', 'two'], 'passage').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, retryable });
    expect(JSON.stringify(failure) + String(failure) + String((failure as Error).stack)).not.toContain(KEY);
    expect(embedder.health().state).toBe('failing');
    expect((await embedder.embed(['one'], 'passage'))[0]?.kind).toBe('embedded');
  }
});

test('[K3] a text that the server refuses fails alone', async () => {
  server.badTexts.add('bad');
  const embedder = await opened();
  const outcomes = await embedder.embed(['one', 'two', 'bad', 'three', 'four'], 'passage');
  expect(outcomes.map(({ kind }) => kind)).toEqual(['embedded', 'embedded', 'refused', 'embedded', 'embedded']);
});

test('a long text that the server refuses is cut until it is taken', async () => {
  const long = 'x'.repeat(1000);
  server.badTexts.add(long);
  const [outcome] = await (await opened()).embed([long], 'passage');
  expect(outcome?.kind).toBe('embedded');
});

test('batches hold no more texts and tokens than allowed', async () => {
  const embedder = await opened({ maxBatchRows: 3, maxBatchTokens: 100 });
  server.asked.length = 0;
  await embedder.embed(['a', 'b', 'c', 'd', 'long '.repeat(60), 'e'], 'passage');
  const sizes = server.asked.map(({ json }) => (json as { inputs: string[] }).inputs.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(6);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
});

test('an address that the operator did not open is not asked', async () => {
  const fetcher = createHttpFetcher({ userAgent: 'pinakes-test', allowCidrs: [], allowHosts: [], allowPorts: [] });
  fetchers.push(fetcher);
  await expect(opened({ ask: createAskServer(fetcher) })).rejects.toMatchObject({ code: 'embed.refused' });
});
