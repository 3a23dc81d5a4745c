// A stand-in for a Crawl4AI server with either form of its API, written from its published schema. It checks requests as the
// real one does (422), and misbehaves on request.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

export type CrawlFault = number | 'reset' | 'silent' | 'not-json' | 'cut-off';

/** Fields of a result that differ from those of a page that was crawled. */
export type ResultFields = Readonly<Record<string, unknown>>;

export interface Crawl4AiServer {
  readonly url: string;
  readonly port: number;
  /** Bodies of the crawl requests that had the right form. */
  readonly crawls: ReadonlyArray<{ readonly url: string; readonly json: Readonly<Record<string, unknown>> }>;
  /** All requests, as method and path. */
  readonly requests: readonly string[];
  readonly maxConcurrent: () => number;
  readonly connections: () => number;
  /** Applied one per crawl request, before the server behaves normally again. */
  readonly faults: CrawlFault[];
  /** By URL. */
  readonly results: Map<string, ResultFields>;
  health: number | 'silent';
  close(): Promise<void>;
}

export interface Crawl4AiServerOptions {
  /** `url`: a URL and crawler_params. `urls`: a list, browser_config and crawler_config. */
  readonly format?: 'url' | 'urls';
  readonly delayMs?: number | (() => number);
  readonly port?: number;
  readonly resultFor?: (url: string) => ResultFields;
  /** Decides about each crawl, after `faults`. */
  readonly faultFor?: (url: string) => CrawlFault | null;
}

const Typed = z.object({ type: z.string(), params: z.record(z.string(), z.unknown()) });
const REQUESTS = {
  url: z.object({ url: z.string(), crawler_params: z.record(z.string(), z.unknown()).optional() }),
  urls: z.object({
    urls: z.array(z.string()).min(1).max(100),
    browser_config: Typed.optional(),
    crawler_config: Typed.optional(),
  }),
};

export async function startCrawl4AiServer(options: Crawl4AiServerOptions = {}): Promise<Crawl4AiServer> {
  const { format = 'url', delayMs = 0, faultFor = () => null, resultFor = () => ({}) } = options;
  const crawls: Array<Crawl4AiServer['crawls'][number]> = [];
  const requests: string[] = [];
  const faults: CrawlFault[] = [];
  const results = new Map<string, ResultFields>();
  const state = { health: 200 as number | 'silent', now: 0, max: 0, connections: 0 };

  async function crawl(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = JSON.parse(await bodyOf(request)) as Readonly<Record<string, unknown>>;
    const parsed = REQUESTS[format].safeParse(json);
    if (!parsed.success) return send(response, 422, { detail: [{ type: 'missing', loc: ['body', format] }] });
    const url = 'urls' in parsed.data ? (parsed.data.urls[0] ?? '') : parsed.data.url;
    crawls.push({ url, json });
    const fault = faults.shift() ?? faultFor(url);
    if (fault !== null) return misbehave(fault, response);
    const waitMs = typeof delayMs === 'number' ? delayMs : delayMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const result = { ...resultOf(url), ...resultFor(url), ...results.get(url) };
    send(
      response,
      200,
      format === 'url' ? result : { success: true, results: [result], server_processing_time_s: 0.1 },
    );
  }

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.url === '/health') {
      if (state.health !== 'silent') send(response, state.health, { status: 'ok', version: '0.7.4' });
      return;
    }
    if (request.method !== 'POST' || request.url !== '/crawl') return send(response, 404, { detail: 'Not Found' });
    state.now += 1;
    state.max = Math.max(state.max, state.now);
    response.on('close', () => (state.now -= 1));
    void crawl(request, response).catch(() => response.destroy());
  });
  server.on('connection', () => (state.connections += 1));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(options.port ?? 0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    crawls,
    requests,
    faults,
    results,
    maxConcurrent: () => state.max,
    connections: () => state.connections,
    get health() {
      return state.health;
    },
    set health(health) {
      state.health = health;
    },
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

function misbehave(fault: CrawlFault, response: ServerResponse): void {
  if (typeof fault === 'number') send(response, fault, { detail: 'as asked for' });
  else if (fault === 'reset') response.socket?.resetAndDestroy();
  else if (fault === 'not-json') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Gateway</h1>');
  else if (fault === 'cut-off') {
    response.writeHead(200, { 'content-length': '1000' }).write('{"success": true');
    response.socket?.end();
  }
}

/** As the specification and the published models give it. */
export function resultOf(url: string): Record<string, unknown> {
  return {
    url,
    success: true,
    status_code: 200,
    error_message: '',
    markdown: {
      fit_markdown: `# ${url}\n\nThe part that matters.`,
      raw_markdown: `Menu\n\n# ${url}\n\nThe part that matters.`,
    },
    metadata: { title: `Title of ${url}`, description: 'A page', 'og:title': null },
    links: {
      internal: [
        { href: '/page1', text: 'one' },
        { href: '/page2', text: 'two' },
      ],
      external: [{ href: 'https://other.example', text: 'other' }],
    },
    crawl_timestamp: '2026-01-15T12:00:00+00:00',
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
