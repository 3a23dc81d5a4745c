// [F10] Browsers elsewhere: over the DevTools Protocol behind a proxy of ours, and as a Crawl4AI server.

import { createSocket } from 'node:dgram';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkRendering } from '../../../src/compose/check-rendering.ts';
import { openRendering, type RenderingContext } from '../../../src/compose/rendering.ts';
import type { Renderer, RenderOutcome } from '../../../src/render/port.ts';
import { configFromProgram } from '../../../src/platform/config/load-config.ts';
import type { ConfigValues } from '../../../src/platform/config/schema.ts';
import { createLog } from '../../../src/platform/log.ts';
import { startCountingServer, type CountingServer } from '../../support/counting-server.ts';
import { startCrawl4AiServer } from '../../support/crawl4ai-server.ts';
import { createCrawler } from '../../support/crawl.ts';
import { openTestPostgres, openTestSqlite } from '../../support/stores.ts';
import { startRemoteBrowser, type RemoteBrowser } from './remote-browser.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const LOREM = 'A page has to have some text before it counts as ready, at least about a line of it. ';
const log = createLog({ level: 'silent', now: () => new Date(), write: () => undefined });

const closing: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one.close();
});

type RenderValues = NonNullable<ConfigValues['render']>;

/** Names that resolve to this machine may be reached, its addresses may not. */
function contextOf(render: RenderValues): RenderingContext {
  const fetch = { allowHosts: ['localhost'], allowPorts: ['1024-65535'] };
  return { log, config: configFromProgram({ fetch, render: { pageIdleMs: 100, ...render } }, tmpdir()).config };
}

function open(render: RenderValues): Renderer {
  const rendering = openRendering(contextOf(render));
  if (rendering === null) throw new Error('nothing renders');
  closing.push(rendering.renderer);
  return rendering.renderer;
}

const draw = (renderer: Renderer, url: string, source = 'x'): Promise<RenderOutcome> =>
  renderer.render({ url: url as never, source });

describe('a browser at an endpoint', () => {
  let browser: RemoteBrowser;
  let site: CountingServer;
  let sentinel: CountingServer;
  /** Free ports for our proxies. */
  let proxyListen: string;
  beforeAll(async () => {
    browser = await startRemoteBrowser();
    sentinel = await startCountingServer((_, response) => response.end('secret'));
    site = await startCountingServer((_, response) => {
      const away = `127.0.0.1:${sentinel.port}`;
      const html = `<div id=app></div><script>
        app.innerHTML = '<p>${LOREM}' + (typeof RTCPeerConnection);
        fetch('http://${away}/').catch(() => 0); new WebSocket('ws://${away}/'); new Image().src = 'http://${away}/';
        const frame = document.createElement('iframe'); document.body.append(frame);
        try { const peer = new frame.contentWindow.RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:' + location.search.slice(1) }] });
          peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer)); } catch {}
      </script>`;
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>x</title>${html}`);
    });
    const free = await startCountingServer(() => undefined);
    const first = Math.min(free.port, 65_500);
    proxyListen = `127.0.0.1:${first}-${first + 20}`;
    await free.close();
  });
  afterAll(async () => {
    await Promise.all([site.close(), sentinel.close()]);
    await browser.close();
  });

  test('renders through a proxy of ours, and reaches nothing past it', async () => {
    const udp = createSocket('udp4');
    let packets = 0;
    udp.on('message', () => (packets += 1));
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    const renderer = open({ endpoint: browser.endpoint, proxyListen });
    const outcome = await draw(renderer, `http://localhost:${site.port}/?${udp.address().port}`);
    expect(outcome).toMatchObject({ kind: 'rendered', renderedBy: expect.stringMatching(/^chromium \d/) });
    const { html, refusals } = outcome as Extract<RenderOutcome, { kind: 'rendered' }>;
    expect(html).toContain(`${LOREM}undefined`);
    expect(refusals).toContainEqual({ host: '127.0.0.1', port: sentinel.port, rule: 'loopback' });
    expect(sentinel.connections()).toBe(0);
    expect(packets).toBe(0);
    udp.close();
  });

  test('serves two processes, each with a proxy on a port of its own', async () => {
    const both = [open({ endpoint: browser.endpoint, proxyListen }), open({ endpoint: browser.endpoint, proxyListen })];
    for (const renderer of both)
      expect(await draw(renderer, `http://localhost:${site.port}/`)).toMatchObject({ kind: 'rendered' });
  });

  test('without a port for the proxy is unavailable, and tried again', async () => {
    const taken = `127.0.0.1:${sentinel.port}`;
    const renderer = open({ endpoint: browser.endpoint, proxyListen: taken });
    for (let nth = 0; nth < 2; nth += 1)
      expect(await draw(renderer, `http://localhost:${site.port}/`)).toMatchObject({
        code: 'render.unavailable',
        reason: expect.stringContaining('EADDRINUSE'),
      });
  });

  test('is checked by doctor: behind the guard, guarded by others, out of reach', async () => {
    const { endpoint } = browser;
    expect(await checkRendering(contextOf({ endpoint, proxyListen }))).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('behind the address guard'),
    });
    expect(await checkRendering(contextOf({ endpoint, guard: 'external' }))).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('not guarded by Pinakes'),
      hint: expect.stringContaining('does not pass the address guard'),
    });
    const nowhere = contextOf({ endpoint: `http://127.0.0.1:${sentinel.port}/`, proxyListen });
    expect(await checkRendering(nowhere)).toMatchObject({ state: 'failed' });
  });

  test('is used without a proxy only if its operator says so', () => {
    const { endpoint } = browser;
    expect(() => contextOf({ endpoint })).toThrow('needs render.proxyListen');
    expect(() => contextOf({ endpoint, proxyListen, browser: 'chromium' })).toThrow('only one of');
  });
});

