// The program as a server with a small library, under odd requests of an administrator. Whatever they add is on this machine.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { DISPOSABLE, fuzzHttp, type HttpFuzzCounts } from '../../support/fuzz-http.ts';
import { bearer, startAttackedServer } from '../attacks/attacked-server.ts';

const KNOWN = {
  source: ['guide', 'guide', ...DISPOSABLE],
  name: [...DISPOSABLE, 'guide', 'hook'],
  target: ['/guide.md', 'guide.md'],
  run: ['1', 'guide', 'latest'],
  version: [''],
  query: ['pool', 'connection pool'],
  wait: [0, 0.1],
  cursor: ['0'.repeat(32)],
  since: ['now'],
  preset: ['llms-first', 'basic'],
  every: ['none', '1d'],
  queryParams: [['*=drop']],
  headers: [[]],
  reason: ['status 404'],
  limit: [1, 10],
} as const;

export async function fuzzServer(requests: number, seed: number): Promise<HttpFuzzCounts> {
  const settings = {
    PINAKES_SERVE_REQUESTS_PER_MINUTE: '1000000',
    PINAKES_SERVE_CONNECTIONS_PER_ADDRESS: '1000',
    PINAKES_CRAWL_MIN_DELAY_MS: '0',
  } as const;
  const site = await startSite();
  const server = await startAttackedServer({ settings });
  try {
    const hook = { url: `${site.url}hook`, name: 'hook' };
    const headers = { ...bearer(server.adminToken), 'content-type': 'application/json' };
    const options = { method: 'POST', headers, body: JSON.stringify(hook) };
    expect((await fetch(`${server.url}/api/webhooks`, options)).status).toBeLessThan(300);
    const counts = await fuzzHttp(server.url, requests, {
      seed,
      token: server.adminToken,
      known: { ...KNOWN, url: ['/guide.md', site.url], startUrl: [site.url] },
    });
    const search = await fetch(`${server.url}/api/search?query=pool`, { headers: bearer(server.readToken) });
    expect(search.status).toBe(200);
    return counts;
  } finally {
    await server.stop();
    await site.close();
  }
}

/** A site of one page, and the receiver of a webhook. */
async function startSite(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<h1>Pool</h1><p>The pool keeps connections open.</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
