// A small documentation site inside the test process that can be changed between two crawls. It records every request.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer =
  | { readonly kind: 'page'; readonly html: string }
  | { readonly kind: 'text'; readonly text: string; readonly hasEtag?: boolean }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'status'; readonly status: number };

export interface ChangingSite {
  readonly origin: string;
  /** The response for each path; the rest is 404. */
  readonly responses: Map<string, Answer>;
  /** Paths and statuses since the last call, without robots.txt and the other discovery files. */
  taken(): ReadonlyArray<{ readonly path: string; readonly status: number }>;
  /** Paths of discovery files since the last call. */
  takenFiles(): readonly string[];
  /** The statuses of a file's responses since the last call. */
  takenFile(path: string): readonly number[];
  close(): Promise<void>;
}

export async function createChangingSite(responses: Iterable<readonly [string, Answer]>): Promise<ChangingSite> {
  const all = new Map(responses);
  const requests: Array<{ path: string; status: number }> = [];
  const files: Array<{ path: string; status: number }> = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    answerWith(all.get(path), request, response);
    const log = /^\/\.well-known\/|\.(?:txt|xml|gz)$/.test(path) ? files : requests;
    log.push({ path, status: response.statusCode });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    responses: all,
    taken: () => requests.splice(0),
    takenFiles: () => files.splice(0).map(({ path }) => path),
    takenFile: (path) =>
      files
        .splice(0)
        .filter((one) => one.path === path)
        .map(({ status }) => status),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answerWith(answer: Answer | undefined, request: IncomingMessage, response: ServerResponse): void {
  switch (answer?.kind) {
    case undefined:
      return void response.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.');
    case 'status':
      return void response.writeHead(answer.status).end();
    case 'redirect':
      return void response.writeHead(301, { location: answer.to }).end();
    case 'text': {
      const etag = etagOf(answer.text);
      const headers = { 'content-type': 'text/plain; charset=utf-8', ...(answer.hasEtag === true ? { etag } : {}) };
      const isSame = answer.hasEtag === true && request.headers['if-none-match'] === etag;
      return void response.writeHead(isSame ? 304 : 200, headers).end(isSame ? '' : answer.text);
    }
    case 'page': {
      const etag = etagOf(answer.html);
      if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
      return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag }).end(answer.html);
    }
  }
}

function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`;
}

/** A page about a topic, with links to others. `head` may hold a canonical URL or a noindex directive. */
export function aPage(about: string, links: readonly string[] = [], head = ''): Answer {
  const items = links.map((to) => `<li><a href="${to}">More about ${to}</a></li>`).join('');
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>About ${about}</title>${head}</head>
<body><main><article><h1>About ${about}</h1>
<p>Everyone who wants to know how ${about} works in practice finds here what an operator has to do about it, step by step.</p>
<h2 id="words">Words of ${about}</h2><p>The word of this page is ${about} and there is more to say about it elsewhere.</p>
<ul>${items}</ul></article></main><footer>Build 1</footer></body></html>`;
  return { kind: 'page', html };
}

export function canonical(to: string): string {
  return `<link rel="canonical" href="${to}">`;
}
