// A page that tries to reach what it must not, in every way that a page has. Requests are not judged here, and pop-ups apart
// nothing is refused by the browser: only its proxy stands between the page and the network.

import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { unbracketHost } from '../../../src/core/ssrf/ssrf-verdict.ts';
import { openForwardProxy } from '../../../src/fetch/http/forward-proxy.ts';
import { createGuardedDial, type GuardedDial } from '../../../src/fetch/http/guarded-dial.ts';
import type { ProxySession } from '../../../src/fetch/http/proxy-session.ts';
import { proxySettings } from '../../../src/fetch/http/proxy-settings.ts';
import { launchBrowser } from '../../../src/render/launch-browser.ts';
import { createLog } from '../../../src/platform/log.ts';
import { PUBLIC } from '../../support/guarded-fetch.ts';
import { ATTACKER, attackCases, createCaseResolver, isAllowedAddress, type AttackCase } from './attack-cases.ts';
import type { AttackNetwork } from './attack-network.ts';
import { CHROMIUM } from './test-renderer.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

/** What a page runs for each URL; `url` is in scope. */
export const MECHANISMS: Readonly<Record<string, string>> = {
  fetch: `fetch(url, { mode: 'no-cors' }).catch(() => 0)`,
  post: `fetch(url, { mode: 'no-cors', method: 'POST', body: 'x' }).catch(() => 0)`,
  image: `new Image().src = url`,
  iframe: `const frame = document.createElement('iframe'); frame.src = url; document.body.append(frame)`,
  websocket: `new WebSocket(url.replace(/^http/, 'ws'))`,
  eventsource: `new EventSource(url)`,
  beacon: `navigator.sendBeacon(url, 'x')`,
  preload: `for (const rel of ['preload', 'prefetch', 'preconnect', 'dns-prefetch', 'modulepreload']) { const link = document.createElement('link'); link.rel = rel; link.as = 'script'; link.href = url; document.head.append(link) }`,
  form: `const target = document.createElement('iframe'); target.name = 'f' + Math.random(); document.body.append(target); const form = document.createElement('form'); form.method = 'post'; form.target = target.name; form.action = url; document.body.append(form); form.submit()`,
  window: `window.open(url)`,
  worker: `new Worker(URL.createObjectURL(new Blob(['fetch(' + JSON.stringify(url) + ', { mode: "no-cors" }).catch(() => 0); try { importScripts(' + JSON.stringify(url) + ') } catch {}'])))`,
  'service-worker': `navigator.serviceWorker.controller.postMessage([url])`,
  // One at a time: the page is gone afterwards.
  navigation: `location.href = url`,
};

export interface AttackResult {
  readonly cases: number;
  /** Hosts that the proxy was asked for, and how many of them the guard refused. */
  readonly requested: number;
  readonly refused: number;
  /** Addresses that were connected to and must not be. */
  readonly reached: readonly string[];
  /** Packets to ports of UDP. */
  readonly packets: number;
  /** Cases that have to arrive and did not. */
  readonly missing: readonly string[];
}

export interface AttackOptions {
  readonly network: AttackNetwork;
  readonly mechanisms: readonly string[];
  /** Every so many cases. */
  readonly step?: number;
  readonly cases?: readonly AttackCase[];
  /** Removed from the command line of the browser, to see that it matters. */
  readonly withoutFlag?: string;
  readonly allowCidrs?: readonly string[];
  /** URL of a proxy of the operator. No name can be resolved then but that of the page. */
  readonly operatorProxy?: string;
}

