// A site whose responses a test decides path by path, and may change while it runs. It records every request.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { startCountingServer, type CountingServer } from './counting-server.ts';

const TEXT =
  'It explains at length what a reader has to know before the first request, and what comes after it. '.repeat(4);

/** Different for each page, so that no two pages are duplicates. */
export function docPage(title: string, links: readonly string[] = [], head = ''): string {
  const items = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join('');
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>
<p>This is the page about ${title}. ${TEXT}</p><ul>${items}</ul></main></body></html>`;
}

/** The same page as Markdown, without its links. */
export function docMarkdown(title: string): PageResponse {
  return (_, response) => {
    response.setHeader('content-type', 'text/markdown; charset=utf-8');
    response.end(`# ${title}\n\nThis is the page about ${title}. ${TEXT}\n`);
  };
}

export type PageResponse = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface DocSite extends CountingServer {
  readonly origin: string;
  /** Requested paths, in order, without robots.txt and other discovery files. */
  pages(): string[];
  /** The path does not respond until the returned function is called. */
  hold(path: string): () => void;
}

export interface DocSiteOptions {
  /** Before each response, so that a run takes a while. */
  readonly delayMs?: number;
  /** The first one that is free is used; any by default. */
  readonly ports?: readonly number[];
}

const DISCOVERY = /^\/(?:.*\/)?(?:robots\.txt|llms(?:-full)?\.txt|sitemap[^/]*|\.well-known\/api-catalog)$/;

/** `paths` and `otherwise` are read at each request. */
export async function startDocSite(
  paths: Readonly<Record<string, PageResponse>>,
  otherwise?: PageResponse,
  { delayMs = 0, ports }: DocSiteOptions = {},
): Promise<DocSite> {
  const held = new Map<string, Promise<void>>();
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    const answer = paths[request.url ?? ''] ?? otherwise;
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'function') answer(request, response);
    else {
      response.setHeader('content-type', answer.startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain');
      response.end(answer);
    }
  };
  const server = await startCountingServer(
    (request, response) => {
      const waiting = held.get(request.url ?? '');
      if (waiting === undefined && delayMs === 0) return respond(request, response);
      void Promise.all([waiting, wait(delayMs)]).then(() => respond(request, response));
    },
    '127.0.0.1',
    ports,
  );
  return {
    ...server,
    origin: `http://127.0.0.1:${server.port}`,
    pages: () => server.requests.map(({ url }) => url).filter((url) => !DISCOVERY.test(url)),
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(path, promise);
      return () => {
        held.delete(path);
        resolve();
      };
    },
  };
}

/** With an ETag, and 304 for a request that has it. */
export function sendTagged(
  request: IncomingMessage,
  response: ServerResponse,
  { type, body }: { readonly type: string; readonly body: string },
): void {
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
  if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, etag }).end(body);
}

export const redirectTo =
  (location: string): PageResponse =>
  (_, response) =>
    void response.writeHead(302, { location }).end();

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): PageResponse =>
  (_, response) =>
    void response.writeHead(code, headers).end();
