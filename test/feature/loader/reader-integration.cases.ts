// Crawl4AIReader against a server with today's form of the API. Its specification requires the names of these tests, in the style of Python.

import { afterEach, expect, test, vi } from 'vitest';
import { chunkPage } from '../../../src/loader.ts';
import type { PageMetadata } from '../../../src/loader.ts';
import { openRemoteEmbedder } from '../../../src/embed/remote-embedder.ts';
import { createHttpFetcher } from '../../../src/fetch/http/http-fetcher.ts';
import { createJsonClient, guardSettingsFor } from '../../../src/fetch/http/json-request.ts';
import { startEmbeddingServer } from '../../support/embedding-server.ts';
import { startQdrant } from '../../support/qdrant-server.ts';
import { hastyFetcher, openReader, repeated, urlsOf } from './open-reader.ts';
import { needing } from '../../support/needs.ts';

const TODAY = { format: 'urls' } as const;
const [URL_1 = ''] = urlsOf(1);

test('test_integration_health_check', async () => {
  const { server } = await openReader({}, TODAY);
  const { status } = await fetch(`${server.url}/health`);
  expect(status).toBe(200);
});

test('test_integration_crawl_single_url', async () => {
  const { reader, server } = await openReader({}, TODAY);
  expect(await reader.loadData([URL_1])).not.toEqual([null]);
  expect(server.crawls[0]?.json).toEqual({
    urls: [URL_1],
    browser_config: { type: 'BrowserConfig', params: { headless: true } },
    crawler_config: {
      type: 'CrawlerRunConfig',
      params: {
        stream: false,
        cache_mode: 'bypass',
        word_count_threshold: 10,
        markdown_generator: {
          type: 'DefaultMarkdownGenerator',
          params: { content_filter: { type: 'PruningContentFilter', params: {} } },
        },
      },
    },
  });
});

test('test_integration_crawl_batch', async () => {
  const { reader, server } = await openReader({}, TODAY);
  const documents = await reader.loadData(urlsOf(20));
  expect(documents.filter((document) => document === null)).toEqual([]);
  // The form is recognised by the first requests, and remembered.
  const posts = () => server.requests.filter((request) => request === 'POST /crawl').length;
  expect(posts()).toBeLessThanOrEqual(20 + 5);
  const before = posts();
  await reader.loadData(urlsOf(5));
  expect(posts()).toBe(before + 5);
});

test('test_integration_markdown_extraction', async () => {
  const { reader } = await openReader({}, TODAY);
  const [document] = await reader.loadData([URL_1]);
  expect(document?.text).toBe(`# ${URL_1}\n\nThe part that matters.`);
});

test('test_integration_metadata_extraction', async () => {
  const { reader } = await openReader({}, TODAY);
  const [document] = await reader.loadData([URL_1]);
  expect(document?.metadata).toMatchObject({ title: `Title of ${URL_1}`, status_code: 200, internal_links_count: 2 });
});

test('test_integration_circuit_breaker_opens', async () => {
  const { reader, server } = await openReader({ maxRetries: 1, maxConcurrentRequests: 1 }, TODAY);
  await reader.loadData([URL_1]);
  server.faults.push(...repeated(100, 503));
  await reader.loadData(urlsOf(8));
  // While a page waits for its next attempt, others make their first one: five second attempts open the breaker.
  expect(server.crawls).toHaveLength(1 + 8 + 5);
});

afterEach(() => vi.restoreAllMocks());

/** The breaker opens, and time goes by. */
async function openBreaker() {
  const opened = await openReader({ maxRetries: 0, maxConcurrentRequests: 1 }, TODAY);
  const { reader, server } = opened;
  await reader.loadData([URL_1]);
  server.faults.push(...repeated(5, 500));
  await reader.loadData(urlsOf(5));
  const realNow = performance.now.bind(performance);
  const advance = (ms: number) => vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms);
  return { ...opened, advance };
}

test('test_integration_circuit_breaker_recovery', async () => {
  const { reader, server, advance } = await openBreaker();
  advance(61_000);
  const before = server.crawls.length;
  const documents = await reader.loadData(urlsOf(4));
  expect(documents.filter((document) => document === null)).toEqual([]);
  expect(server.crawls).toHaveLength(before + 4);
});

test('test_integration_circuit_breaker_timeout', async () => {
  const { reader, server, advance } = await openBreaker();
  const before = server.crawls.length;
  advance(55_000);
  expect(await reader.loadData([URL_1])).toEqual([null]);
  expect(server.crawls).toHaveLength(before);
  // One trial after the pause; if it fails, another minute.
  advance(61_000);
  server.faults.push(500);
  expect(await reader.loadData(urlsOf(3))).toEqual([null, null, null]);
  expect(server.crawls).toHaveLength(before + 1);
});

