// The render stage for a crawl or a plan. Nothing of it is loaded before the first page is rendered.

import { pinakesError } from '../core/model/errors.ts';
import { parseListenAddress } from '../core/model/setting-formats.ts';
import type { GuardedDial } from '../fetch/http/guarded-dial.ts';
import { proxySettings } from '../fetch/http/proxy-settings.ts';
import type { Config } from '../platform/config/schema.ts';
import type { Log } from '../platform/log.ts';
import type { GuardProxy, Rendering, Renderer } from '../render/port.ts';
import { forbiddenPorts } from './fetch-and-parse.ts';

export interface RenderingContext {
  readonly config: Config;
  readonly log: Log;
  readonly listeningOn?: readonly number[] | undefined;
  /** Connects for the browser instead of the guard's own dial. */
  readonly dial?: GuardedDial | undefined;
}

/** Returns null if no browser is configured. */
export function openRendering(context: RenderingContext): Rendering | null {
  const { browser, endpoint, crawl4ai, mode = 'auto' } = context.config.render;
  if ((browser ?? endpoint ?? crawl4ai) === undefined) return null;
  let opened: Promise<Renderer> | null = null;
  const open = (): Promise<Renderer> => (opened ??= openRenderer(context));
  return {
    mode,
    renderer: {
      render: async (request, signal) => (await open()).render(request, signal),
      close: async () => (await opened)?.close(),
    },
  };
}

async function openRenderer(context: RenderingContext): Promise<Renderer> {
  return context.config.render.crawl4ai === undefined ? openChromium(context) : openCrawl4Ai(context.config);
}

/** Connections of a browser at a time. */
const MAX_CONNECTIONS = 64;

async function openChromium(context: RenderingContext): Promise<Renderer> {
  const { config, log, listeningOn = [] } = context;
  const { createChromiumRenderer } = await import('../render/chromium-renderer.ts');
  const { openForwardProxy } = await import('../fetch/http/forward-proxy.ts');
  const { createGuardedDial } = await import('../fetch/http/guarded-dial.ts');
  const { createSignRequest } = await import('../fetch/http/sign-request.ts');
  const { DEFAULT_LIMITS } = await import('../fetch/http/fetch-limits.ts');
  const { connectBrowser, createNoProxy } = await import('../render/connect-browser.ts');
  const { launchBrowser } = await import('../render/launch-browser.ts');
  const { browser, endpoint = '', sandbox, guard, proxyListen } = config.render;
  const { timeoutMs, pageIdleMs, readyTimeoutMs, maxPageBytes, maxUploadBytes, maxRequests } = config.render;
  const { memoryMb, pagesPerBrowser, browserIdleMs, concurrency } = config.render;
  const { maxBodyBytes } = config.fetch;
  const isUnguarded = browser === undefined && guard === 'external';
  const ownPorts = [...forbiddenPorts(config, listeningOn)];
  const dial =
    context.dial ??
    createGuardedDial({
      ...config.fetch,
      dnsTimeoutMs: DEFAULT_LIMITS.dnsTimeoutMs,
      connectTimeoutMs: DEFAULT_LIMITS.connectTimeoutMs,
      proxies: proxySettings(process.env),
      ownPorts: () => ownPorts,
    });
  const openProxy = async (listen: { readonly host: string; readonly port: number }): Promise<GuardProxy> => {
    const { idleTimeoutMs } = DEFAULT_LIMITS;
    const limits = { maxConnections: MAX_CONNECTIONS, idleTimeoutMs, maxConnectionMs: 2 * timeoutMs };
    const proxy = await openForwardProxy({ dial, listen, ...limits });
    // Not even a page on an allowed loopback reaches the proxy through the proxy.
    ownPorts.push(proxy.port);
    return proxy;
  };
  return createChromiumRenderer({
    userAgent: config.fetch.userAgent,
    sign: createSignRequest(config.fetch, Date.now),
    limits: { timeoutMs, pageIdleMs, readyTimeoutMs, maxPageBytes, maxUploadBytes, maxRequests, maxBodyBytes },
    // As fast as a crawl may be.
    otherHostDelayMs: config.crawl.minDelayMs,
    maxMemoryBytes: memoryMb * 1024 * 1024,
    pagesPerBrowser,
    idleMs: browserIdleMs,
    concurrency,
    startBrowser: (proxy) =>
      browser === undefined
        ? connectBrowser({ endpoint, proxy: isUnguarded ? null : proxy })
        : launchBrowser({ executable: browser, proxy, sandbox, log }),
    async openProxy() {
      if (isUnguarded) return createNoProxy();
      // Only the browser on this machine uses loopback.
      if (browser !== undefined || proxyListen === undefined) return openProxy({ host: '127.0.0.1', port: 0 });
      return openOnFreePort(proxyListen, openProxy);
    },
  });
}

/** On the first free port of a range, since every process that renders needs its own proxy. */
async function openOnFreePort(
  proxyListen: string,
  open: (listen: { readonly host: string; readonly port: number }) => Promise<GuardProxy>,
): Promise<GuardProxy> {
  const { host, first, last } = parseListenAddress(proxyListen) ?? { host: '', first: 1, last: 0 };
  let failure: unknown;
  for (let port = first; port <= last; port += 1) {
    try {
      return await open({ host, port });
    } catch (error) {
      failure = error;
    }
  }
  const code = String((failure as NodeJS.ErrnoException | undefined)?.code ?? failure);
  throw pinakesError('render.unavailable', { reason: `no proxy can listen on ${proxyListen} (${code})` }, failure);
}

/** A result has the HTML of the page, its cleaned form and several kinds of Markdown. */
const RESPONSE_PER_BODY = 6;

async function openCrawl4Ai({ render: { crawl4ai = '', timeoutMs }, fetch }: Config): Promise<Renderer> {
  const { createCrawl4AiRenderer } = await import('../render/crawl4ai/crawl4ai-renderer.ts');
  const { createCrawl4AiClient } = await import('../render/crawl4ai/crawl4ai-client.ts');
  const { createHttpFetcher } = await import('../fetch/http/http-fetcher.ts');
  const { createJsonClient, guardSettingsFor } = await import('../fetch/http/json-request.ts');
  const { createRemoteTargetCheck } = await import('../fetch/http/remote-target.ts');
  // The address comes from the operator, never from a page: it is opened, and nothing else.
  const fetcher = createHttpFetcher({
    userAgent: fetch.userAgent,
    proxies: proxySettings(process.env),
    timeoutMs,
    headerTimeoutMs: timeoutMs,
    idleTimeoutMs: timeoutMs,
    maxBodyBytes: RESPONSE_PER_BODY * fetch.maxBodyBytes,
    ...guardSettingsFor(crawl4ai),
  });
  const check = createRemoteTargetCheck(fetch);
  return createCrawl4AiRenderer({
    client: createCrawl4AiClient({ endpoint: crawl4ai, sendJson: createJsonClient(fetcher) }),
    async refusal(url) {
      const refused = await check(url);
      return refused === null ? null : { rule: refused.reason, retryable: refused.retryable };
    },
    timeoutMs,
    maxBodyBytes: fetch.maxBodyBytes,
    close: () => fetcher.close(),
  });
}
