// loadPages and loadEach, fetched here: order, gaps, ids, metadata, and what must not be reached.

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentId, loadEach, loadPages, type LoadFailure, type LoadOptions } from '../../../src/loader.ts';

const html = (title: string, body: string): string =>
  `<!doctype html><title>${title}</title><meta name="description" content="About ${title}"><main><h1>${title}</h1>${body}</main>`;

const TEXT =
  'The pool keeps a connection open for thirty seconds, and closes it when nobody has used it since. '.repeat(3);
let site = '';
let concurrent = 0;
let most = 0;
const hits = new Map<string, number>();

const ANSWERS: Readonly<Record<string, RequestListener>> = {
  '/pool': (_, response) =>
    void response
      .setHeader('content-type', 'text/html')
      .end(
        html(
          'Pool',
          `<p>${TEXT}</p><p><a href="/a">a</a> <a href="/b" rel="nofollow">b</a> <a href="https://other.example/">c</a></p>`,
        ),
      ),
  '/slow': (_, response) =>
    void setTimeout(() => response.setHeader('content-type', 'text/html').end(html('Slow', `<p>${TEXT}</p>`)), 80),
  '/moved': (_, response) => void response.writeHead(302, { location: '/pool' }).end(),
  '/away': (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
  '/shell': (_, response) =>
    void response.setHeader('content-type', 'text/html').end('<div id=root></div><script src=a.js></script>'),
  '/limited': (_, response) => void response.writeHead(429, { 'retry-after': '0' }).end(),
  '/slow-missing': (_, response) => void setTimeout(() => response.writeHead(404).end(), 80),
  '/broken': (_, response) => void response.writeHead(500).end(),
  '/large': (_, response) => void response.setHeader('content-type', 'text/plain').end('words '.repeat(500_000)),
};

const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://a').pathname;
  hits.set(path, (hits.get(path) ?? 0) + 1);
  concurrent += 1;
  most = Math.max(most, concurrent);
  response.on('close', () => (concurrent -= 1));
  const answer = ANSWERS[path] ?? ((_, missing) => void missing.writeHead(404).end());
  answer(request, response);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const OPEN: LoadOptions = { fetch: { allowCidrs: ['127.0.0.0/8'], allowPorts: ['1024-65535'] }, retryDelays: [0] };

test('[K1] results have the order of the list, with null and a reason for a failure', async () => {
  const failures: LoadFailure[] = [];
  const url = `${site}/pool#part`;
  const urls = [
    `${site}/slow`,
    `${site}/missing`,
    'not a URL',
    url,
    `${site}/moved`,
    `${site}/slow`,
    'file:///etc/passwd',
    `${site}/shell`,
  ];
  const pages = await loadPages(urls, { ...OPEN, onFailure: (failure) => failures.push(failure) });
  const titles = ['Slow', null, null, 'Pool', 'Pool', 'Slow', null, null];
  expect(pages.map((page) => page?.metadata.title ?? null)).toEqual(titles);
  expect(failures.map((failure) => [failure.index, failure.url, failure.error.code])).toEqual([
    [1, urls[1], 'fetch.status'],
    [2, 'not a URL', 'url.invalid'],
    [6, 'file:///etc/passwd', 'url.invalid'],
    [7, urls[7], 'load.not-content'],
  ]);
  expect(failures.at(-1)?.error.message).toBe(`There is no content at ${site}/shell: needs-rendering`);

  // An id that depends on the URL as it was given, Markdown, and flat metadata that is never null.
  expect(pages[0]?.id_).toBe(pages[5]?.id_);
  const [, , , page, moved] = pages;
  expect(page?.id_).toBe(documentId(url));
  expect(page?.text).toContain('# Pool\n\nThe pool keeps');
  const { crawl_timestamp: at, ...metadata } = page?.metadata ?? { crawl_timestamp: '' };
  expect(new Date(at).toISOString()).toBe(at);
  expect(metadata).toEqual({
    source: url,
    source_url: url,
    title: 'Pool',
    description: 'About Pool',
    status_code: 200,
    internal_links_count: 2,
    external_links_count: 1,
    source_type: 'web_crawl',
  });
  // A redirect is followed, and the metadata keep the URL that was given.
  expect(moved?.metadata.source_url).toBe(`${site}/moved`);
});

test('[K1] the id is the first half of the SHA-256 of the URL, as a UUID', () => {
  expect(documentId('https://example.com')).toBe('100680ad-546c-e6a5-77f4-2f52df33b4cf');
});

test('no URLs give no pages, without a request', async () => {
  expect(await loadPages([], { endpointUrl: 'http://127.0.0.1:9' })).toEqual([]);
});

test('[K4] the health of a Crawl4AI server is checked before the first page', async () => {
  const options = { endpointUrl: 'http://127.0.0.1:9/', maxRetries: 0 };
  await expect(loadPages([`${site}/pool`], options)).rejects.toMatchObject({
    code: 'crawl4ai.unhealthy',
    message: 'Crawl4AI service unhealthy at http://127.0.0.1:9/health',
  });
});

test('at most maxConcurrentRequests pages are loaded at once', async () => {
  most = 0;
  await loadPages(
    Array.from({ length: 12 }, () => `${site}/slow-missing`),
    { ...OPEN, maxConcurrentRequests: 3 },
  );
  expect(most).toBe(3);
});

test('with failOnError the first failure to occur rejects, and what is under way is aborted', async () => {
  const urls = [`${site}/slow-missing`, `${site}/missing`, ...Array.from({ length: 50 }, () => `${site}/slow-missing`)];
  const before = hits.get('/slow-missing') ?? 0;
  const rejected = loadPages(urls, { ...OPEN, failOnError: true });
  await expect(rejected).rejects.toMatchObject({ code: 'fetch.status', details: { status: 404 } });
  expect((hits.get('/slow-missing') ?? 0) - before).toBeLessThan(10);
});

test('a server error is retried as often as allowed, a client error never', async () => {
  hits.clear();
  await loadPages([`${site}/broken`, `${site}/missing`, `${site}/limited`], { ...OPEN, maxRetries: 2 });
  expect(Object.fromEntries(hits)).toMatchObject({ '/broken': 3, '/missing': 1, '/limited': 3 });
});

test('a host that fails five times in a row is not asked again, and another host is', async () => {
  hits.clear();
  const reasons: string[] = [];
  const urls = [
    ...Array.from({ length: 8 }, () => `${site}/broken`),
    `${site.replace('127.0.0.1', 'localhost')}/missing`,
  ];
  await loadPages(urls, {
    ...OPEN,
    maxRetries: 0,
    maxConcurrentRequests: 1,
    onFailure: ({ error }) => reasons.push(error.code),
  });
  expect(hits.get('/broken')).toBe(5);
  expect(reasons).toEqual([
    ...Array.from({ length: 5 }, () => 'fetch.status'),
    ...Array.from({ length: 3 }, () => 'load.circuit-open'),
    'fetch.status',
  ]);
});

test('missing pages open no circuit breaker', async () => {
  const reasons = new Set<string>();
  const urls = Array.from({ length: 8 }, () => `${site}/missing`);
  await loadPages(urls, { ...OPEN, maxConcurrentRequests: 1, onFailure: ({ error }) => reasons.add(error.code) });
  expect([...reasons]).toEqual(['fetch.status']);
});

test('an address that is not public is refused by default, and never reached', async () => {
  hits.clear();
  const codes: string[] = [];
  const urls = [`${site}/pool`, 'http://169.254.169.254/latest/meta-data/', 'http://[::1]/', 'http://localhost/'];
  const pages = await loadPages(urls, { onFailure: ({ error }) => codes.push(error.code) });
  expect(pages).toEqual([null, null, null, null]);
  expect(codes).toEqual(Array.from(urls, () => 'fetch.blocked-address'));
  expect(hits.size).toBe(0);
});

test('a redirect to an address that is not public is refused', async () => {
  const codes: string[] = [];
  expect(await loadPages([`${site}/away`], { ...OPEN, onFailure: ({ error }) => codes.push(error.code) })).toEqual([
    null,
  ]);
  expect(codes).toEqual(['fetch.blocked-address']);
});

test('a body larger than the limit fails', async () => {
  const messages: string[] = [];
  const fetch = { ...OPEN.fetch, maxBodyBytes: 100_000 };
  await loadPages([`${site}/large`], { ...OPEN, fetch, onFailure: ({ error }) => messages.push(error.message) });
  expect(messages).toEqual([`The response from ${site}/large is too large`]);
});

test('secrets in a URL are not part of an error or of the log', async () => {
  const lines: string[] = [];
  const url = `${site}/missing?token=abcdefghijkl`;
  const credentials = `${site.replace('//', '//someone:pass-word@')}/missing`;
  await loadPages([url, credentials], {
    ...OPEN,
    log: (entry) => lines.push(JSON.stringify(entry)),
    onFailure: ({ error }) => lines.push(`${error.message} ${JSON.stringify(error.details)} ${error.stack}`),
  });
  expect(lines.length).toBeGreaterThan(4);
  expect(lines.filter((line) => /abcdefghijkl|pass-word/.test(line))).toEqual([]);
});

test.each([
  ['timeoutSeconds', 9],
  ['timeoutSeconds', 301],
  ['maxConcurrentRequests', 0],
  ['maxConcurrentRequests', 21],
  ['maxRetries', -1],
  ['maxRetries', 11],
  ['retryDelays', []],
])('%s %j is out of range', async (name, value) => {
  await expect(loadPages(['https://example.com'], { [name]: value })).rejects.toMatchObject({
    code: 'input.invalid',
    message: expect.stringContaining(name),
  });
});

test('an endpoint with credentials is refused without showing them', async () => {
  const rejected = loadPages(['https://example.com'], { endpointUrl: 'http://someone:pass-word@127.0.0.1/' });
  await expect(rejected).rejects.toMatchObject({
    code: 'input.invalid',
    message: expect.not.stringContaining('pass-word'),
  });
});

test('loadEach yields in order, reads a bounded part ahead, and stops with its caller', async () => {
  let read = 0;
  function* endless(): Generator<string> {
    for (;;) yield `${site}/${read++ % 2 === 0 ? 'missing' : 'gone'}`;
  }
  const kinds: string[] = [];
  for await (const { kind, url } of loadEach(endless(), { ...OPEN, maxConcurrentRequests: 2 })) {
    kinds.push(`${kind} ${url.slice(site.length)}`);
    if (kinds.length === 4) break;
  }
  expect(kinds).toEqual(['failed /missing', 'failed /gone', 'failed /missing', 'failed /gone']);
  expect(read).toBeLessThan(60);
});

test('an aborted batch rejects with the reason of its signal', async () => {
  const stop = new AbortController();
  const loading = loadPages(
    Array.from({ length: 40 }, () => `${site}/slow-missing`),
    { ...OPEN, signal: stop.signal },
  );
  setTimeout(() => stop.abort(new Error('enough')), 50);
  await expect(loading).rejects.toThrow('enough');
});
