// Sends requests through the operator's proxy. The proxy makes the connection, so the target is judged here, before the
// proxy hears of it.

import { ProxyAgent, type Dispatcher } from 'undici';
import { bareHost, portOf } from '../core/ssrf/ssrf-verdict.ts';
import type { AddressGuard } from './http/address-guard.ts';
import type { ProxySettings } from './http/proxy-settings.ts';

export interface ProxiedDispatch {
  /** For `compose`: takes what goes through a proxy, and leaves the rest. */
  readonly intercept: Dispatcher.DispatcherComposeInterceptor;
  destroy(): Promise<void>;
}

/** How long a judgement of a target stands. A proxy asks DNS on its own, so a fresh one would prove no more. */
const JUDGED_FOR_MS = 30_000;
const MAX_JUDGED = 1000;

interface Judged {
  readonly untilMs: number;
  readonly verdict: Promise<void>;
}

export function createProxiedDispatch(
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
  const judged = new Map<string, Judged>();

  const judge = (origin: URL): Promise<void> => {
    const known = judged.get(origin.origin);
    const now = performance.now();
    if (known !== undefined && known.untilMs > now) return known.verdict;
    if (judged.size >= MAX_JUDGED) judged.clear();
    const verdict = guard.admitByProxy(bareHost(origin.hostname), portOf(origin));
    judged.set(origin.origin, { untilMs: now + JUDGED_FOR_MS, verdict });
    return verdict;
  };

  const send = async (agent: ProxyAgent, origin: URL, asked: Asked): Promise<void> => {
    try {
      await judge(origin);
      agent.dispatch(asked.options, asked.handler);
    } catch (error) {
      asked.handler.onResponseError?.(NO_CONTROLLER, error as Error);
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

interface Asked {
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

/** For a request that was never begun: there is nothing to control. */
const NO_CONTROLLER: Dispatcher.DispatchController = {
  aborted: true,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};
