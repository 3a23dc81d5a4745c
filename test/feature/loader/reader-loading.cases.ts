// Crawl4AIReader: one URL, batches and errors. Its specification requires the names of these tests, in the style of Python.

import { expect, test } from 'vitest';
import { hastyFetcher, openReader, repeated, urlsOf } from './open-reader.ts';

const [URL_1 = ''] = urlsOf(1);

test('test_crawl_single_url_success', async () => {
  const { reader, server } = await openReader();
  const [document] = await reader.loadData([URL_1]);
  expect(document?.text).toBe(`# ${URL_1}\n\nThe part that matters.`);
  expect(document?.getContent()).toContain('The part that matters.');
  expect(server.crawls[0]?.json).toEqual({
    url: URL_1,
    crawler_params: { cache_mode: 'BYPASS', word_count_threshold: 10 },
  });
});

/** Text, or the message of the failure. */
async function crawled(fields: Readonly<Record<string, unknown>>): Promise<string> {
  const { reader, server, failures } = await openReader();
  server.results.set(URL_1, fields);
  const [document] = await reader.loadData([URL_1]);
  expect(server.crawls).toHaveLength(1);
  return document?.text ?? failures[0]?.error.message ?? '';
}

test('test_crawl_single_url_fallback_raw_markdown', async () => {
  expect(await crawled({ markdown: { fit_markdown: '', raw_markdown: 'whole' } })).toBe('whole');
  expect(await crawled({ markdown: { fit_markdown: null, raw_markdown: 'whole' } })).toBe('whole');
  expect(await crawled({ markdown: { raw_markdown: 'whole' } })).toBe('whole');
});

test('test_crawl_single_url_markdown_string', async () => {
  expect(await crawled({ markdown: '# Text' })).toBe('# Text');
});

test('test_crawl_single_url_no_markdown', async () => {
  for (const markdown of [null, '', {}, { fit_markdown: '', raw_markdown: '' }])
    expect(await crawled({ markdown })).toBe('No markdown content in response');
});

test('test_crawl_single_url_success_false', async () => {
  const fields = { success: false, status_code: 404, error_message: 'Page not found' };
  expect(await crawled(fields)).toBe('Crawl failed: Page not found');
  expect(await crawled({ success: false, error_message: null })).toBe('Crawl failed: Unknown error');
});

test('test_crawl_single_url_timeout_retry', async () => {
  const { reader, server, log } = await openReader({ timeoutSeconds: 10 });
  server.faults.push('silent');
  expect(await reader.loadData([URL_1])).not.toEqual([null]);
  expect(server.crawls).toHaveLength(2);
  expect(log.find(({ level }) => level === 'warn')).toMatchObject({
    message: `Crawl attempt 1 failed for ${URL_1}, retrying in 0s`,
    url: URL_1,
    attempt: 1,
    error: expect.stringContaining('it took too long'),
  });
});

test('test_crawl_single_url_max_retries_exhausted', async () => {
  const { reader, server, failures } = await openReader({ maxRetries: 2 });
  server.faults.push(...repeated(9, 'reset' as const));
  expect(await reader.loadData([URL_1])).toEqual([null]);
  expect(server.crawls).toHaveLength(3);
  expect(failures[0]?.error).toMatchObject({ code: 'crawl4ai.unavailable' });
});

test('test_crawl_single_url_http_404_no_retry', async () => {
  const { reader, server, failures } = await openReader();
  server.faults.push(404);
  expect(await reader.loadData([URL_1])).toEqual([null]);
  expect(server.crawls).toHaveLength(1);
  expect(failures[0]?.error.message).toBe(`HTTP error 404 for ${URL_1}`);
});

test('test_crawl_single_url_http_500_retry', async () => {
  const { reader, server } = await openReader({ retryDelays: [0.05, 0.1] });
  server.faults.push(500, 502, 503);
  const started = performance.now();
  expect(await reader.loadData([URL_1])).not.toEqual([null]);
  // The last delay repeats.
  expect(performance.now() - started).toBeGreaterThan(240);
  expect(server.crawls).toHaveLength(4);
});

