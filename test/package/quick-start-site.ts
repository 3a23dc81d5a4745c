// The site of the quick start: five short, fixed pages on loopback.

import { createServer, type Server } from 'node:http';
import { once } from 'node:events';

const PAGES: Readonly<Record<string, readonly [title: string, body: string]>> = {
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

export async function serveQuickStartSite(): Promise<{ server: Server; port: number }> {
  for (let port = FIRST_PORT; port <= LAST_PORT; port += 1) {
    const server = createServer((request, response) => {
      const page = PAGES[request.url ?? ''];
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
      const [title, body] = page ?? ['Not found', ''];
      response.end(`<!doctype html><title>${title}</title><main><h1>${title}</h1>${body}</main>`);
    });
    const isInUse = new Promise<boolean>((resolve) => server.once('error', () => resolve(true)));
    server.listen(port, '127.0.0.1');
    if (!(await Promise.race([isInUse, once(server, 'listening').then(() => false)]))) return { server, port };
  }
  throw new Error('every port is in use');
}
