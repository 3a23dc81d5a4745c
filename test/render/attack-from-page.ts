// A page that tries to reach the addresses of test/cases/ssrf-urls.json in every way that a page has. Requests are not judged
// here, and pop-ups apart nothing is refused by the browser: only its proxy stands between the page and the network.

import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import type { CDPSession, Page } from 'playwright-core';
import { createGuardedDial } from '../../src/fetch/http/guarded-dial.ts';
import { openForwardProxy } from '../../src/fetch/http/forward-proxy.ts';
import { launchBrowser } from '../../src/render/launch-browser.ts';
import { createLog } from '../../src/platform/log.ts';
import { startCountingServer } from '../support/counting-server.ts';
import { readCases } from '../support/read-cases.ts';
import { PUBLIC } from '../fetch/guarded-fetch.ts';
import { CHROMIUM } from './test-renderer.ts';

/** What a page runs for each URL; `url` is in scope. */
export const MECHANISMS: Readonly<Record<string, string>> = {
  fetch: `fetch(url, { mode: 'no-cors' }).catch(() => 0)`,
  post: `fetch(url, { mode: 'no-cors', method: 'POST', body: 'x' }).catch(() => 0)`,
  image: `new Image().src = url`,
  iframe: `const frame = document.createElement('iframe'); frame.src = url; document.body.append(frame)`,
  websocket: `try { new WebSocket(url.replace(/^http/, 'ws')) } catch {}`,
  eventsource: `try { new EventSource(url) } catch {}`,
  beacon: `try { navigator.sendBeacon(url, 'x') } catch {}`,
  preload: `for (const rel of ['preload', 'prefetch', 'preconnect', 'dns-prefetch', 'modulepreload']) { const link = document.createElement('link'); link.rel = rel; link.as = 'script'; link.href = url; document.head.append(link) }`,
  form: `const target = document.createElement('iframe'); target.name = 'f' + Math.random(); document.body.append(target); const form = document.createElement('form'); form.method = 'post'; form.target = target.name; form.action = url; document.body.append(form); form.submit()`,
  window: `window.open(url)`,
  worker: `new Worker(URL.createObjectURL(new Blob(['fetch(' + JSON.stringify(url) + ', { mode: "no-cors" }).catch(() => 0); try { importScripts(' + JSON.stringify(url) + ') } catch {}'])))`,
};

export interface AttackResult {
  /** Addresses that the proxy connected to, of what must stay blocked. */
  readonly reached: readonly string[];
  /** Connections to a server on loopback, and packets to a port there. */
  readonly sentinelConnections: number;
  readonly sentinelPackets: number;
  /** Hosts that the guard refused. */
  readonly refused: number;
  /** Addresses of allowed URLs that were connected to. */
  readonly allowed: number;
}

interface LiteralCase {
  readonly url: string;
  readonly expect: 'allow' | 'block' | 'reject_parse';
  readonly whatwg: { readonly host?: string };
}

const { literal } = readCases('ssrf-urls') as { literal: LiteralCase[] };

/** Names of allowed cases resolve to a public address; of the others, to loopback. */
const addressOf = new Map(
  literal.flatMap(({ whatwg, expect }) =>
    whatwg.host === undefined ? [] : [[whatwg.host, expect === 'allow' ? PUBLIC : '127.0.0.1'] as const],
  ),
);

const allowedHosts = new Set(literal.filter((one) => one.expect === 'allow').map(({ whatwg }) => whatwg.host ?? ''));

/** `step`: every so many cases. */
export async function attackFromPage(mechanisms: readonly string[], step: number): Promise<AttackResult> {
  const site = await startCountingServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>x</title><body>x'),
  );
  const sentinel = await startCountingServer((_, response) => response.end('secret'));
  const udp = createSocket('udp4');
  let packets = 0;
  udp.on('message', () => (packets += 1));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const dialled: string[] = [];
  const dial = createGuardedDial({
    allowCidrs: [],
    dnsTimeoutMs: 2000,
    connectTimeoutMs: 2000,
    async resolve(name) {
      if (name === 'attack.test') return [PUBLIC];
      const address = addressOf.get(name);
      if (address === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
      return [address];
    },
    open(address) {
      dialled.push(address);
      return connect({ host: '127.0.0.1', port: site.port });
    },
  });
  const proxy = await openForwardProxy({ dial, maxConnections: 1000, idleTimeoutMs: 20_000, maxConnectionMs: 60_000 });
  const session = proxy.openSession();
  const log = createLog({ level: 'silent', now: () => new Date(), write: () => undefined });
  const launched = await launchBrowser({ executable: CHROMIUM, proxy, log });
  try {
    const page = await launched.browser.newPage();
    await answerProxy(await page.context().newCDPSession(page), session);
    const port = sentinel.port;
    const urls = literal.filter((one, nth) => one.expect !== 'reject_parse' && nth % step === 0).map(({ url }) => url);
    const forms = ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '127.1', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]'];
    const targets = [...urls, ...forms.map((host) => `http://${host}:${port}/`)];
    await sendUdp(page, udp.address().port);
    for (const mechanism of mechanisms) await runInPage(page, MECHANISMS[mechanism] ?? '', targets);
    const isAllowed = (address: string): boolean =>
      address === PUBLIC || allowedHosts.has(address) || allowedHosts.has(`[${address}]`);
    return {
      reached: dialled.filter((address) => !isAllowed(address)),
      sentinelConnections: sentinel.connections(),
      sentinelPackets: packets,
      refused: session.refusals().length,
      allowed: dialled.filter(isAllowed).length,
    };
  } finally {
    await launched.kill();
    await proxy.close();
    udp.close();
    await Promise.all([site.close(), sentinel.close()]);
  }
}

/** Lets every request pass, with the password of the proxy. */
async function answerProxy(
  cdp: CDPSession,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<void> {
  cdp.on('Fetch.requestPaused', ({ requestId }) => {
    cdp.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
  });
  cdp.on('Fetch.authRequired', ({ requestId }) => {
    const authChallengeResponse = { response: 'ProvideCredentials', username, password } as const;
    cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined);
  });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }], handleAuthRequests: true });
}

const SETTLE_MS = 2000;

async function runInPage(page: Page, code: string, urls: readonly string[]): Promise<void> {
  await page.goto('http://attack.test/', { waitUntil: 'domcontentloaded' });
  await page.evaluate(`for (const url of ${JSON.stringify(urls)}) { try { ${code} } catch {} }`);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

async function sendUdp(page: Page, port: number): Promise<void> {
  await page.goto('http://attack.test/', { waitUntil: 'domcontentloaded' });
  await page.evaluate(`(async () => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] });
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
  })()`);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}
