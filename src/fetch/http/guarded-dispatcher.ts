// Creates the only HTTP client of the program; every outgoing connection goes through it.

import { Agent, buildConnector, type Dispatcher } from 'undici';
import { portOf, unbracketHost } from '../../core/ssrf/ssrf-verdict.ts';
import { errorCode, isTlsCode } from '../system-error-code.ts';
import type { AddressGuard } from './address-guard.ts';
import { createProxiedDispatch, type ProxyTarget } from './proxied-dispatch.ts';
import type { ProxySettings } from './proxy-settings.ts';
import { servernameFor } from './tls-server-name.ts';

/** Opens a socket. `hostname` is always an IP address that the guard admitted. */
export type Dial = buildConnector.connector;

export interface GuardedDispatcherOptions {
  readonly guard: AddressGuard;
  readonly connectTimeoutMs: number;
  readonly maxHeaderBytes: number;
  readonly proxies?: ProxySettings | null;
  readonly proxyTarget?: ProxyTarget;
  /** Replaced in tests, so that a broken guard reaches nothing. */
  readonly dial?: Dial;
}

/** With several addresses left to try, an unresponsive one is abandoned sooner. */
const FALLBACK_TIMEOUT_MS = 2500;
const MAX_ATTEMPTS = 3;

export interface GuardedDispatcher {
  readonly dispatcher: Dispatcher;
  /** Immediately; requests in flight fail. */
  destroy(): Promise<void>;
}

export function createGuardedDispatcher(options: GuardedDispatcherOptions): GuardedDispatcher {
  const agent = new Agent({
    connect: guardedConnect(options),
    allowH2: false,
    maxHeaderSize: options.maxHeaderBytes,
    // We enforce our own deadlines: they count from the request, not from the last sign of life.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  if (!options.proxies) return { dispatcher: agent, destroy: () => agent.destroy() };

  const { guard, connectTimeoutMs, proxyTarget = 'name' } = options;
  const proxied = createProxiedDispatch(options.proxies, { guard, connectTimeoutMs, proxyTarget });
  return {
    dispatcher: agent.compose(proxied.intercept),
    async destroy() {
      await Promise.all([agent.destroy(), proxied.destroy()]);
    },
  };
}

function guardedConnect({ guard, dial, connectTimeoutMs }: GuardedDispatcherOptions): buildConnector.connector {
  const connectLast = dial ?? buildConnector({ timeout: connectTimeoutMs, allowH2: false });
  const connectFirst =
    dial ?? buildConnector({ timeout: Math.min(FALLBACK_TIMEOUT_MS, connectTimeoutMs), allowH2: false });

  const attempt = (target: Target, addresses: readonly string[], callback: buildConnector.Callback): void => {
    const [hostname = '', ...others] = addresses;
    const connect = others.length === 0 ? connectLast : connectFirst;
    connect({ ...target, hostname, ...servernameFor(target) }, (...result) => {
      // Another address of the same name would present the same certificate.
      const tryNext = result[0] !== null && others.length > 0 && !isTlsCode(errorCode(result[0]));
      if (tryNext) attempt(target, others, callback);
      else callback(...result);
    });
  };

  const connectGuarded = async (target: Target, callback: buildConnector.Callback): Promise<void> => {
    let addresses: readonly string[];
    try {
      addresses = await guard.admit(unbracketHost(target.hostname), portOf(target));
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    attempt(target, addresses.slice(0, MAX_ATTEMPTS), callback);
  };
  return (target, callback) => void connectGuarded(target, callback);
}

type Target = buildConnector.Options;