test('test_crawl_single_url_network_error_retry', async () => {
  const { reader, server } = await openReader();
  server.faults.push('reset', 'cut-off');
  expect(await reader.loadData([URL_1])).not.toEqual([null]);
  expect(server.crawls).toHaveLength(3);
});

test('test_crawl_single_url_circuit_breaker_open', async () => {
  const { reader, server, failures, log } = await openReader({ maxRetries: 0, maxConcurrentRequests: 1 });
  server.faults.push(...repeated(5, 500));
  await reader.loadData(urlsOf(6));
  expect(server.crawls).toHaveLength(5);
  expect(failures.at(-1)?.error.code).toBe('load.circuit-open');
  const rejected = log.find(({ message }) => message === 'Circuit breaker open, rejecting request');
  expect(rejected).toMatchObject({ level: 'error', url: urlsOf(6)[5], state: 'open' });
});

test('test_crawl_single_url_fail_on_error_false', async () => {
  const { reader, server, log } = await openReader({ maxRetries: 0 });
  server.faults.push(500);
  expect(await reader.loadData([URL_1])).toEqual([null]);
  expect(log.map(({ message }) => message)).toContain(`Skipping failed URL ${URL_1}`);
});

test('test_aload_data_empty_list', async () => {
  const { reader, server } = await openReader();
  expect(await reader.loadData([])).toEqual([]);
  expect(server.requests).toEqual(['GET /health']);
});

test('test_aload_data_single_url', async () => {
  const { reader, server } = await openReader();
  expect(await reader.loadData([URL_1])).toHaveLength(1);
  expect(server.requests).toEqual(['GET /health', 'GET /health', 'POST /crawl']);
});

test('test_aload_data_multiple_urls', async () => {
  const { reader, server } = await openReader({}, { delayMs: 100 });
  const documents = await reader.loadData(urlsOf(30));
  expect(documents.map((document) => document?.metadata['source'])).toEqual(urlsOf(30));
  expect(server.maxConcurrent()).toBe(5);
  // One pool of connections for the batch.
  expect(server.connections()).toBeLessThan(15);
});

test('test_aload_data_concurrent_limit', async () => {
  const { reader, server } = await openReader({ maxConcurrentRequests: 2 }, { delayMs: 100 });
  await reader.loadData(urlsOf(8));
  expect(server.maxConcurrent()).toBe(2);
});

test('test_aload_data_partial_failure_continue', async () => {
  const { reader, server } = await openReader();
  server.results.set(urlsOf(2)[1] ?? '', { success: false });
  const documents = await reader.loadData(urlsOf(3));
  expect(documents.map((document) => document === null)).toEqual([false, true, false]);
});

test('test_aload_data_partial_failure_raise', async () => {
  const { reader, server } = await openReader({ failOnError: true });
  server.results.set(urlsOf(2)[1] ?? '', { success: false, error_message: 'blocked' });
  await expect(reader.loadData(urlsOf(3))).rejects.toThrow('Crawl failed: blocked');
});

test('test_aload_data_order_preservation', async () => {
  const { reader, server } = await openReader({ maxConcurrentRequests: 20 });
  // The first ones fail once and are retried, so that later ones arrive before them.
  server.faults.push(...repeated(6, 500));
  const documents = await reader.loadData(urlsOf(30));
  expect(documents.map((document) => document?.metadata['source_url'])).toEqual(urlsOf(30));
});

test('test_aload_data_duplicate_urls', async () => {
  const { reader, server } = await openReader();
  const [one, two] = await reader.loadData([URL_1, URL_1]);
  expect(server.crawls).toHaveLength(2);
  expect(one?.id_).toBe(two?.id_);
});

test('test_aload_data_logging', async () => {
  const { reader, server, log } = await openReader();
  server.results.set(urlsOf(2)[1] ?? '', { success: false });
  await reader.loadData(urlsOf(3));
  expect(log.at(0)).toMatchObject({
    level: 'info',
    message: 'Starting batch crawl of 3 URLs',
    url_count: 3,
    max_concurrent: 5,
  });
  const end = 'Batch crawl complete: 2 succeeded, 1 failed';
  expect(log.at(-1)).toMatchObject({ level: 'info', message: end, total: 3, succeeded: 2, failed: 1 });
});