test('test_integration_retry_on_timeout', async () => {
  const { reader, server } = await openReader({ fetcher: hastyFetcher() }, TODAY);
  await reader.loadData([URL_1]);
  server.faults.push('silent');
  expect(await reader.loadData([URL_1])).not.toEqual([null]);
  expect(server.crawls).toHaveLength(3);
});

test('test_integration_retry_exhaustion', async () => {
  const { reader, server, failures } = await openReader({ maxRetries: 3 }, TODAY);
  server.faults.push(...repeated(4, 500));
  expect(await reader.loadData([URL_1])).toEqual([null]);
  expect(server.crawls).toHaveLength(4);
  expect(failures).toHaveLength(1);
});

test('test_integration_concurrent_processing', async () => {
  const { reader, server } = await openReader({}, { ...TODAY, delayMs: 100 });
  expect(await reader.loadData(urlsOf(15))).toHaveLength(15);
  expect(server.maxConcurrent()).toBe(5);
});

test('test_integration_semaphore_limit', async () => {
  const { reader, server } = await openReader({ maxConcurrentRequests: 3 }, { ...TODAY, delayMs: 100 });
  await reader.loadData(urlsOf(12));
  expect(server.maxConcurrent()).toBe(3);
});

const PAGE = [
  '# Guide',
  ...repeated(40, 'Words about the pool of connections.'),
  '## Start',
  ...repeated(40, 'More words.'),
];

async function crawledChunks() {
  const { reader, server } = await openReader({}, TODAY);
  server.results.set(URL_1, { markdown: { fit_markdown: PAGE.join('\n\n'), raw_markdown: '' } });
  const [document] = await reader.loadData([URL_1]);
  return chunkPage({ text: document?.text ?? '', metadata: document?.metadata as PageMetadata });
}

test('test_e2e_reader_to_chunker', async () => {
  const chunks = await crawledChunks();
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.map((chunk) => chunk.chunk_index)).toEqual(chunks.map((_, at) => at));
  expect(chunks.at(-1)).toMatchObject({ section_path: expect.stringContaining('Start'), source_url: URL_1 });
  expect(chunks.every(({ content_hash: hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  const values = chunks.flatMap((chunk) => Object.values(chunk) as unknown[]);
  expect(values.filter((value) => typeof value !== 'string' && typeof value !== 'number')).toEqual([]);
});

async function embedChunks(texts: readonly string[]): Promise<ReadonlyArray<readonly number[]>> {
  const model = {
    space: { dimensions: 4 },
    embed: async (all: readonly string[]) =>
      all.map((text) => ({ kind: 'embedded', vector: Float32Array.from([text.length, 1, 2, 3]) })),
  };
  const server = await startEmbeddingServer(model as never);
  const fetcher = createHttpFetcher({ userAgent: 'test', ...guardSettingsFor(server.url) });
  try {
    const embedder = await openRemoteEmbedder({
      protocol: 'tei',
      url: server.url,
      model: '',
      key: null,
      dimensions: null,
      queryPrefix: '',
      passagePrefix: '',
      maxTokens: 512,
      maxBatchRows: 8,
      maxBatchTokens: 4096,
      sendRequest: createJsonClient(fetcher),
    });
    const outcomes = await embedder.embed(texts, 'passage');
    return outcomes.map((outcome) => (outcome.kind === 'embedded' ? [...outcome.vector] : []));
  } finally {
    await fetcher.close();
    await server.close();
  }
}

test('test_e2e_reader_to_embeddings', async () => {
  const chunks = await crawledChunks();
  const vectors = await embedChunks(chunks.map(({ chunk_text: text }) => text));
  expect(vectors.map((vector) => vector.length)).toEqual(chunks.map(() => 4));
});

const qdrant = startQdrant();

test('test_e2e_reader_to_qdrant', needing('Qdrant', qdrant !== null), async () => {
  const base = `${qdrant?.urls[0]}/collections/reader`;
  const send = async (method: string, path: string, body: unknown) => {
    const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${base}${path}`, init);
    return (await response.json()) as { readonly result: never };
  };
  try {
    const chunks = await crawledChunks();
    const vectors = await embedChunks(chunks.map(({ chunk_text: text }) => text));
    await send('PUT', '', { vectors: { size: 4, distance: 'Cosine' } });
    const points = chunks.map((payload, at) => ({ id: payload.id, vector: vectors[at], payload }));
    await send('PUT', '/points?wait=true', { points });
    const filter = { must: [{ key: 'source_url', match: { value: URL_1 } }] };
    const { result } = await send('POST', '/points/scroll', { filter, limit: 100, with_payload: true });
    const { points: stored } = result as { points: Array<{ payload: object }> };
    expect(stored).toHaveLength(chunks.length);
    expect(stored.map(({ payload }) => payload)).toEqual(expect.arrayContaining(chunks));
  } finally {
    qdrant?.close();
  }
});
