// Keeps one browser for all pages, and a context in it for each page of a source at a time. A browser that has drawn many
// pages is replaced; the pool ends the largest page of a browser that exceeds its memory limit, and idle browsers.

import type { BrowserContext } from 'playwright-core';
import { createLruCache } from '../core/lru-cache.ts';
import { type LaunchedBrowser, unavailable } from './launch-browser.ts';
import type { GuardProxy, GuardSession } from './port.ts';
import { killProcesses, readProcessTree } from './process-tree.ts';

export interface PoolOptions {
  /** Starts a browser, or connects to one. Rejects with `render.unavailable`. */
  readonly startBrowser: (proxy: GuardProxy) => Promise<LaunchedBrowser>;
  /** Rejects with `render.unavailable`. */
  readonly openProxy: () => Promise<GuardProxy>;
  readonly userAgent: string;
  readonly pagesPerBrowser: number;
  /** Limit for all processes of a browser together. */
  readonly maxMemoryBytes: number;
  readonly idleMs: number;
}

/** One page in a context of its source. */
export interface ContextLease {
  readonly context: BrowserContext;
  readonly session: GuardSession;
  readonly admitRequest: (networkId: string) => void;
  readonly renderedBy: string;
  /** Whether the memory limit ended a page of its browser during the lease. */
  readonly isOutOfMemory: () => boolean;
  /** `isStuck`: its browser cannot close the page, and is ended. */
  release(end: { readonly isStuck: boolean; readonly isReusable: boolean }): Promise<void>;
}

export interface BrowserPool {
  /** `isIsolated`: in a separate browser. Rejects with `render.unavailable`. */
  lease(source: string, isIsolated: boolean): Promise<ContextLease>;
  close(): Promise<void>;
}

interface SourceContext {
  readonly source: string;
  readonly context: BrowserContext;
  readonly session: GuardSession;
}

interface RequestGate {
  /** A page has admitted the request with this id of the CDP domain Network. */
  admit(networkId: string): void;
}

interface PooledBrowser extends LaunchedBrowser {
  /** Null where others use the browser too, whose requests are not ours to filter. */
  readonly gate: RequestGate | null;
  readonly idle: SourceContext[];
  pages: number;
  leases: number;
  isRetired: boolean;
  memoryKills: number;
}

/** Unused contexts of one browser; the oldest is closed for another source. */
const MAX_IDLE_CONTEXTS = 4;

export function createBrowserPool(options: PoolOptions): BrowserPool {
  const browsers = createBrowsers(options);
  let idleTimer: NodeJS.Timeout | undefined;

  async function leave(pooled: PooledBrowser, isOver: boolean): Promise<void> {
    pooled.leases -= 1;
    if (isOver || (pooled.isRetired && pooled.leases === 0)) await browsers.end(pooled);
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => void browsers.endAll('unused'), options.idleMs).unref();
  }

  return {
    async lease(source, isIsolated) {
      clearTimeout(idleTimer);
      const pooled = isIsolated ? await browsers.start() : await browsers.current();
      pooled.leases += 1;
      pooled.pages += 1;
      const killsBefore = pooled.memoryKills;
      let taken: SourceContext;
      try {
        taken = await contextOf(source, pooled, options.userAgent, await browsers.proxy());
      } catch (error) {
        await leave(pooled, true);
        throw error;
      }
      return {
        context: taken.context,
        session: taken.session,
        admitRequest: (networkId) => pooled.gate?.admit(networkId),
        renderedBy: pooled.name,
        isOutOfMemory: () => pooled.memoryKills > killsBefore,
        async release({ isStuck, isReusable }) {
          if (isReusable && !pooled.isRetired) pooled.idle.push(taken);
          else closeContext(taken);
          if (pooled.idle.length > MAX_IDLE_CONTEXTS) closeContext(pooled.idle.shift());
          await leave(pooled, isStuck || isIsolated);
        },
      };
    },
    async close() {
      clearTimeout(idleTimer);
      await browsers.endAll('all');
    },
  };
}

interface Browsers {
  /** The proxy that all of them use, opened with the first. */
  proxy(): Promise<GuardProxy>;
  start(): Promise<PooledBrowser>;
  /** The one for the next page: the same until it has drawn enough pages. */
  current(): Promise<PooledBrowser>;
  /** Ends a browser; pages in it fail. */
  end(pooled: PooledBrowser): Promise<void>;
  /** `unused`: unless one of them is in use. Closes the proxy too. */
  endAll(which: 'unused' | 'all'): Promise<void>;
}

const MEMORY_CHECK_MS = 250;

