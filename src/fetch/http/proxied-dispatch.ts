// Requests through the operator's proxy. The proxy makes the connection, so the target is checked here before the proxy
// learns of it. A proxy that gets a name looks it up by itself: only one that gets the checked address connects to what
// was checked.

import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { createLruCache } from '../../core/lru-cache.ts';
import { hostAndPort, portOf, unbracketHost } from '../../core/ssrf/ssrf-verdict.ts';
import type { AddressGuard } from './address-guard.ts';
import type { ProxySettings } from './proxy-settings.ts';
import { servernameFor } from './tls-server-name.ts';

/**
 * What the proxy is given. `name`: the name, even one that only the proxy can resolve. `resolved`: the name, if it resolves
 * here too. `address`: the address that was checked, in a tunnel for http as well.
 */
export type ProxyTarget = 'name' | 'resolved' | 'address';

export interface ProxiedDispatch {
  /** For `compose`: handles requests that go through a proxy and passes on the rest. */
  readonly intercept: Dispatcher.DispatcherComposeInterceptor;
  destroy(): Promise<void>;
}

export interface ProxiedDispatchOptions {
  readonly guard: AddressGuard;
  readonly connectTimeoutMs: number;
  readonly proxyTarget: ProxyTarget;
}

export function createProxiedDispatch(settings: ProxySettings, options: ProxiedDispatchOptions): ProxiedDispatch {
  const create = options.proxyTarget === 'address' ? createAddressProxy : createNameProxy;
  const proxies = new Map(settings.proxies.map((uri) => [uri, create(uri, options)]));
  return {
    intercept: (dispatch) => (request, handler) => {
      const origin = new URL(String(request.origin));
      const proxy = proxies.get(settings.proxyFor(origin) ?? '');
      if (proxy === undefined) return dispatch(request, handler);
      void proxy.send(origin, { options: request, handler });
      return true;
    },
    async destroy() {
      await Promise.all([...proxies.values()].map((proxy) => proxy.destroy()));
    },
  };
}

interface Proxy {
  send(origin: URL, request: PendingRequest): Promise<void>;
  destroy(): Promise<unknown>;
}

interface PendingRequest {
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

/**
 * How long the verdict on a target is cached. A proxy does its own DNS lookup, so a fresh verdict would prove no more.
 */
const VERDICT_TTL_MS = 30_000;
const MAX_CACHED_VERDICTS = 1000;

interface CachedVerdict {
  readonly untilMs: number;
  readonly verdict: Promise<unknown>;
}

function createNameProxy(uri: string, { guard, connectTimeoutMs, proxyTarget }: ProxiedDispatchOptions): Proxy {
  const agent = new ProxyAgent({
    uri,
    connectTimeout: connectTimeoutMs,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const verdicts = createLruCache<string, CachedVerdict>(MAX_CACHED_VERDICTS);

  const checkTarget = (origin: URL): Promise<unknown> => {
    const cached = verdicts.get(origin.origin);
    const now = performance.now();
    if (cached !== undefined && cached.untilMs > now) return cached.verdict;
    const host = unbracketHost(origin.hostname);
    const port = portOf(origin);
    const verdict = proxyTarget === 'resolved' ? guard.admit(host, port) : guard.admitByProxy(host, port);
    verdicts.set(origin.origin, { untilMs: now + VERDICT_TTL_MS, verdict });
    return verdict;
  };

  return {
    async send(origin, { options, handler }) {
      try {
        await checkTarget(origin);
        agent.dispatch(options, handler);
      } catch (error) {
        handler.onResponseError?.(NO_CONTROLLER, error as Error);
      }
    },
    destroy: () => agent.destroy(),
  };
}

/** Every connection is checked when it is made, as one without a proxy is. */
function createAddressProxy(uri: string, { guard, connectTimeoutMs }: ProxiedDispatchOptions): Proxy {
  const { origin: proxyOrigin, username, password } = new URL(uri);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  const proxy = new Pool(proxyOrigin, { connect: { timeout: connectTimeoutMs }, allowH2: false });
  const connectInTunnel = buildConnector({ timeout: connectTimeoutMs, allowH2: false });

  const openTunnel = async (target: buildConnector.Options, callback: buildConnector.Callback): Promise<void> => {
    try {
      const port = portOf(target);
      const [address = ''] = await guard.admit(unbracketHost(target.hostname), port);
      const path = hostAndPort(address, port);
      const { socket: tunnel, statusCode } = await proxy.connect({ path, headers: { host: path, ...authorization } });
      const socket = tunnel as Socket;
      if (statusCode !== 200) {
        socket.on('error', () => undefined).destroy();
        throw Object.assign(new Error('the proxy refused a tunnel'), { code: `proxy-status-${statusCode}` });
      }
      if (target.protocol !== 'https:') return callback(null, socket);
      connectInTunnel({ ...target, ...servernameFor(target), httpSocket: socket }, callback);
    } catch (error) {
      callback(error as Error, null);
    }
  };

  const agent = new Agent({
    connect: (target, callback) => void openTunnel(target, callback),
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send: async (_, { options, handler }) => void agent.dispatch(options, handler),
    destroy: () => Promise.all([agent.destroy(), proxy.destroy()]),
  };
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
