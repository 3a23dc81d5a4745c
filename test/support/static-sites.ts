// Sites of a few fixed pages on loopback, and settings of a library that may reach them.

import type { LibraryOptions } from '../../src/index.ts';
import { startDocSite, type DocSite } from './scripted-site.ts';

export interface StaticSite {
  /** Start URL of a crawl. */
  readonly url: string;
  close(): Promise<void>;
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
export async function createDocSite(delayMs = 0): Promise<StaticSite> {
  const { origin, close } = await startDocSite(PAGES, undefined, { delayMs });
  return { url: `${origin}/docs/`, close };
}

const QUICK_START: Readonly<Record<string, readonly [title: string, body: string]>> = {
  '/': [
    'Courier',
    '<p>Courier sends requests and waits for their responses.</p><ul><li><a href="/timeouts">Timeouts</a></li><li><a href="/retries">Retries</a></li><li><a href="/proxies">Proxies</a></li><li><a href="/errors">Errors</a></li></ul>',
  ],
  '/timeouts': [
    'Timeouts',
    '<p>A request without a response times out after thirty seconds.</p><h2 id="set">Set a timeout</h2><p>Pass <code>timeoutMs</code> to one request, or to the client for all of them.</p><pre><code>courier.get(url, { timeoutMs: 5000 });</code></pre>',
  ],
  '/retries': [
    'Retries',
    '<p>A failed request is sent again, at most three times.</p><h2 id="wait">How long it waits</h2><p>The wait doubles each time, with random jitter.</p>',
  ],
  '/proxies': ['Proxies', '<p>Courier obeys <code>HTTPS_PROXY</code> and <code>NO_PROXY</code>.</p>'],
  '/errors': ['Errors', '<p>Every failure is a <code>CourierError</code> with a code that never changes.</p>'],
};

/** A crawl may use only these ports by default. */
const FIRST_PORT = 8431;
const LAST_PORT = 8999;

/** The site of the quick start. */
export async function serveQuickStartSite(): Promise<DocSite> {
  const html = Object.entries(QUICK_START).map(([path, [title, body]]) => [
    path,
    `<!doctype html><title>${title}</title><main><h1>${title}</h1>${body}</main>`,
  ]);
  const ports = Array.from({ length: LAST_PORT - FIRST_PORT + 1 }, (_, nth) => FIRST_PORT + nth);
  return startDocSite(Object.fromEntries(html), undefined, { ports });
}

export const LOOPBACK: NonNullable<LibraryOptions['settings']> = {
  fetch: { allowCidrs: ['127.0.0.0/8'], allowPorts: ['1024-65535'] },
  crawl: { startDelayMs: 0 },
  parse: { threads: 1 },
};
