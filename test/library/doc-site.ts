// A small site on loopback, and a library that may reach it.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LibraryOptions } from '../../src/index.ts';

export interface DocSite {
  readonly url: string;
  close(): void;
}

const page = (title: string, text: string, ...links: readonly string[]): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p>${links
    .map((link) => `<p><a href="${link}">${link}</a></p>`)
    .join('')}</main>`;

const PAGES: Readonly<Record<string, string>> = {
  '/docs/': page(
    'Courier',
    'Courier delivers parcels between services, in order and once.',
    '/docs/pool',
    '/docs/retry',
  ),
  '/docs/pool': page(
    'Pool',
    'The pool keeps a connection open for thirty seconds. To set another timeout, pass timeoutMs.',
    '/docs/',
  ),
  '/docs/retry': page('Retries', 'A parcel that is refused is sent again, at most eight times, with growing delays.'),
};

/** `delayMs` before each page, so that a run takes a while. */
export async function createDocSite(delayMs = 0): Promise<DocSite> {
  const server = createServer((request, response) => {
    const body = PAGES[request.url ?? ''];
    setTimeout(() => response.writeHead(body ? 200 : 404, { 'content-type': 'text/html' }).end(body ?? ''), delayMs);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const LOOPBACK: NonNullable<LibraryOptions['settings']> = {
  fetch: { allowCidrs: ['127.0.0.0/8'], allowPorts: ['1024-65535'] },
  crawl: { startDelayMs: 0 },
  parse: { threads: 1 },
};
