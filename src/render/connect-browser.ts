// Uses a Chromium that another program has started, over the Chrome DevTools Protocol. Its flags are not ours, so each context is
// sent through our proxy, which the browser can reach; or its operator vouches for the network that it is in.

import type { Browser } from 'playwright-core';
import { hostAndPort } from '../core/ssrf/ssrf-verdict.ts';
import { redactText } from '../platform/redact.ts';
import { closeInTime, type LaunchedBrowser, loadPlaywright, unavailable } from './launch-browser.ts';
import type { GuardProxy } from './port.ts';

export interface BrowserConnectOptions {
  /** Such as `http://10.0.0.7:9222`, or the `ws` address that the browser writes when it starts. */
  readonly endpoint: string;
  /** As the browser reaches it; null if the network of the browser is guarded by others. */
  readonly proxy: { readonly host: string; readonly port: number } | null;
}

const CONNECT_TIMEOUT_MS = 15_000;

/** Rejects with `render.unavailable`. */
export async function connectBrowser({ endpoint, proxy }: BrowserConnectOptions): Promise<LaunchedBrowser> {
  const { chromium } = await loadPlaywright();
  let browser: Browser;
  try {
    browser = await chromium.connectOverCDP(endpoint, { timeout: CONNECT_TIMEOUT_MS });
  } catch (error) {
    throw unavailable(redactText(error instanceof Error ? error.message : String(error)));
  }
  const server = proxy === null ? null : `http://${hostAndPort(proxy.host, proxy.port)}`;
  return {
    browser,
    name: `chromium ${browser.version()}`,
    pid: null,
    isSandboxed: null,
    isExclusive: false,
    // Playwright adds `<-loopback>` to the bypass list, without which loopback addresses would bypass the proxy.
    newContext: (options) => browser.newContext({ ...options, ...(server === null ? {} : { proxy: { server } }) }),
    kill: () => closeInTime(browser),
  };
}

/** Stands in for the proxy where there is none: nothing is counted, and nothing refused. */
export function createNoProxy(): GuardProxy {
  const traffic = { bytes: () => 0, sentBytes: () => 0, refusals: () => [] };
  const session = { ...traffic, username: '', password: '', start() {}, admit() {}, stop() {}, close() {} };
  return { host: '', port: 0, openSession: () => session, close: async () => undefined };
}
