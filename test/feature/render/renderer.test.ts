// [F10] The render stage with a real Chromium: what it draws, what it refuses, and what is left of it.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { BROWSER_FLAGS } from '../../../src/render/browser-flags.table.ts';
import type { RenderOutcome, RenderRequest } from '../../../src/render/port.ts';
import { findProcess, readProcessTree } from '../../../src/render/process-tree.ts';
import { startCountingServer, type CountingServer } from '../../support/counting-server.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createTestRenderer, type TestRenderer } from './test-renderer.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const LOREM = 'A page has to have some text before it counts as ready, at least about a line of it. ';

const PAGES: Readonly<Record<string, string>> = {
  '/late': `<div id=app></div><script>setTimeout(() => fetch('/data').then((r) => r.text()).then((t) => { app.innerHTML = '<p>' + t }), 400)</script>`,
  '/shadow': `<x-card><b slot=name>assigned name</b></x-card><script>customElements.define('x-card', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<h2>Inside <slot name=name></slot></h2><p>${LOREM}</p>' } })</script>`,
  '/late-shadow': `<x-late></x-late><script>const root = document.querySelector('x-late').attachShadow({ mode: 'open' }); setTimeout(() => { root.innerHTML = '<y-late></y-late>'; const inner = root.firstChild.attachShadow({ mode: 'open' }); setTimeout(() => { inner.innerHTML = '<p>${LOREM}</p>' }, 600) }, 600)</script>`,
  '/consent': `<div id="onetrust-consent-sdk">We use cookies</div><main><p>${LOREM}</p></main>`,
  '/parts': `<p>${LOREM}</p><img src=/image.png><video src=/video.mp4></video><script>fetch('/post', { method: 'POST' }).catch(() => 0); navigator.sendBeacon('/beacon'); window.open('/popup'); navigator.serviceWorker?.register('/sw.js').catch(() => 0)</script>`,
  '/headers': `<p>${LOREM}</p><script>fetch('/own'); fetch('/away')</script>`,
  '/hang': '<p>x</p><script>for (;;) {}</script>',
  '/alerts': '<p>x</p><script>for (;;) alert(1)</script>',
  '/loop': `<script>location.href = '/loop?' + Math.random()</script>`,
  '/fine': `<p>${LOREM}</p>`,
};

/** Written down a second time, so that none is removed by mistake. */
const FLAGS = [
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-client-side-phishing-detection',
  '--disable-features=AutofillServerCommunication,BackForwardCache,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,GlobalMediaControls,InterestFeedContentSuggestions,MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,OptimizationGuideModelDownloading,Prerender2,SpeculationRulesPrefetchFuture,Translate',
  '--headless',
  '--remote-debugging-pipe',
  '--disable-shared-workers',
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--disable-notifications',
  '--disable-remote-fonts',
  '--mute-audio',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-hang-monitor',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--js-flags=--max-old-space-size=512',
  '--password-store=basic',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-startup-window',
];

let site: CountingServer;
let other: CountingServer;
let renderer: TestRenderer;
let origin: string;

beforeAll(async () => {
  other = await startCountingServer((_, response) => response.setHeader('access-control-allow-origin', '*').end('x'));
  site = await startCountingServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (path === '/away') return void response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end();
    if (path === '/download') response.setHeader('content-disposition', 'attachment; filename=x.zip');
    if (path === '/sw.js') response.setHeader('content-type', 'text/javascript');
    else response.setHeader('content-type', 'text/html');
    if (path === '/data') return void response.end(LOREM);
    const html = PAGES[path];
    if (html === undefined && path !== '/download') return void response.writeHead(404).end('missing');
    response.end(`<!doctype html><title>${path}</title>${html ?? 'x'}`);
  });
  origin = `http://127.0.0.1:${site.port}`;
  renderer = createTestRenderer({
    limits: {
      timeoutMs: 8000,
      pageIdleMs: 200,
      readyTimeoutMs: 5000,
      maxPageBytes: 5_000_000,
      maxBodyBytes: 1_000_000,
    },
  });
});
afterAll(async () => {
  await renderer.close();
  await Promise.all([site.close(), other.close()]);
});

