// Crawl4AIReader: options, environment, health, ids and metadata. Its specification requires the names of these tests, in the style of Python.

import { afterEach, expect, test, vi } from 'vitest';
import { Crawl4AIReader } from '../../../src/integrations/llamaindex.ts';
import { openReader, repeated, urlsOf } from './open-reader.ts';
import { startCrawl4AiServer } from '../../support/crawl4ai-server.ts';

afterEach(() => vi.unstubAllEnvs());

const [URL_1 = ''] = urlsOf(1);

test('test_default_initialization', async () => {
  const server = await startCrawl4AiServer();
  const { url } = server;
  vi.stubEnv('CRAWL4AI_ENDPOINT', url);
  const reader = await Crawl4AIReader.open();
  expect(reader.toJSON()).toEqual({
    endpointUrl: url,
    timeoutSeconds: 60,
    failOnError: false,
    maxConcurrentRequests: 5,
    maxRetries: 3,
    retryDelays: [1, 2, 4],
    enableDeduplication: true,
    isRemote: true,
    className: 'Crawl4AIReader',
  });
  await reader.close();
  await server.close();
  vi.unstubAllEnvs();
  await expect(Crawl4AIReader.open({ maxRetries: 0 })).rejects.toThrow(
    'Crawl4AI service unreachable at http://localhost:52004/health',
  );
});

test('test_custom_endpoint', async () => {
  const { reader, server } = await openReader();
  expect(reader.endpointUrl).toBe(server.url);
  await reader.loadData([URL_1]);
  expect(server.crawls).toHaveLength(1);
});

test('test_custom_timeout', async () => {
  for (const timeoutSeconds of [10, 90, 300])
    expect((await openReader({ timeoutSeconds })).reader.timeoutSeconds).toBe(timeoutSeconds);
});

test('test_custom_fail_on_error', async () => {
  expect((await openReader({ failOnError: true })).reader.failOnError).toBe(true);
});

test('test_custom_max_concurrent', async () => {
  for (const maxConcurrentRequests of [1, 20])
    expect((await openReader({ maxConcurrentRequests })).reader.maxConcurrentRequests).toBe(maxConcurrentRequests);
});

const refused = (name: string, message: string) => ({ code: 'input.invalid', message: `${name} ${message}` });

test('test_invalid_timeout_too_low', async () => {
  await expect(openReader({ timeoutSeconds: 9 })).rejects.toMatchObject(
    refused('timeoutSeconds', 'must be at least 10'),
  );
});

test('test_invalid_timeout_too_high', async () => {
  await expect(openReader({ timeoutSeconds: 301 })).rejects.toMatchObject(
    refused('timeoutSeconds', 'must be at most 300'),
  );
});

test('test_invalid_max_concurrent_too_low', async () => {
  const expected = refused('maxConcurrentRequests', 'must be at least 1');
  await expect(openReader({ maxConcurrentRequests: 0 })).rejects.toMatchObject(expected);
});

test('test_invalid_max_concurrent_too_high', async () => {
  const expected = refused('maxConcurrentRequests', 'must be at most 20');
  await expect(openReader({ maxConcurrentRequests: 21 })).rejects.toMatchObject(expected);
});

test('test_health_check_success', async () => {
  const { server } = await openReader();
  expect(server.requests).toEqual(['GET /health']);
});

test('test_health_check_failure', async () => {
  const server = await startCrawl4AiServer();
  server.health = 503;
  await expect(Crawl4AIReader.open({ endpointUrl: server.url })).rejects.toMatchObject({
    code: 'crawl4ai.unreachable',
    message: `Crawl4AI service unreachable at ${server.url}/health`,
  });
  await server.close();
});

test('test_circuit_breaker_initialized', async () => {
  const { reader, server } = await openReader({ maxRetries: 0, maxConcurrentRequests: 1 });
  server.faults.push(...repeated(4, 500));
  await reader.loadData(urlsOf(4));
  // Four failures leave it closed, and a success sets it back.
  expect(await reader.loadData([URL_1])).not.toEqual([null]);
});

test('test_logger_initialized', async () => {
  const { reader, log } = await openReader();
  await reader.loadData([URL_1]);
  expect(log[0]).toMatchObject({ level: 'info', message: 'Starting batch crawl of 1 URLs', time: expect.any(String) });
});

test('test_is_remote_flag', async () => {
  expect((await openReader()).reader.isRemote).toBe(true);
});

