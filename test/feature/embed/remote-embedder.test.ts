// The remote embedders against a real server in front of the real model.

import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createOnnxEmbedder } from '../../../src/embed/onnx-embedder.ts';
import type { Embedder } from '../../../src/embed/port.ts';
import { openRemoteEmbedder, type RemoteEmbedderOptions } from '../../../src/embed/remote-embedder.ts';
import { createJsonClient } from '../../../src/fetch/http/json-request.ts';
import { createHttpFetcher } from '../../../src/fetch/http/http-fetcher.ts';
import { startEmbeddingServer, type EmbeddingServer, type Fault } from '../../support/embedding-server.ts';
import { minilmFolder } from '../../support/minilm-folder.ts';
import { cosine, minilmReference } from './minilm-reference.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const models = temporaryDirectory();
const KEY = 'secret-key';
const PROTOCOLS = ['tei', 'openai', 'ollama'] as const;
let local: Embedder;
let server: EmbeddingServer;
const fetchers: Array<ReturnType<typeof createHttpFetcher>> = [];

beforeAll(async () => {
  local = createOnnxEmbedder({ ...(await minilmFolder(models)), threads: 1 });
  // The first text waits until the model is loaded.
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

function open(overrides: Partial<RemoteEmbedderOptions> = {}): Promise<Embedder> {
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
    sendRequest: createJsonClient(fetcher),
    ...overrides,
  });
}

test.each(PROTOCOLS)('%s returns the reference vectors in input order', async (protocol) => {
  const embedder = await open({ protocol });
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
  expect(server.requests.at(-1)?.authorization).toBe(`Bearer ${KEY}`);
  expect(embedder.health().state).toBe('ready');
});

test('the space has what the server reports about its model', async () => {
  expect((await open()).space).toMatchObject({
    revision: 'abc123',
    dtype: 'float32',
    pooling: 'mean',
    maxTokens: 256,
  });
  expect((await open({ protocol: 'ollama' })).space).toMatchObject({ model: 'minilm', revision: 'sha256-1' });
  expect((await open({ protocol: 'openai' })).space).toMatchObject({
    model: 'minilm',
    revision: '',
    pooling: 'server',
  });
});

test('servers that support it are told to truncate long texts', async () => {
  for (const protocol of ['tei', 'ollama'] as const) {
    await (await open({ protocol })).embed(['text'], 'passage');
    expect(server.requests.at(-1)?.json).toMatchObject({ truncate: true });
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
  ['forbidden', 'embed.rejected', false],
])('the fault %s is reported as %s, and the next request succeeds', async (fault, code, retryable) => {
  for (const protocol of PROTOCOLS) {
    const embedder = await open({ protocol });
    server.faults.push(fault);
    const failure = await embedder.embed(['one', 'two'], 'passage').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, retryable });
    expect(JSON.stringify(failure) + String(failure) + String((failure as Error).stack)).not.toContain(KEY);
    expect(embedder.health().state).toBe('failing');
    expect((await embedder.embed(['one'], 'passage'))[0]?.kind).toBe('embedded');
  }
});

test('[K3] a text that the server rejects fails alone', async () => {
  server.badTexts.add('bad');
  const embedder = await open();
  const outcomes = await embedder.embed(['one', 'two', 'bad', 'three', 'four'], 'passage');
  expect(outcomes.map(({ kind }) => kind)).toEqual(['embedded', 'embedded', 'refused', 'embedded', 'embedded']);
});

test('a long text that the server rejects is truncated until it is accepted', async () => {
  const long = 'x'.repeat(1000);
  server.badTexts.add(long);
  const [outcome] = await (await open()).embed([long], 'passage');
  expect(outcome?.kind).toBe('embedded');
});

test('batches respect the limits for texts and tokens', async () => {
  const embedder = await open({ maxBatchRows: 3, maxBatchTokens: 100 });
  server.requests.length = 0;
  await embedder.embed(['a', 'b', 'c', 'd', 'long '.repeat(60), 'e'], 'passage');
  const sizes = server.requests.map(({ json }) => (json as { inputs: string[] }).inputs.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(6);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
});

test('a server outside the allowed networks is not contacted', async () => {
  const fetcher = createHttpFetcher({ userAgent: 'pinakes-test', allowCidrs: [], allowHosts: [], allowPorts: [] });
  fetchers.push(fetcher);
  await expect(open({ sendRequest: createJsonClient(fetcher) })).rejects.toMatchObject({ code: 'embed.rejected' });
});