async function draw(path: string, more: Partial<RenderRequest> = {}): Promise<RenderOutcome> {
  return renderer.render({ url: `${origin}${path}` as never, source: 'test', ...more });
}

async function drawn(
  path: string,
  more: Partial<RenderRequest> = {},
): Promise<Extract<RenderOutcome, { kind: 'rendered' }>> {
  const outcome = await draw(path, more);
  if (outcome.kind !== 'rendered') throw new Error(`${outcome.code}: ${outcome.reason}`);
  return outcome;
}

const requested = (from: CountingServer): string[] => from.requests.map(({ url }) => url.split('?')[0] ?? '');

describe('a page', () => {
  test('is ready when its scripts have loaded and drawn what they need', async () => {
    const page = await drawn('/late');
    expect(page.html).toContain(`<p>${LOREM.trim()}`);
    expect(page).toMatchObject({ status: 200, readiness: 'quiet', url: `${origin}/late` });
    expect(page.html).not.toContain('<script');
  });

  test('has the text of open shadow roots, with what is assigned to their slots', async () => {
    const { html } = await drawn('/shadow');
    expect(html).toMatch(/<x-card><h2>Inside <b[^>]*>assigned name<\/b><\/h2>/);
  });

  test('is not ready before its shadow roots have their text', async () => {
    expect((await drawn('/late-shadow')).html).toContain(LOREM.trim());
  });

  test('has no consent overlay', async () => {
    const { html } = await drawn('/consent');
    expect(html).not.toContain('We use cookies');
    expect(html).toContain('at least about a line');
  });

  test('makes no request for images or media, sends nothing, opens no window and no service worker', async () => {
    await drawn('/parts');
    const refused = ['/image.png', '/video.mp4', '/post', '/beacon', '/popup', '/sw.js', '/favicon.ico'];
    expect(requested(site).filter((path) => refused.includes(path))).toEqual([]);
    expect(requested(site)).toContain('/parts');
  });

  test('sends the headers of its source to its origin only, not along a redirect', async () => {
    await drawn('/headers', { headers: { 'x-secret': 'sesame' } });
    const sent = site.requests.filter(({ headers }) => headers['x-secret'] === 'sesame').map(({ url }) => url);
    expect(sent).toEqual(expect.arrayContaining(['/headers', '/own', '/away']));
    expect(other.requests.length).toBeGreaterThan(0);
    expect(other.requests.map(({ headers }) => headers['x-secret'])).not.toContain('sesame');
    expect([...site.requests, ...other.requests].some(({ headers }) => 'proxy-authorization' in headers)).toBe(false);
  });

  test('asks before each request for data, and a refused one is not made', async () => {
    const called: string[] = [];
    await draw('/late', { mayRequest: async (url) => called.push(url) > 100 });
    expect(called).toEqual([`${origin}/data`]);
  });

  test('that never ends fails at the time limit', async () => {
    const limits = { timeoutMs: 2500, pageIdleMs: 100, readyTimeoutMs: 1000, maxPageBytes: 1000, maxBodyBytes: 1000 };
    const hasty = createTestRenderer({ limits });
    for (const path of ['/hang', '/alerts']) {
      const outcome = await hasty.render({ url: `${origin}${path}` as never, source: 'x' });
      expect(outcome).toMatchObject({ kind: 'failed', code: 'render.timeout', retryable: false });
    }
    await hasty.close();
  });

  test.each([
    ['/loop', 'render.failed'],
    ['/download', 'render.failed'],
  ])('%s fails alone, with %s', async (path, code) => {
    const [bad, good] = await Promise.all([draw(path), draw('/fine', { source: 'another' })]);
    expect(bad).toMatchObject({ kind: 'failed', code });
    expect(good).toMatchObject({ kind: 'rendered' });
  });

  test('on an address that the guard refuses is blocked, and nothing is connected', async () => {
    const before = renderer.dialled.length;
    for (const url of [
      'http://10.0.0.5/',
      'https://169.254.169.254/',
      'http://[::1]:8080/',
      'https://metadata.google.internal/',
    ]) {
      const outcome = await renderer.render({ url: url as never, source: 'blocked' });
      expect(outcome, url).toMatchObject({ kind: 'failed', code: 'fetch.blocked-address', retryable: false });
    }
    expect(renderer.dialled.length).toBe(before);
  });
});