export async function attackFromPage(options: AttackOptions): Promise<Readonly<Record<string, AttackResult>>> {
  const { network, mechanisms, step = 1 } = options;
  const watched = watchDial(options);
  const proxy = await openForwardProxy({
    dial: watched.dial,
    maxConnections: 1000,
    idleTimeoutMs: 20_000,
    maxConnectionMs: 60_000,
  });
  const session = proxy.openSession();
  session.start({ maxReceivedBytes: Infinity, maxSentBytes: Infinity, maxRequests: Infinity });
  const log = createLog({ level: 'silent', now: () => new Date(), write: () => undefined });
  const folder = temporaryDirectory();
  const executable = writeExecutable(folder, options.withoutFlag);
  const launched = await launchBrowser({ executable, proxy, sandbox: 'off', log });
  try {
    const page = await launched.browser.newPage();
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
    await answerProxy(await page.context().newCDPSession(page), session);
    const all = options.cases ?? attackCases(network.sentinelPort);
    const cases = all.filter((_, nth) => nth % step === 0);
    // All of them, so that it is the guard which decides.
    for (const { url } of cases) admit(session, url);
    const results: Record<string, AttackResult> = {};
    await sendUdp(page, network.udpPort, watched);
    for (const mechanism of mechanisms) {
      watched.reset();
      const connectedBefore = network.connected.length;
      await attack(page, mechanism, cases, watched);
      const reached = network.connected.slice(connectedBefore).filter((address) => !isAllowedAddress(address));
      results[mechanism] = {
        cases: cases.length,
        requested: watched.requested.size,
        refused: watched.requested.size - watched.connected.size,
        reached: [...new Set(reached)],
        packets: network.packets(),
        missing: missing(cases, watched).map(({ id }) => id),
      };
    }
    return results;
  } finally {
    await launched.kill();
    await proxy.close();
    rmSync(folder, { recursive: true });
  }
}

interface WatchedDial {
  readonly dial: GuardedDial;
  /** `host:port` of what the browser asked for, and of what was connected. */
  readonly requested: Set<string>;
  readonly connected: Set<string>;
  /** Since the browser asked for something. */
  readonly idleMs: () => number;
  reset(): void;
}

function watchDial({ network, allowCidrs = [], operatorProxy }: AttackOptions): WatchedDial {
  const requested = new Set<string>();
  const connected = new Set<string>();
  let requestedAt = performance.now();
  const onlyAttacker = async (name: string): Promise<readonly string[]> => {
    if (name === ATTACKER) return [PUBLIC];
    throw Object.assign(new Error(name), { code: 'EAI_AGAIN' });
  };
  const openDial = () =>
    createGuardedDial({
      allowCidrs,
      // So that it is the address which decides.
      allowPorts: [80, 443, 8080, 8443, network.sentinelPort],
      dnsTimeoutMs: 500,
      connectTimeoutMs: 2000,
      resolve: operatorProxy === undefined ? createCaseResolver() : onlyAttacker,
      ...(operatorProxy === undefined ? {} : { proxies: proxySettings({ https_proxy: operatorProxy }) }),
      ...(network.open === undefined ? {} : { open: network.open }),
    });
  let guarded = openDial();
  return {
    requested,
    connected,
    idleMs: () => performance.now() - requestedAt,
    async dial(target) {
      const key = `${target.host}:${target.port}`;
      requested.add(key);
      requestedAt = performance.now();
      const socket = await guarded(target);
      connected.add(key);
      return socket;
    },
    reset() {
      requested.clear();
      connected.clear();
      // Names that change their address begin with the first one again.
      guarded = openDial();
    },
  };
}

/** A service worker needs a secure origin, and the browser takes this one for it. */
function writeExecutable(folder: string, withoutFlag: string | undefined): string {
  const file = join(folder, 'chromium');
  const without = withoutFlag === undefined ? '' : `case "$one" in ${withoutFlag}*) continue;; esac; `;
  writeFileSync(
    file,
    `#!/bin/sh
for one in "$@"; do shift; ${without}set -- "$@" "$one"; done
exec ${CHROMIUM} "$@" --unsafely-treat-insecure-origin-as-secure=http://${ATTACKER}
`,
  );
  chmodSync(file, 0o755);
  return file;
}

