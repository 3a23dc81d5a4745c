// Small sites for crawls: pages that are worth keeping, and servers that give them.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { countingServer, type CountingServer } from './counting-server.ts';

const TEXT =
  'It explains at length what a reader has to know before the first request, and what comes after it. '.repeat(4);

/** Said in the page's own words, so that no two pages are the same. */
export function docPage(title: string, links: readonly string[] = [], head = ''): string {
  const items = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join('');
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>
<p>This is the page about ${title}. ${TEXT}</p><ul>${items}</ul></main></body></html>`;
}

export type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface DocSite extends CountingServer {
  readonly origin: string;
  /** Asked paths, in order, without robots.txt and other files that tell where pages are. */
  pages(): string[];
}

const DISCOVERY = /^\/(?:.*\/)?(?:robots\.txt|llms(?:-full)?\.txt|sitemap[^/]*)$/;

export async function docSite(paths: Readonly<Record<string, Answer>>, otherwise?: Answer): Promise<DocSite> {
  const server = await countingServer((request, response) => {
    const answer = paths[request.url ?? ''] ?? otherwise;
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'function') answer(request, response);
    else {
      response.setHeader('content-type', answer.startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain');
      response.end(answer);
    }
  });
  return {
    ...server,
    origin: `http://127.0.0.1:${server.port}`,
    pages: () => server.asked.map(({ url }) => url).filter((url) => !DISCOVERY.test(url)),
  };
}

export const redirectTo =
  (location: string): Answer =>
  (_, response) =>
    void response.writeHead(302, { location }).end();

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) =>
    void response.writeHead(code, headers).end();
