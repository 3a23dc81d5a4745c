// Fetches over http and https.

import { ACCEPT_HEADER } from '../../core/discover/markdown/markdown-route.ts';
import type { Dispatcher } from 'undici';
import { guardPolicy, type GuardSettings } from '../../core/ssrf/guard-policy.ts';
import { monotonicMs, now } from '../../platform/clock.ts';
import { createAddressGuard } from './address-guard.ts';
import { systemResolve } from './bounded-lookup.ts';
import { createExchange } from './exchange.ts';
import { failed, networkFailure } from './network-failure.ts';
import { DEFAULT_LIMITS, type FetchLimits } from './fetch-limits.ts';
import { createGuardedDispatcher, type Dial } from './guarded-dispatcher.ts';
import type { Fetcher, FetchOutcome, FetchRequest } from '../port.ts';
import type { ProxyTarget } from './proxied-dispatch.ts';
import type { ProxySettings } from './proxy-settings.ts';
import type { ResolveName } from './resolve-name.ts';
import type { SignRequest } from './sign-request.ts';
import { createTimeoutWatchdog, type TimeoutWatchdog } from './timeout-watchdog.ts';

export interface HttpFetcherOptions extends GuardSettings, Partial<FetchLimits> {
  readonly userAgent: string;
  /** The ports that this program listens on: blocked, whatever the policy allows. */
  readonly ownPorts?: () => readonly number[];
  /** The operator's, from the environment. */
  readonly proxies?: ProxySettings | null;
  readonly proxyTarget?: ProxyTarget;
  /** Proves to sites who sends a request; null sends it without a signature. */
  readonly sign?: SignRequest | null;
  readonly resolve?: ResolveName;
  readonly dial?: Dial;
}

export function createHttpFetcher(options: HttpFetcherOptions): Fetcher {
  const limits: FetchLimits = { ...DEFAULT_LIMITS, ...options };
  const guard = createAddressGuard({
    policy: guardPolicy(options),
    resolve: options.resolve ?? systemResolve,
    dnsTimeoutMs: limits.dnsTimeoutMs,
    ...(options.ownPorts === undefined ? {} : { ownPorts: options.ownPorts }),
  });
  const client = createGuardedDispatcher({
    guard,
    connectTimeoutMs: limits.connectTimeoutMs,
    maxHeaderBytes: limits.maxHeaderBytes,
    proxies: options.proxies ?? null,
    proxyTarget: options.proxyTarget ?? 'name',
    ...(options.dial === undefined ? {} : { dial: options.dial }),
  });
  const watchdog = createTimeoutWatchdog(checkIntervalMs(limits), monotonicMs);

  return {
    async fetch(request, signal) {
      signal?.throwIfAborted();
      const verdict = guard.check(request.url);
      if (!verdict.admit) return guardFailure(verdict.reason);
      return sendRequest(request, verdict.url, {
        limits,
        dispatcher: client.dispatcher,
        watchdog,
        userAgent: options.userAgent,
        sign: options.sign ?? null,
        signal,
      });
    },
    async close() {
      watchdog.close();
      await client.destroy();
    },
  };
}

interface RequestContext {
  readonly limits: FetchLimits;
  readonly dispatcher: Dispatcher;
  readonly watchdog: TimeoutWatchdog;
  readonly userAgent: string;
  readonly sign: SignRequest | null;
  readonly signal: AbortSignal | undefined;
}

function sendRequest(request: FetchRequest, url: URL, context: RequestContext): Promise<FetchOutcome> {
  const { limits, dispatcher, watchdog, signal } = context;
  const { promise, resolve, reject } = Promise.withResolvers<FetchOutcome>();
  const exchange = createExchange({
    request,
    limits,
    nowMs: monotonicMs,
    wallMs: now,
    settle(outcome) {
      signal?.removeEventListener('abort', onAbort);
      resolve(outcome);
    },
  });
  const onAbort = (): void => {
    reject(signal?.reason as Error);
    exchange.end(failed('fetch.failed', 'aborted', true));
  };
  watchdog.add(exchange.check);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.post === undefined ? 'GET' : 'POST',
        headers: { ...headersOf(request, context.userAgent), ...context.sign?.(url) },
        ...(request.post === undefined ? {} : { body: request.post.text }),
      },
      exchange.handler,
    );
  } catch (error) {
    exchange.end(networkFailure(error));
  }
  return promise;
}

/** Headers that belong to the connection or decide where the request goes; a caller cannot set them. */
const RESERVED_HEADERS =
  /^(host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|te|trailer|upgrade|expect|proxy-.*)$/;

function headersOf(request: FetchRequest, userAgent: string): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: request.accept ?? ACCEPT_HEADER,
    'accept-encoding': 'gzip, deflate, br, zstd',
  };
  if (request.post !== undefined) headers['content-type'] = request.post.mediaType;
  if (request.etag) headers['if-none-match'] = request.etag;
  if (request.lastModified) headers['if-modified-since'] = request.lastModified;
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const lower = name.toLowerCase();
    if (!RESERVED_HEADERS.test(lower)) headers[lower] = value;
  }
  return headers;
}

/** The outcome of a URL that the guard refuses by its form. */
export function guardFailure(reason: string): Extract<FetchOutcome, { kind: 'failed' }> {
  if (reason === 'invalid-url') return failed('url.invalid', reason, false);
  if (reason === 'scheme-not-allowed') return failed('fetch.unsupported-scheme', reason, false);
  return failed('fetch.blocked-address', reason, false);
}

/** A quarter of the shortest deadline, between 10 and 250 ms. */
function checkIntervalMs(limits: FetchLimits): number {
  const shortest = Math.min(limits.headerTimeoutMs, limits.idleTimeoutMs, limits.timeoutMs, limits.rateWindowMs);
  return Math.max(10, Math.min(250, shortest / 4));
}