/** Lets every request pass, with the password of the proxy. */
async function answerProxy(cdp: CDPSession, session: ProxySession): Promise<void> {
  const { username, password } = session;
  cdp.on('Fetch.requestPaused', ({ requestId, request }) => {
    admit(session, request.url);
    cdp.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
  });
  cdp.on('Fetch.authRequired', ({ requestId }) => {
    const authChallengeResponse = { response: 'ProvideCredentials', username, password } as const;
    cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined);
  });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }], handleAuthRequests: true });
}

function admit(session: ProxySession, url: string): void {
  const parsed = URL.parse(url);
  if (parsed === null) return;
  const ports = parsed.port === '' ? [80, 443] : [Number(parsed.port)];
  for (const port of ports) session.admit(unbracketHost(parsed.hostname), port);
}

/** A page has so many attempts; then it is loaded again, which ends what is left of them. */
const BATCH = 40;
const QUIET_MS = 700;
/** The browser delays web sockets after others have failed, by up to five seconds. */
const WEBSOCKET_QUIET_MS = 5500;
const MAX_WAIT_MS = 20_000;
const MAX_NAVIGATION_MS = 1500;

function missing(cases: readonly AttackCase[], { connected }: WatchedDial): readonly AttackCase[] {
  return cases.filter(({ arrivesAt }) => arrivesAt !== null && !connected.has(arrivesAt));
}

async function attack(page: Page, mechanism: string, cases: readonly AttackCase[], dial: WatchedDial): Promise<void> {
  const code = MECHANISMS[mechanism] ?? '';
  const size = mechanism === 'navigation' ? 1 : BATCH;
  for (let at = 0; at < cases.length; at += size) {
    const batch = cases.slice(at, at + size);
    const urls = JSON.stringify(batch.map(({ url }) => url));
    await openAttacker(page);
    if (mechanism === 'service-worker') await page.evaluate(REGISTER_WORKER);
    await page.evaluate(`for (const url of ${urls}) { try { ${code} } catch {} }`).catch(() => undefined);
    if (mechanism === 'navigation') await navigated(page);
    else if (mechanism === 'websocket') await whenQuiet(dial, batch, WEBSOCKET_QUIET_MS);
    else await whenQuiet(dial, mechanism === 'window' ? [] : batch);
  }
  if (mechanism === 'navigation') await whenQuiet(dial, []);
}

async function openAttacker(page: Page): Promise<void> {
  // A navigation that is still under way ends this one.
  for (let attempt = 0; ; attempt += 1) {
    try {
      await page.goto(`http://${ATTACKER}/`, { waitUntil: 'domcontentloaded' });
      return;
    } catch (error) {
      if (attempt >= 5) throw error;
    }
  }
}

const REGISTER_WORKER = `(async () => {
  await navigator.serviceWorker.register('/sw.js');
  while (navigator.serviceWorker.controller === null) await new Promise((resolve) => setTimeout(resolve, 20));
})()`;

/** The page has left the attacker's, or cannot. */
async function navigated(page: Page): Promise<void> {
  await page.waitForEvent('framenavigated', { timeout: MAX_NAVIGATION_MS }).catch(() => undefined);
}

/** Nothing more is asked for, and what has to arrive has; or it takes too long. */
async function whenQuiet(dial: WatchedDial, cases: readonly AttackCase[], quietMs = QUIET_MS): Promise<void> {
  const startMs = performance.now();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const passedMs = performance.now() - startMs;
    const isQuiet = Math.min(dial.idleMs(), passedMs) >= quietMs && missing(cases, dial).length === 0;
    if (isQuiet || passedMs > MAX_WAIT_MS) return;
  }
}

async function sendUdp(page: Page, port: number, dial: WatchedDial): Promise<void> {
  await openAttacker(page);
  await page.evaluate(`(async () => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] });
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
  })()`);
  await whenQuiet(dial, []);
}
