// The render stage as a crawl uses it, for pages on loopback, with what the tests look at: the browser's processes and the
// addresses that its proxy connected to.

import { connect } from 'node:net';
import { createGuardedDial, type GuardedDialOptions } from '../../../src/fetch/http/guarded-dial.ts';
import { openForwardProxy } from '../../../src/fetch/http/forward-proxy.ts';
import { createChromiumRenderer, type ChromiumRendererOptions } from '../../../src/render/chromium-renderer.ts';
import { launchBrowser } from '../../../src/render/launch-browser.ts';
import type { GuardProxy, Renderer } from '../../../src/render/port.ts';
import type { RenderLimits } from '../../../src/render/render-page.ts';
import { createLog } from '../../../src/platform/log.ts';

export interface TestRenderer extends Renderer {
  /** Addresses and ports that were connected to. */
  readonly dialled: readonly string[];
  /** Proxies that were opened: one for each time that browsers were needed. */
  readonly proxies: readonly GuardProxy[];
  readonly logged: readonly string[];
}

export interface TestRendererOptions extends Partial<Omit<ChromiumRendererOptions, 'limits'>> {
  readonly limits?: Partial<RenderLimits>;
  readonly executable?: string;
  readonly dial?: Partial<GuardedDialOptions>;
}

export const CHROMIUM = process.env['PINAKES_TEST_CHROMIUM'] ?? '/usr/bin/chromium';

export function createTestRenderer(provided: TestRendererOptions = {}): TestRenderer {
  const { dial: dialOptions, executable = CHROMIUM, limits, ...options } = provided;
  const dialled: string[] = [];
  const proxies: GuardProxy[] = [];
  const logged: string[] = [];
  const log = createLog({ level: 'debug', now: () => new Date(), write: (line) => void logged.push(line) });
  const dial = createGuardedDial({
    allowCidrs: ['127.0.0.0/8'],
    allowPorts: ['1024-65535'],
    dnsTimeoutMs: 5000,
    connectTimeoutMs: 5000,
    open(address, port) {
      dialled.push(`${address}:${port}`);
      return connect({ host: address, port });
    },
    ...dialOptions,
  });
  const renderer = createChromiumRenderer({
    startBrowser: (proxy) => launchBrowser({ executable, proxy, sandbox: 'off', log }),
    userAgent: 'pinakes-test',
    concurrency: 2,
    limits: {
      timeoutMs: 20_000,
      pageIdleMs: 200,
      readyTimeoutMs: 8000,
      maxPageBytes: 20_000_000,
      maxUploadBytes: 1_000_000,
      maxRequests: 500,
      maxBodyBytes: 10_000_000,
      ...limits,
    },
    otherHostDelayMs: 200,
    sign: null,
    pagesPerBrowser: 200,
    maxMemoryBytes: 1024 * 1024 * 1024,
    idleMs: 60_000,
    async openProxy() {
      const connections = { maxConnections: 64, idleTimeoutMs: 20_000, maxConnectionMs: 60_000 };
      const proxy = await openForwardProxy({ dial, ...connections });
      proxies.push(proxy);
      return proxy;
    },
    ...options,
  });
  return { ...renderer, dialled, proxies, logged };
}
