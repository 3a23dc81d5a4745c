// Makes the HTTP client of the program. There is no other: whoever connects out, connects through this.

import { Agent, buildConnector, type Dispatcher } from 'undici';
import { bareHost, portOf } from '../../core/ssrf/ssrf-verdict.ts';
import type { AddressGuard } from './address-guard.ts';
import { errorCode, isTlsCode } from '../error-code.ts';
import { createProxiedDispatch } from '../proxied-dispatch.ts';
import type { ProxySettings } from './proxy-settings.ts';

/** Opens a socket. `hostname` is always an address that the guard has judged. */
export type Dial = buildConnector.connector;

export interface GuardedDispatcherOptions {
  readonly guard: AddressGuard;
  readonly connectTimeoutMs: number;
  readonly maxHeaderBytes: number;
  readonly proxies?: ProxySettings | null;
  /** Replaced in tests, so that a broken guard reaches nothing. */
  readonly dial?: Dial;
}

/** With several addresses, one that does not answer is given up sooner. */
const IMPATIENT_MS = 2500;
const MAX_ATTEMPTS = 3;

export interface GuardedDispatcher {
  readonly dispatcher: Dispatcher;
  /** At once; what is under way fails. */
  destroy(): Promise<void>;
}

export function createGuardedDispatcher(options: GuardedDispatcherOptions): GuardedDispatcher {
  const agent = new Agent({
    connect: guardedConnect(options),
    allowH2: false,
    maxHeaderSize: options.maxHeaderBytes,
    // The deadlines are our own: they count from the question, not from the last sign of life.
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
  const patient = dial ?? buildConnector({ timeout: connectTimeoutMs, allowH2: false });
  const impatient = dial ?? buildConnector({ timeout: Math.min(IMPATIENT_MS, connectTimeoutMs), allowH2: false });

  const attempt = (target: Target, addresses: readonly string[], callback: buildConnector.Callback): void => {
    const [hostname = '', ...others] = addresses;
    const connect = others.length === 0 ? patient : impatient;
    connect({ ...target, hostname, ...servernameFor(target) }, (...result) => {
      // Another address of the same name would show the same certificate.
      const goOn = result[0] !== null && others.length > 0 && !isTlsCode(errorCode(result[0]));
      if (goOn) attempt(target, others, callback);
      else callback(...result);
    });
  };

  const judged = async (target: Target, callback: buildConnector.Callback): Promise<void> => {
    let addresses: readonly string[];
    try {
      addresses = await guard.admit(bareHost(target.hostname), portOf(target));
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    attempt(target, addresses.slice(0, MAX_ATTEMPTS), callback);
  };
  return (target, callback) => void judged(target, callback);
}

type Target = buildConnector.Options;

/** The certificate is checked against the name that was asked for, not against the address. */
function servernameFor(target: Target): { servername?: string } {
  if (target.protocol !== 'https:' || target.servername) return {};
  const host = bareHost(target.hostname);
  return /[a-z]/i.test(host) && !host.includes(':') ? { servername: host.replace(/\.$/, '') } : {};
}
