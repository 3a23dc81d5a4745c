import { expect, test } from 'vitest';
import { createCrawl4AiClient, type JsonResponse } from './crawl4ai-client.ts';

const PAGE = { success: true, markdown: 'text', url: 'https://a.example/' };

/** A server whose form can change, and the forms of the requests that it got. */
function createServer(format: 'url' | 'urls') {
  const state = { format, requested: [] as string[] };
  const sendJson = async ({ json }: { readonly json: unknown }): Promise<JsonResponse> => {
    const found = 'urls' in (json as object) ? 'urls' : 'url';
    state.requested.push(found);
    const body = JSON.stringify(state.format === 'url' ? PAGE : { success: true, results: [PAGE] });
    return { kind: 'answered', status: found === state.format ? 200 : 422, body, retryAfterMs: null };
  };
  return { state, client: createCrawl4AiClient({ endpoint: 'http://127.0.0.1:11235//', sendJson }) };
}

test.each(['url', 'urls'] as const)('the form with %s is recognised, and remembered', async (format) => {
  const { client, state } = createServer(format);
  for (let nth = 0; nth < 3; nth += 1)
    expect(await client.crawl('https://a.example/')).toMatchObject({ kind: 'crawled' });
  expect(state.requested).toEqual(format === 'url' ? ['url', 'url', 'url'] : ['url', 'urls', 'urls', 'urls']);
  expect(client.endpoint).toBe('http://127.0.0.1:11235');
});

test('another version at the same address is recognised without a failure', async () => {
  const { client, state } = createServer('url');
  await client.crawl('https://a.example/');
  state.format = 'urls';
  expect(await client.crawl('https://a.example/')).toMatchObject({ kind: 'crawled' });
  expect(state.requested).toEqual(['url', 'url', 'urls']);
});

test('a URL that neither form accepts fails alone, without a retry', async () => {
  const sendJson = async (): Promise<JsonResponse> => ({ kind: 'answered', status: 422, body: '', retryAfterMs: null });
  const client = createCrawl4AiClient({ endpoint: 'http://127.0.0.1', sendJson });
  const outcome = await client.crawl('https://a.example/?token=abcdefghijkl');
  expect(outcome).toMatchObject({ kind: 'failed', retryable: false, error: { code: 'crawl4ai.status' } });
  expect(JSON.stringify(outcome)).not.toContain('abcdefghijkl');
});

test.each([429, 500, 503])('status %i may be corrected later', async (status) => {
  const sendJson = async (): Promise<JsonResponse> => ({ kind: 'answered', status, body: '', retryAfterMs: 1500 });
  const outcome = await createCrawl4AiClient({ endpoint: 'http://127.0.0.1', sendJson }).crawl('https://a.example/');
  expect(outcome).toMatchObject({ kind: 'failed', retryable: true, retryAfterMs: 1500 });
});

test.each(['[]', '42', '"text"', 'null', '<html>'])('the body %s is malformed', async (body) => {
  const sendJson = async (): Promise<JsonResponse> => ({ kind: 'answered', status: 200, body, retryAfterMs: null });
  const outcome = await createCrawl4AiClient({ endpoint: 'http://127.0.0.1', sendJson }).crawl('https://a.example/');
  expect(outcome).toMatchObject({ error: { code: 'crawl4ai.malformed' }, retryable: false });
});

test('a server without a response to the health check is unhealthy, and an abort rejects', async () => {
  const silent = (_: unknown, signal?: AbortSignal) =>
    new Promise<JsonResponse>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const client = createCrawl4AiClient({ endpoint: 'http://127.0.0.1', sendJson: silent });
  await expect(client.isHealthy(AbortSignal.timeout(20))).rejects.toThrow('timeout');
});