describe('a Crawl4AI server', () => {
  test('renders pages whose address the guard admits, and is handed no others', async () => {
    const server = await startCrawl4AiServer({ resultFor: () => ({ html: `<!doctype html><p>${LOREM}` }) });
    closing.push(server);
    const renderer = open({ crawl4ai: server.url });
    expect(await draw(renderer, 'http://localhost:4321/#/guide')).toMatchObject({
      kind: 'rendered',
      html: expect.stringContaining(LOREM),
      renderedBy: 'crawl4ai',
      status: 200,
    });
    for (const url of [
      'http://169.254.169.254/',
      'http://10.0.0.5/',
      'http://[::1]/',
      'http://metadata.google.internal/',
    ])
      expect(await draw(renderer, url)).toMatchObject({ code: 'fetch.blocked-address', retryable: false });
    expect(server.crawls.map(({ url }) => url)).toEqual(['http://localhost:4321/#/guide']);
    expect(await checkRendering(contextOf({ crawl4ai: server.url }))).toMatchObject({
      state: 'ok',
      hint: expect.stringContaining('only its own address'),
    });
  });

  test.each([
    ['sqlite', openTestSqlite],
    ['postgres', openTestPostgres],
  ])('that sends Markdown alone renders a crawl, and names the links to follow (%s)', async (_, openStore) => {
    const shell = '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>';
    const site = await startCountingServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(shell),
    );
    const origin = `http://localhost:${site.port}`;
    const server = await startCrawl4AiServer({
      resultFor: (url) => ({
        html: '',
        markdown: `# Page ${new URL(url).pathname}\n\n${LOREM.repeat(5)}`,
        links: { internal: [{ href: '/docs/pool' }, '/docs/retry'], external: [] },
      }),
    });
    const renderer = open({ crawl4ai: server.url });
    const fetchOptions = { allowHosts: ['localhost'], allowPorts: ['1024-65535'] };
    const crawler = await createCrawler({
      open: openStore,
      rendering: { mode: 'auto', renderer },
      fetch: fetchOptions,
    });
    closing.push(site, server, crawler);
    expect(await crawler.crawl(`${origin}/docs/`, { preset: 'basic' })).toMatchObject({ state: 'completed' });
    expect(await crawler.stored()).toEqual(['', 'pool', 'retry'].map((name) => `${origin}/docs/${name}`));
    const [source] = await crawler.store.sources.list();
    const stored = await crawler.store.pages.get(source!.versions[0]!.id, `${origin}/docs/pool` as never);
    expect(stored).toMatchObject({ title: 'Page /docs/pool', mediaType: expect.stringContaining('text/markdown') });
  });

  test('that fails, hangs or is gone is an outcome', async () => {
    const server = await startCrawl4AiServer({ resultFor: () => ({ html: '' }) });
    server.results.set('http://localhost:4321/', { html: '', markdown: '' });
    const renderer = open({ crawl4ai: server.url, timeoutMs: 500 });
    const url = 'http://localhost:4321/';
    expect(await draw(renderer, url)).toMatchObject({
      code: 'render.failed',
    });
    server.results.set(url, { success: false, error_message: 'net::ERR_ABORTED' });
    expect(await draw(renderer, url)).toMatchObject({ code: 'render.failed', reason: 'net::ERR_ABORTED' });
    server.faults.push('silent');
    expect(await draw(renderer, url)).toMatchObject({ kind: 'failed', retryable: false, code: 'render.timeout' });
    await server.close();
    expect(await draw(renderer, url)).toMatchObject({ code: 'render.unavailable' });
    expect(await checkRendering(contextOf({ crawl4ai: server.url }))).toMatchObject({ state: 'failed' });
  });
});
