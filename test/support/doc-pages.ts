// Small sites for crawls: pages with content, and servers that serve them.

import type { IncomingMessage, ServerResponse } from 'node:http';
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
}

const DISCOVERY = /^\/(?:.*\/)?(?:robots\.txt|llms(?:-full)?\.txt|sitemap[^/]*|\.well-known\/api-catalog)$/;

export async function startDocSite(
  paths: Readonly<Record<string, PageResponse>>,
  otherwise?: PageResponse,
): Promise<DocSite> {
  const server = await startCountingServer((request, response) => {
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
    pages: () => server.requests.map(({ url }) => url).filter((url) => !DISCOVERY.test(url)),
  };
}

export const redirectTo =
  (location: string): PageResponse =>
  (_, response) =>
    void response.writeHead(302, { location }).end();

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): PageResponse =>
  (_, response) =>
    void response.writeHead(code, headers).end();
