// A documentation site of any size on loopback, generated from a seed: what a crawl must find is known. It records every request, so a
// test can check what was fetched, how often, and what never was.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { sendTagged } from './scripted-site.ts';
import { createSitePages, SLOW_PATH, START_PATH, type SiteOracle } from './generated-site-pages.ts';

export interface SiteRequest {
  readonly path: string;
  readonly status: number;
  readonly userAgent: string;
}

export interface SiteServer {
  readonly origin: string;
  /** Start URL of a crawl. */
  readonly start: string;
  readonly oracle: SiteOracle;
  readonly requests: readonly SiteRequest[];
  /** How often each path below the start was requested. */
  requestCounts(): ReadonlyMap<string, number>;
  /** These pages are missing until the returned function is called. */
  hide(paths: readonly string[]): () => void;
  /** Requests received, with or without a response. */
  receivedCount(): number;
  /** The slow page does not respond until the returned function is called. */
  holdSlowPage(): () => void;
  close(): Promise<void>;
}

export interface SiteServerOptions {
  /** Guide pages; the site has a few more for special cases. */
  readonly size: number;
  readonly seed?: number;
  /** Duration of every response, so that a crawl takes a while. */
  readonly answerMs?: number;
  readonly slowMs?: number;
  /** Any free port by default. */
  readonly port?: number;
}

export async function createSiteServer(options: SiteServerOptions): Promise<SiteServer> {
  const { size, seed = 1, answerMs = 0, slowMs = 300, port = 0 } = options;
  const { byPath, robots, oracle } = createSitePages(size, seed);
  const requests: SiteRequest[] = [];
  let received = 0;
  let hidden: ReadonlySet<string> = new Set();
  let held: Promise<void> = Promise.resolve();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    received += 1;
    const { pathname: path } = new URL(request.url ?? '/', 'http://site.test');
    const delay = path === SLOW_PATH ? slowMs : answerMs;
    if (path === SLOW_PATH) await held;
    if (delay > 0) await wait(delay);
    const page = hidden.has(path) ? undefined : byPath.get(path);
    if (path === '/robots.txt') send(response, 200, { 'content-type': 'text/plain' }, robots);
    else if (page?.kind === 'redirect') send(response, 301, { location: page.to });
    else if (page?.kind === 'page') sendTagged(request, response, { type: 'text/html', body: page.html });
    else send(response, 404, { 'content-type': 'text/plain' }, 'There is nothing here.');
    requests.push({ path, status: response.statusCode, userAgent: request.headers['user-agent'] ?? '' });
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    start: `${origin}${START_PATH}`,
    oracle,
    requests,
    receivedCount: () => received,
    hide(paths) {
      hidden = new Set(paths);
      return () => void (hidden = new Set());
    },
    requestCounts: () => countBy(requests.map(({ path }) => path).filter((path) => path.startsWith(START_PATH))),
    holdSlowPage() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, status: number, headers: Record<string, string>, body = ''): void {
  response.writeHead(status, headers);
  response.end(body);
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