function createBrowsers({ startBrowser, openProxy, pagesPerBrowser, maxMemoryBytes }: PoolOptions): Browsers {
  const live = new Set<PooledBrowser>();
  let openedProxy: Promise<GuardProxy> | null = null;
  let latest: Promise<PooledBrowser> | null = null;
  let memoryTimer: NodeJS.Timeout | undefined;
  const found = async (): Promise<PooledBrowser | null> => (latest === null ? null : latest.catch(() => null));

  const browsers: Browsers = {
    proxy() {
      const opening = (openedProxy ??= openProxy());
      // The next page tries again.
      opening.catch(() => (openedProxy = openedProxy === opening ? null : openedProxy));
      return opening;
    },
    async start() {
      const launched = await startBrowser(await browsers.proxy());
      const gate = launched.isExclusive ? await openGate(launched) : null;
      const pooled = Object.assign(launched, { gate, idle: [], pages: 0, leases: 0, isRetired: false, memoryKills: 0 });
      live.add(pooled);
      launched.browser.once('disconnected', () => void browsers.end(pooled));
      memoryTimer ??= setInterval(() => checkMemory(live, maxMemoryBytes), MEMORY_CHECK_MS).unref();
      return pooled;
    },
    async current() {
      const previous = latest === null ? null : await found();
      if (previous !== null && !previous.isRetired && previous.pages < pagesPerBrowser) return previous;
      if (previous !== null) {
        previous.isRetired = true;
        if (previous.leases === 0) await browsers.end(previous);
        // Another page may have started the next one in the meantime.
        const next = await found();
        if (next !== null && next !== previous && !next.isRetired) return next;
      }
      return (latest = browsers.start());
    },
    async end(pooled) {
      pooled.isRetired = true;
      if (!live.delete(pooled)) return;
      if (live.size === 0) {
        clearInterval(memoryTimer);
        memoryTimer = undefined;
      }
      for (const { session } of pooled.idle.splice(0)) session.close();
      await pooled.kill();
    },
    async endAll(which) {
      if (which === 'unused' && [...live].some(({ leases }) => leases > 0)) return;
      const closing = openedProxy;
      openedProxy = null;
      latest = null;
      await Promise.all([...live].map((pooled) => browsers.end(pooled)));
      await (await closing?.catch(() => null))?.close();
    },
  };
  return browsers;
}

/** Far more than the requests that can be under way. */
const MAX_ADMITTED = 10_000;

/**
 * The last check of a browser's requests: one that has passed no filter of a page is refused. Frames in other processes, workers that
 * several pages share, and what a page leaves behind when it is closed have no filter. Rejects with `render.unavailable`.
 */
export async function openGate(launched: LaunchedBrowser): Promise<RequestGate> {
  const admitted = createLruCache<string, true>(MAX_ADMITTED);
  try {
    const cdp = await launched.browser.newBrowserCDPSession();
    cdp.on('Fetch.requestPaused', ({ requestId, networkId = '' }) => {
      const checked =
        admitted.get(networkId) === true
          ? cdp.send('Fetch.continueRequest', { requestId })
          : cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      checked.catch(() => undefined);
    });
    await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    return { admit: (networkId) => admitted.set(networkId, true) };
  } catch (error) {
    await launched.kill();
    throw unavailable(error);
  }
}

async function contextOf(
  source: string,
  pooled: PooledBrowser,
  userAgent: string,
  proxy: GuardProxy,
): Promise<SourceContext> {
  const at = pooled.idle.findIndex((one) => one.source === source);
  const [reused] = at === -1 ? [] : pooled.idle.splice(at, 1);
  if (reused !== undefined) return reused;
  const [version = ''] = pooled.browser.version().split('.');
  const context = await pooled.newContext({
    acceptDownloads: false,
    serviceWorkers: 'block',
    locale: 'en-US',
    // Sites choose by it what they send; our own name comes last, for the people who read their logs.
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36 ${userAgent}`,
  });
  await context.addInitScript(REMOVE_INTERFACES);
  return { source, context, session: proxy.openSession() };
}

/**
 * Ways to send something that bypasses the filter of requests, none of which a text needs. WebRTC sends UDP, which no proxy
 * carries; the others outlive the page, or do not send requests. Web sockets fail, as they do where a network refuses them.
 */
const REMOVE_INTERFACES = `
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'SharedWorker', 'WebSocketStream', 'WebTransport', 'fetchLater'])
  delete globalThis[name];
globalThis.WebSocket = class WebSocket extends EventTarget {
  static CONNECTING = 0; static OPEN = 1; static CLOSING = 2; static CLOSED = 3;
  constructor(url) {
    super();
    Object.assign(this, { url: String(url), readyState: 0, bufferedAmount: 0, protocol: '', extensions: '', binaryType: 'blob' });
    setTimeout(() => {
      this.readyState = 3;
      for (const event of [new Event('error'), new CloseEvent('close', { code: 1006 })]) {
        this['on' + event.type]?.(event);
        this.dispatchEvent(event);
      }
    });
  }
  send() {}
  close() {}
};`;

function closeContext(closed: SourceContext | undefined): void {
  closed?.session.close();
  closed?.context.close().catch(() => undefined);
}

/** Ends the largest page of a browser that uses too much. */
function checkMemory(browsers: Iterable<PooledBrowser>, maxBytes: number): void {
  for (const pooled of browsers) {
    if (pooled.pid === null || pooled.leases === 0) continue;
    const processes = readProcessTree(pooled.pid);
    const bytes = processes.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes <= maxBytes) continue;
    const [largest] = processes.filter((one) => one.isRenderer).toSorted((a, b) => b.bytes - a.bytes);
    if (largest === undefined) continue;
    pooled.memoryKills += 1;
    killProcesses([largest.pid]);
  }
}
