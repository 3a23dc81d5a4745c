// Renders the pages of a list of attempts in a real browser, and says of each what it reached.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { startCountingServer } from '../../support/counting-server.ts';
import type { PageAttempt } from './page-attempts.table.ts';
import { createTestRenderer, type TestRendererOptions } from './test-renderer.ts';

const TEXT = 'A gauge shows one value as it is now, and a page has some text before it is ready. '.repeat(6);
const BLOCKED = '127.0.0.2';
/** Also in the files that a page must not read, and of what it must not leave behind. */
const PLANTED = /root:x:|GRANTED|planted=1/;

export interface AttemptResult {
  readonly id: string;
  readonly outcome: 'rendered' | 'failed';
  readonly hasText: boolean;
  /** What it must not have: addresses that it reached, requests that change something, text that was planted, files. */
  readonly broken: readonly string[];
  readonly ms: number;
}

export async function runAttempts(
  attempts: readonly PageAttempt[],
  options: TestRendererOptions = {},
): Promise<readonly AttemptResult[]> {
  let current: PageAttempt | undefined;
  const fill = (part: string): string =>
    part
      .replaceAll('VICTIM_PORT', String(victim.port))
      .replaceAll('VICTIM', `http://${BLOCKED}:${victim.port}`)
      .replaceAll('UDP', `${BLOCKED}:${udp.address().port}`)
      .replaceAll('OWN', own);
  const victim = await startCountingServer((_, response) => void response.end('root:x:'), BLOCKED);
  const udp = createSocket('udp4');
  let packets = 0;
  udp.on('message', () => (packets += 1));
  udp.bind(0, BLOCKED);
  await once(udp, 'listening');
  const site = await startCountingServer((request, response) => {
    if (request.url === '/redirect') return void response.writeHead(302, { location: fill('VICTIM/redirected') }).end();
    if (request.url === '/download')
      return void response.writeHead(200, { 'content-disposition': 'attachment; filename=planted.sh' }).end('planted');
    if (request.url === '/sw.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(
        fill(`addEventListener('install', () => { fetch('VICTIM/sw', { mode: 'no-cors' }); skipWaiting() });
          addEventListener('activate', (event) => event.waitUntil(clients.claim()));
          addEventListener('fetch', (event) => event.respondWith(new Response('<p>planted=1</p>', { headers: { 'content-type': 'text/html' } })))`),
      );
    if (request.url?.startsWith('/docs/') !== true) return void response.writeHead(404).end();
    const headers = Object.entries(current?.headers ?? {}).map(([name, value]) => [name, fill(value)] as const);
    response.writeHead(200, { 'content-type': 'text/html', ...Object.fromEntries(headers) })
      .end(`<!doctype html><title>Gauges</title><div id="app"></div><script>
        app.innerHTML = '<main><h1>Gauges</h1><p>${TEXT}</p></main>';
        if (document.cookie.includes('planted') || localStorage.getItem('planted') !== null) app.append('planted=1 is still there');
        ${fill(current?.script ?? '')}
      </script>${fill(current?.html ?? '')}`);
  });
  const own = `http://127.0.0.1:${site.port}`;
  let resolved = 0;
  const renderer = createTestRenderer({
    limits: { timeoutMs: 30_000, readyTimeoutMs: 5000, maxRequests: 60 },
    dial: {
      allowCidrs: ['127.0.0.1/32'],
      resolve: async () => [(resolved += 1) === 1 ? '127.0.0.1' : BLOCKED],
    },
    ...options,
  });
  const results: AttemptResult[] = [];
  try {
    for (const [nth, attempt] of attempts.entries()) {
      current = attempt;
      const startedAt = performance.now();
      const before = { connections: victim.connections(), requests: site.requests.length, packets, files: downloads() };
      const page = { url: pageUrl(`${own}/docs/${nth}`), source: `source-${nth}` };
      const outcome = await renderer.render(page, AbortSignal.timeout(120_000));
      const html = outcome.kind === 'rendered' ? outcome.html : '';
      const forbidden = site.requests.slice(before.requests).filter(({ url }) => url.startsWith('/forbidden/'));
      results.push({
        id: attempt.id,
        outcome: outcome.kind,
        hasText: html.includes(TEXT.trim()),
        broken: [
          ...(victim.connections() > before.connections ? ['it connected to a blocked address'] : []),
          ...(packets > before.packets ? ['it sent packets'] : []),
          ...forbidden.map(({ url }) => `it requested ${url}`),
          ...(PLANTED.test(html) ? ['its document has what it must not have'] : []),
          ...(downloads() > before.files ? ['it left a file'] : []),
        ],
        ms: Math.round(performance.now() - startedAt),
      });
    }
    return results;
  } finally {
    await renderer.close();
    await site.close();
    await victim.close();
    udp.close();
  }
}

/** Where a browser puts what is downloaded. */
function downloads(): number {
  return [process.cwd(), homedir(), join(homedir(), 'Downloads')].reduce(
    (count, folder) => count + namesIn(folder).filter((name) => name.startsWith('planted')).length,
    0,
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
