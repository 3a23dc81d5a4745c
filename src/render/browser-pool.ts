// Keeps one browser for all pages, and a context in it for each page of a source at a time. A browser that has drawn many
// pages is replaced; of one that uses too much memory the largest page is ended; one that nobody uses is ended.

import type { BrowserContext } from 'playwright-core';
import type { LaunchedBrowser } from './launch-browser.ts';
import type { GuardProxy, GuardSession } from './port.ts';
import { killProcesses, readProcessTree } from './process-tree.ts';

export interface PoolOptions {
  /** Starts a browser, or connects to one. Rejects with `render.unavailable`. */
  readonly startBrowser: (proxy: GuardProxy) => Promise<LaunchedBrowser>;
  /** Rejects with `render.unavailable`. */
  readonly openProxy: () => Promise<GuardProxy>;
  readonly userAgent: string;
  readonly pagesPerBrowser: number;
  /** Of all processes of a browser. */
  readonly maxMemoryBytes: number;
  readonly idleMs: number;
}

/** One page in a context of its source. */
export interface ContextLease {
  readonly context: BrowserContext;
  readonly session: GuardSession;
  readonly renderedBy: string;
  /** Whether the memory limit ended a page of its browser during the lease. */
  readonly isOutOfMemory: () => boolean;
  /** `isStuck`: its browser cannot close the page, and is ended. */
  release(end: { readonly isStuck: boolean; readonly isReusable: boolean }): Promise<void>;
}

export interface BrowserPool {
  /** `isAlone`: in a browser of its own. Rejects with `render.unavailable`. */
  lease(source: string, isAlone: boolean): Promise<ContextLease>;
  close(): Promise<void>;
}

interface SourceContext {
  readonly source: string;
  readonly context: BrowserContext;
  readonly session: GuardSession;
}

interface PooledBrowser extends LaunchedBrowser {
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
    async lease(source, isAlone) {
      clearTimeout(idleTimer);
      const pooled = isAlone ? await browsers.start() : await browsers.current();
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
        renderedBy: pooled.name,
        isOutOfMemory: () => pooled.memoryKills > killsBefore,
        async release({ isStuck, isReusable }) {
          if (isReusable && !pooled.isRetired) pooled.idle.push(taken);
          else closeContext(taken);
          if (pooled.idle.length > MAX_IDLE_CONTEXTS) closeContext(pooled.idle.shift());
          await leave(pooled, isStuck || isAlone);
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
      const pooled = Object.assign(launched, { idle: [], pages: 0, leases: 0, isRetired: false, memoryKills: 0 });
      live.add(pooled);
      launched.browser.once('disconnected', () => void browsers.end(pooled));
      memoryTimer ??= setInterval(() => checkMemory(live, maxMemoryBytes), MEMORY_CHECK_MS).unref();
      return pooled;
    },
    async current() {
      const former = latest === null ? null : await found();
      if (former !== null && !former.isRetired && former.pages < pagesPerBrowser) return former;
      if (former !== null) {
        former.isRetired = true;
        if (former.leases === 0) await browsers.end(former);
        // Another page may have started the next one meanwhile.
        const next = await found();
        if (next !== null && next !== former && !next.isRetired) return next;
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
  return { source, context, session: proxy.openSession() };
}

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