test('test_aload_data_circuit_breaker_integration', async () => {
  const { reader, server } = await openReader({ maxRetries: 0, maxConcurrentRequests: 1 });
  server.faults.push(...repeated(5, 500));
  const documents = await reader.loadData(urlsOf(12));
  expect(documents).toEqual(repeated(12, null));
  expect(server.crawls).toHaveLength(5);
  // It stays open in the next batch.
  expect(await reader.loadData([URL_1])).toEqual([null]);
});

async function errorOf(fault: Parameters<typeof repeated>[1]) {
  const { reader, server } = await openReader({ failOnError: true, maxRetries: 0, fetcher: hastyFetcher() });
  server.faults.push(fault as 'reset');
  return reader.loadData([URL_1]).catch((error: unknown) => error);
}

test('test_error_timeout_exception', async () => {
  expect(await errorOf('silent')).toMatchObject({
    code: 'crawl4ai.unavailable',
    message: `No response from Crawl4AI for ${URL_1}: it took too long`,
  });
});

test('test_error_network_exception', async () => {
  expect(await errorOf('reset')).toMatchObject({ code: 'crawl4ai.unavailable', retryable: true });
});

test('test_error_connect_exception', async () => {
  const { reader, server } = await openReader();
  await server.close();
  await expect(reader.loadData([URL_1])).rejects.toThrow(`Crawl4AI service unhealthy at ${server.url}/health`);
});

test('test_error_http_status_error_4xx', async () => {
  expect(await errorOf(403)).toMatchObject({ code: 'crawl4ai.status', message: `HTTP error 403 for ${URL_1}` });
});

test('test_error_http_status_error_5xx', async () => {
  expect(await errorOf(502)).toMatchObject({ code: 'crawl4ai.status', message: `HTTP error 502 for ${URL_1}` });
});

test('test_error_invalid_json', async () => {
  const { reader, server, failures } = await openReader();
  server.faults.push('not-json');
  expect(await reader.loadData([URL_1])).toEqual([null]);
  expect(server.crawls).toHaveLength(1);
  expect(failures[0]?.error.code).toBe('crawl4ai.malformed');
});

test('test_error_circuit_breaker_error', async () => {
  const { reader, server } = await openReader({ failOnError: true, maxRetries: 0 });
  for (let failure = 0; failure < 5; failure += 1) {
    server.faults.push(500);
    await expect(reader.loadData([URL_1])).rejects.toMatchObject({ code: 'crawl4ai.status' });
  }
  await expect(reader.loadData([URL_1])).rejects.toMatchObject({ code: 'load.circuit-open' });
});

test('test_error_runtime_error', async () => {
  const { reader, server } = await openReader({ failOnError: true });
  server.results.set(URL_1, { success: false, error_message: 'net::ERR_NAME_NOT_RESOLVED' });
  await expect(reader.loadData([URL_1])).rejects.toThrow('Crawl failed: net::ERR_NAME_NOT_RESOLVED');
});

test('the vectors of each URL are deleted before it is crawled, and the number is logged', async () => {
  const deleted: string[] = [];
  const vectorStore = { deleteByUrl: async (url: string) => deleted.push(url) };
  const { reader, server, log } = await openReader({ vectorStore });
  server.faults.push(404);
  await reader.loadData(urlsOf(2));
  expect(deleted).toEqual(urlsOf(2));
  expect(log[0]).toMatchObject({ level: 'info', message: `Deleted 1 old vectors for ${URL_1}` });
  const { reader: keeping } = await openReader({ vectorStore, enableDeduplication: false });
  await keeping.loadData(urlsOf(2));
  expect(deleted).toHaveLength(2);
});

test('an invalid URL and a private address fail alone and are not handed over', async () => {
  const { reader, server, failures } = await openReader();
  const urls = ['not a URL', 'http://169.254.169.254/latest/', 'http://localhost:9200/', URL_1];
  const documents = await reader.loadData(urls);
  expect(documents.map((document) => document === null)).toEqual([true, true, true, false]);
  expect(failures.map(({ error }) => error.code)).toEqual([
    'url.invalid',
    'fetch.blocked-address',
    'fetch.blocked-address',
  ]);
  expect(server.crawls.map(({ url }) => url)).toEqual([URL_1]);
});
