// Creates the only HTTP client of the program; every outgoing connection goes through it.

import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { createLruCache } from '../../core/model/lru-cache.ts';
import { portOf, unbracketHost } from '../../core/ssrf/ssrf-verdict.ts';
import { errorCode, isTlsCode } from '../error-code.ts';
import type { AddressGuard } from './address-guard.ts';
import type { ProxySettings } from './proxy-settings.ts';

/** Opens a socket. `hostname` is always an IP address that the guard admitted. */
export type Dial = buildConnector.connector;

export interface GuardedDispatcherOptions {
  readonly guard: AddressGuard;
  readonly connectTimeoutMs: number;
  readonly maxHeaderBytes: number;
  readonly proxies?: ProxySettings | null;
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

  const proxied = createProxiedDispatch(options.proxies, options.guard, options.connectTimeoutMs);
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

/** The certificate is checked against the requested name, not against the IP address. */
function servernameFor(target: Target): { servername?: string } {
  if (target.protocol !== 'https:' || target.servername) return {};
  const host = unbracketHost(target.hostname);
  return /[a-z]/i.test(host) && !host.includes(':') ? { servername: host.replace(/\.$/, '') } : {};
}

/**
 * Requests through the operator's proxy. The proxy makes the connection, so the target is checked here before the proxy
 * learns of it.
 */
interface ProxiedDispatch {
  /** For `compose`: handles requests that go through a proxy and passes on the rest. */
  readonly intercept: Dispatcher.DispatcherComposeInterceptor;
  destroy(): Promise<void>;
}

/**
 * How long the verdict on a target is cached. A proxy does its own DNS lookup, so a fresh verdict would prove no more.
 */
const VERDICT_TTL_MS = 30_000;
const MAX_CACHED_VERDICTS = 1000;

interface CachedVerdict {
  readonly untilMs: number;
  readonly verdict: Promise<void>;
}

function createProxiedDispatch(
  settings: ProxySettings,
  guard: AddressGuard,
  connectTimeoutMs: number,
): ProxiedDispatch {
  const agents = new Map(
    settings.proxies.map((uri) => [
      uri,
      new ProxyAgent({ uri, connectTimeout: connectTimeoutMs, allowH2: false, headersTimeout: 0, bodyTimeout: 0 }),
    ]),
  );
  const verdicts = createLruCache<string, CachedVerdict>(MAX_CACHED_VERDICTS);

  const checkTarget = (origin: URL): Promise<void> => {
    const cached = verdicts.get(origin.origin);
    const now = performance.now();
    if (cached !== undefined && cached.untilMs > now) return cached.verdict;
    const verdict = guard.admitByProxy(unbracketHost(origin.hostname), portOf(origin));
    verdicts.set(origin.origin, { untilMs: now + VERDICT_TTL_MS, verdict });
    return verdict;
  };

  const send = async (agent: ProxyAgent, origin: URL, request: PendingRequest): Promise<void> => {
    try {
      await checkTarget(origin);
      agent.dispatch(request.options, request.handler);
    } catch (error) {
      request.handler.onResponseError?.(NO_CONTROLLER, error as Error);
    }
  };

  return {
    intercept: (dispatch) => (options, handler) => {
      const origin = new URL(String(options.origin));
      const agent = agents.get(settings.proxyFor(origin) ?? '');
      if (agent === undefined) return dispatch(options, handler);
      void send(agent, origin, { options, handler });
      return true;
    },
    async destroy() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

interface PendingRequest {
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

/** For a request that was never started: there is nothing to control. */
const NO_CONTROLLER: Dispatcher.DispatchController = {
  aborted: true,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};
