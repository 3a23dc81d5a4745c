// A small documentation site that can be changed between two crawls.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendTagged, startDocSite } from '../../support/scripted-site.ts';

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

const FILE = /^\/\.well-known\/|\.(?:txt|xml|gz)$/;

export async function createChangingSite(responses: Iterable<readonly [string, Answer]>): Promise<ChangingSite> {
  const all = new Map(responses);
  const { origin, requests, close } = await startDocSite({}, (request, response) =>
    answerWith(all.get(request.url ?? '/'), request, response),
  );
  const take = (isFile: boolean): Array<{ readonly path: string; readonly status: number }> => {
    const { taken = [], left = [] } = Object.groupBy(requests, ({ url }) =>
      FILE.test(url) === isFile ? 'taken' : 'left',
    );
    requests.splice(0, requests.length, ...left);
    return taken.map(({ url: path, status }) => ({ path, status }));
  };
  return {
    origin,
    responses: all,
    taken: () => take(false),
    takenFiles: () => take(true).map(({ path }) => path),
    takenFile: (path) =>
      take(true)
        .filter((one) => one.path === path)
        .map(({ status }) => status),
    close,
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
    case 'text':
      if (answer.hasEtag === true) return sendTagged(request, response, { type: 'text/plain', body: answer.text });
      return void response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(answer.text);
    case 'page':
      return sendTagged(request, response, { type: 'text/html', body: answer.html });
  }
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
