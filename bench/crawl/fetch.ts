// node bench/crawl/fetch.ts [REQUESTS]: compares the cost of a request through the fetcher with bare undici, on loopback: CPU of
// this process only. A separate process serves the pages.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import type { PageUrl } from '../../src/core/model/page-url.ts';
import { createHttpFetcher } from '../../src/fetch/http/http-fetcher.ts';
import { cpuMs } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';

const PAGE_BYTES = 96_000;
const CONCURRENCY = 16;
const ROUNDS = 5;

if (process.send) serve();
else await measure(Number(process.argv[2] ?? 3000));

function serve(): void {
  const page = Buffer.from('<p>The quick brown fox jumps over the lazy dog.</p>\n'.repeat(2000).slice(0, PAGE_BYTES));
  const packed = gzipSync(page);
  const server = createServer((incoming, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').setHeader('etag', '"a"');
    if (incoming.headers['if-none-match'] === '"a"') {
      response.statusCode = 304;
      response.end();
    } else if (incoming.url?.startsWith('/packed')) response.setHeader('content-encoding', 'gzip').end(packed);
    else response.end(page);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

type Fetch = (url: string) => Promise<number>;

async function measure(requests: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url));
  const [port] = (await once(child, 'message')) as [number];
  const origin = `http://127.0.0.1:${port}`;
  const agent = new Agent({ allowH2: false });
  const fetcher = createHttpFetcher({ userAgent: 'bench', allowCidrs: ['127.0.0.1/32'] });

  const bare: Fetch = async (url) => {
    const { headers, body } = await request(url, { dispatcher: agent });
    const bytes = Buffer.from(await body.arrayBuffer());
    return (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).length;
  };
  const guarded: Fetch = async (url) => {
    const outcome = await fetcher.fetch({ url: url as PageUrl });
    if (outcome.kind !== 'fetched') throw new Error(JSON.stringify(outcome));
    return outcome.body.length;
  };
  const unchanged: Fetch = async (url) => {
    const outcome = await fetcher.fetch({ url: url as PageUrl, etag: '"a"' });
    if (outcome.kind !== 'unchanged') throw new Error(JSON.stringify(outcome));
    return PAGE_BYTES;
  };

  const ways = [
    ['bareUndici', bare, '/plain'],
    ['fetcher', guarded, '/plain'],
    ['bareUndiciGzip', bare, '/packed'],
    ['fetcherGzip', guarded, '/packed'],
    ['fetcherUnchanged', unchanged, '/plain'],
  ] as const;
  const measurements: Record<string, number> = {};
  for (const [, send, path] of ways) await round(send, origin + path, requests / 4);
  // Alternately, so that other load on the machine affects all of them.
  for (let i = 0; i < ROUNDS; i++) {
    for (const [name, send, path] of ways) {
      const key = `${name}CpuMs`;
      const took = await round(send, origin + path, requests);
      measurements[key] = Number(Math.min(measurements[key] ?? Infinity, took).toFixed(4));
    }
  }
  child.kill();
  await Promise.all([agent.close(), fetcher.close()]);

  const ratio = (ours: string, theirs: string): number =>
    Number(((measurements[`${ours}CpuMs`] ?? 0) / (measurements[`${theirs}CpuMs`] ?? 1)).toFixed(3));
  const result = {
    requests,
    pageBytes: PAGE_BYTES,
    concurrency: CONCURRENCY,
    rounds: ROUNDS,
    perRequest: measurements,
    ratio: ratio('fetcher', 'bareUndici'),
    ratioGzip: ratio('fetcherGzip', 'bareUndiciGzip'),
  };
  writeResult('fetch', result);
}

/** CPU milliseconds per request. */
async function round(send: Fetch, url: string, requests: number): Promise<number> {
  let left = requests;
  const before = cpuMs();
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const length = await send(`${url}/${left}`);
      if (length !== PAGE_BYTES) throw new Error(`a page of ${length} bytes`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return (cpuMs() - before) / requests;
}