describe('a browser', () => {
  /** The process of the renderer's browser, by the port of its proxy. */
  const browserPid = (): number | null =>
    findProcess(`--proxy-server=http://127.0.0.1:${renderer.proxies.at(-1)?.port}`);

  test('runs with every flag of the table, and with the whole table', async () => {
    await drawn('/fine');
    const pid = browserPid();
    const provided = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    expect(BROWSER_FLAGS.filter(({ flag }) => !provided.includes(flag))).toEqual([]);
    expect(BROWSER_FLAGS.map(({ flag }) => flag)).toEqual(FLAGS);
  });

  test('that is killed costs no page', async () => {
    await drawn('/fine');
    const pid = browserPid();
    const before = requested(site).length;
    const drawing = drawn('/late');
    await waitUntil('the page is requested', () => requested(site).length > before);
    process.kill(pid!, 'SIGKILL');
    expect((await drawing).html).toContain('at least about a line');
  });

  test.each([0, 60, 120, 200])('that is killed %i ms after it was asked costs no page', async (delayMs) => {
    await drawn('/fine');
    const pid = browserPid();
    const drawing = drawn('/fine');
    await wait(delayMs);
    process.kill(pid!, 'SIGKILL');
    expect((await drawing).html).toContain('at least about a line');
  });

  test('is closed when nobody has used it for a while, and so is its proxy', async () => {
    const idle = createTestRenderer({ idleMs: 300 });
    expect(await idle.render({ url: `${origin}/fine` as never, source: 'idle' })).toMatchObject({ kind: 'rendered' });
    const pid = findProcess(`--proxy-server=http://127.0.0.1:${idle.proxies[0]?.port}`);
    expect(pid).not.toBeNull();
    const tree = readProcessTree(pid!).map((one) => one.pid);
    await waitUntil('every process has ended', () => tree.every((one) => !existsSync(`/proc/${one}`)));
    expect(await idle.render({ url: `${origin}/fine` as never, source: 'idle' })).toMatchObject({ kind: 'rendered' });
    expect(idle.proxies).toHaveLength(2);
    await idle.close();
  });

  test('ends with its parent, even if that is killed while a page hangs', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'render-and-hang.ts'), `${origin}/hang`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const port = await new Promise<string>((resolve) =>
      child.stdout.once('data', (text) => resolve(String(text).trim())),
    );
    const argument = `--proxy-server=http://127.0.0.1:${port}`;
    const before = requested(site).length;
    await waitUntil('the page is requested', () => requested(site).length > before);
    const tree = readProcessTree(findProcess(argument)!).map((one) => one.pid);
    expect(tree.length).toBeGreaterThan(2);
    child.kill('SIGKILL');
    await waitUntil('every process has ended', () => tree.every((pid) => !existsSync(`/proc/${pid}`)));
  });

  test('that is not there is reported, and so is one that cannot be started', async () => {
    for (const executable of ['no-such-browser', join(tmpdir(), 'nothing-here'), '/bin/false']) {
      const missing = createTestRenderer({ executable });
      const outcome = await missing.render({ url: `${origin}/fine` as never, source: 'x' });
      expect(outcome).toMatchObject({ kind: 'failed', code: 'render.unavailable' });
      await missing.close();
    }
  });
});
