// The render stage for a crawl. Nothing of it is loaded before the first page is rendered.

import type { PinakesError } from '../core/model/errors.ts';
import type { Rendering, Renderer } from '../render/port.ts';
import { proxySettings } from '../fetch/http/proxy-settings.ts';
import type { CheckResult } from '../platform/check-machine.ts';
import type { Config } from '../platform/config/schema.ts';
import type { Log } from '../platform/log.ts';
import { forbiddenPorts } from './fetch-and-parse.ts';

export interface RenderingContext {
  readonly config: Config;
  readonly log: Log;
  readonly listeningOn?: readonly number[] | undefined;
}

/** Null without a browser. */
export function openRendering(context: RenderingContext): Rendering | null {
  const { browser, mode = 'auto' } = context.config.render;
  if (browser === undefined) return null;
  let opened: Promise<Renderer> | null = null;
  const open = (): Promise<Renderer> => (opened ??= openRenderer(context, browser));
  return {
    mode,
    renderer: {
      render: async (request, signal) => (await open()).render(request, signal),
      close: async () => (await opened)?.close(),
    },
  };
}

/** Connections of a browser at a time. */
const MAX_CONNECTIONS = 64;

async function openRenderer(
  { config, log, listeningOn = [] }: RenderingContext,
  executable: string,
): Promise<Renderer> {
  const { createChromiumRenderer } = await import('../render/chromium-renderer.ts');
  const { openForwardProxy } = await import('../fetch/http/forward-proxy.ts');
  const { createGuardedDial } = await import('../fetch/http/guarded-dial.ts');
  const { DEFAULT_LIMITS } = await import('../fetch/http/fetch-limits.ts');
  const { timeoutMs, quietMs, settleMs, maxPageBytes, memoryMb, pagesPerBrowser, idleMs, concurrency } = config.render;
  const ownPorts = [...forbiddenPorts(config, listeningOn)];
  const dial = createGuardedDial({
    ...config.fetch,
    dnsTimeoutMs: DEFAULT_LIMITS.dnsTimeoutMs,
    connectTimeoutMs: DEFAULT_LIMITS.connectTimeoutMs,
    proxies: proxySettings(process.env),
    ownPorts: () => ownPorts,
  });
  return createChromiumRenderer({
    executable,
    userAgent: config.fetch.userAgent,
    limits: { timeoutMs, quietMs, settleMs, maxPageBytes, maxBodyBytes: config.fetch.maxBodyBytes },
    maxMemoryBytes: memoryMb * 1024 * 1024,
    pagesPerBrowser,
    idleMs,
    concurrency,
    log,
    async openProxy() {
      const proxy = await openForwardProxy({
        dial,
        maxConnections: MAX_CONNECTIONS,
        idleTimeoutMs: DEFAULT_LIMITS.idleTimeoutMs,
        maxConnectionMs: 2 * timeoutMs,
      });
      // Not even a page on an allowed loopback reaches the proxy through the proxy.
      ownPorts.push(proxy.port);
      return proxy;
    },
  });
}

/** Starts the browser once, behind its proxy, as a crawl would. */
export async function checkRendering(context: RenderingContext): Promise<CheckResult> {
  const name = 'rendering';
  const { browser, mode } = context.config.render;
  if (browser === undefined) {
    const hint = 'For pages that are empty without one, set PINAKES_RENDER_BROWSER=chromium';
    return { name, state: 'missing', detail: 'no browser is configured', hint };
  }
  const { launchBrowser, unsandboxedReason } = await import('../render/launch-browser.ts');
  try {
    const launched = await launchBrowser({ executable: browser, proxy: NO_PROXY, log: context.log });
    await launched.kill();
    const { isSandboxed } = launched;
    const detail = `${launched.name}, render.mode ${mode ?? 'auto'}${isSandboxed ? '' : '; without its sandbox'}`;
    const hint = isSandboxed ? null : `${unsandboxedReason()}. Run Pinakes as another user than root, if it is one`;
    return { name, state: 'ok', detail, hint };
  } catch (error) {
    const { message, why } = { message: String(error), why: (error as PinakesError).details?.['why'] };
    const hint = 'Install Chromium and playwright-core: apt-get install chromium, npm install playwright-core@1.65.0';
    return { name, state: 'failed', detail: String(why ?? message), hint };
  }
}

/** Nothing listens there: the check opens no page. */
const NO_PROXY = { host: '127.0.0.1', port: 9 };