test('test_class_name_property', async () => {
  expect((await openReader()).reader.className).toBe('Crawl4AIReader');
});

test('the options survive JSON.stringify and back', async () => {
  const { reader } = await openReader({ maxRetries: 7, retryDelays: [0.5, 1.5], enableDeduplication: false });
  const copy = await Crawl4AIReader.open(JSON.parse(JSON.stringify(reader)));
  expect(copy.toJSON()).toEqual(reader.toJSON());
  await copy.close();
});

test('the environment gives what the options leave out', async () => {
  vi.stubEnv('CRAWL4AI_TIMEOUT_SECONDS', '120');
  vi.stubEnv('CRAWL4AI_MAX_CONCURRENT_REQUESTS', '7');
  vi.stubEnv('CRAWL4AI_FAIL_ON_ERROR', 'True');
  vi.stubEnv('CRAWL4AI_MAX_RETRIES', '1');
  const { reader } = await openReader({ maxRetries: 2 });
  const { timeoutSeconds, maxConcurrentRequests, failOnError, maxRetries } = reader;
  expect([timeoutSeconds, maxConcurrentRequests, failOnError, maxRetries]).toEqual([120, 7, true, 2]);
  vi.stubEnv('CRAWL4AI_TIMEOUT_SECONDS', 'soon');
  await expect(openReader()).rejects.toThrow('CRAWL4AI_TIMEOUT_SECONDS must be a whole number');
});

test('test_document_id_deterministic', async () => {
  const { reader } = await openReader();
  const [one, two] = await reader.loadData(['https://example.com', 'https://example.com']);
  expect(one?.id_).toBe('100680ad-546c-e6a5-77f4-2f52df33b4cf');
  expect(two?.id_).toBe(one?.id_);
});

test('test_document_id_different_urls', async () => {
  const { reader } = await openReader();
  const documents = await reader.loadData(urlsOf(20));
  expect(new Set(documents.map((document) => document?.id_)).size).toBe(20);
});

test('test_metadata_complete', async () => {
  const { reader } = await openReader();
  const [document] = await reader.loadData([URL_1]);
  expect(document?.metadata).toEqual({
    source: URL_1,
    source_url: URL_1,
    title: `Title of ${URL_1}`,
    description: 'A page',
    status_code: 200,
    crawl_timestamp: '2026-01-15T12:00:00+00:00',
    internal_links_count: 2,
    external_links_count: 1,
    source_type: 'web_crawl',
  });
  expect(document).toMatchObject({ excludedLlmMetadataKeys: [], excludedEmbedMetadataKeys: [] });
});

async function metadataOf(fields: Readonly<Record<string, unknown>>) {
  const { reader, server } = await openReader();
  server.results.set(URL_1, fields);
  const [document] = await reader.loadData([URL_1]);
  return document?.metadata ?? {};
}

test('test_metadata_missing_title', async () => {
  expect(await metadataOf({ metadata: { title: null, description: 'd' } })).toMatchObject({
    title: '',
    description: 'd',
  });
});

test('test_metadata_missing_description', async () => {
  expect(await metadataOf({ metadata: { title: 't' } })).toMatchObject({ title: 't', description: '' });
});

test('test_metadata_missing_links', async () => {
  expect(await metadataOf({ links: null })).toMatchObject({ internal_links_count: 0, external_links_count: 0 });
});

test('test_metadata_flat_types', async () => {
  const nulls = { metadata: null, links: null, status_code: null, crawl_timestamp: null, url: null };
  const metadata = await metadataOf(nulls);
  expect(Object.keys(metadata)).toHaveLength(9);
  expect(Object.values(metadata).filter((value) => typeof value !== 'string' && typeof value !== 'number')).toEqual([]);
});

test('test_metadata_source_type', async () => {
  expect(await metadataOf({ source_type: 'other' })).toMatchObject({ source_type: 'web_crawl' });
});

test('test_metadata_links_counting', async () => {
  const links = { internal: repeated(7, { href: '/a' }), external: ['https://a.example', 'https://b.example'] };
  expect(await metadataOf({ links })).toMatchObject({ internal_links_count: 7, external_links_count: 2 });
});

test('test_metadata_status_code', async () => {
  // Another status with success is believed.
  expect(await metadataOf({ status_code: 203 })).toMatchObject({ status_code: 203 });
});
