// Rate-limited fetches outside the frontier, of discovery files and further URLs of a page: each waits for a request
// slot of its host, carries the headers of the source, and reports its outcome to the rate tracker.

import { hostOf, type PageUrl } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import type { CrawlPorts } from '../context/ports.ts';
import type { RunRules } from '../context/run-rules.ts';
import { fetchFollowingRedirects } from '../../fetch/follow-redirects.ts';
import { runJitterMs, type CrawlClock, type HostRateLimiter } from './host-rate-limiter.ts';
import type { HostRateTracker } from './host-rate-tracker.ts';
import type { FetchedPage, FetchOutcome, FetchRequest } from '../../fetch/port.ts';

/** A host that asks for a longer pause is not waited for: a crawl continues without the file. */
const MAX_PAUSE_MS = 60_000;
/** After so many throttled requests in a row no pause is waited for. */
const MAX_THROTTLED = 3;

export type PoliteFetch = (request: FetchRequest) => Promise<FetchOutcome>;

export interface PoliteFetchDeps {
  readonly ports: Pick<CrawlPorts, 'fetcher'>;
  readonly rateTracker: HostRateTracker;
  readonly rateLimiter: HostRateLimiter;
}

/** Who sends a request: a run with the headers of its source, or no run in particular. */
export interface Requester {
  readonly run: RunId | null;
  /** The page was requested before in this run. */
  readonly isRetry?: boolean;
  readonly headersFor: (url: PageUrl) => Readonly<Record<string, string>>;
  /** The timeout and the jitter of the run. */
  readonly timeoutMs?: number | null;
  readonly jitterMs?: () => number;
}

export const NO_RUN: Requester = { run: null, headersFor: () => ({}) };

export function runRequester(
  run: RunId,
  { headers, settings }: Pick<RunRules, 'headers' | 'settings'>,
  { clock }: { readonly clock: CrawlClock },
): Requester {
  const jitterMs = (): number => runJitterMs(settings, clock.random());
  return { run, headersFor: headers.headersFor, timeoutMs: settings.requestTimeoutMs, jitterMs };
}

export function createPoliteFetch(
  { ports, rateTracker, rateLimiter }: PoliteFetchDeps,
  requester: Requester,
  signal: AbortSignal,
): PoliteFetch {
  let throttled = 0;
  return async (request) => {
    const host = hostOf(request.url);
    const pausedForMs = await rateTracker.pausedForMs(host, 0);
    if (pausedForMs > (throttled < MAX_THROTTLED ? MAX_PAUSE_MS : 0)) return hostPaused(pausedForMs);
    await rateLimiter.acquire(host, signal, requester.jitterMs?.() ?? 0);
    const { headersFor, timeoutMs = null } = requester;
    const outcome = await ports.fetcher.fetch({ ...request, timeoutMs, headers: headersFor(request.url) }, signal);
    const { run, isRetry = false } = requester;
    await rateTracker.observe({ run, isRetry, url: request.url }, outcome);
    throttled = outcome.kind === 'throttled' ? throttled + 1 : 0;
    return outcome;
  };
}

function hostPaused(pausedForMs: number): FetchOutcome {
  const reason = `its host is paused for ${Math.ceil(pausedForMs / 1000)} s`;
  return { kind: 'failed', code: 'fetch.throttled', reason, status: null, retryable: true };
}

const MAX_REDIRECTS = 5;

/** Such as llms.txt or a sitemap. */
export interface FetchedDiscoveryFile extends FetchedPage {
  /** After redirects. */
  readonly url: PageUrl;
}

export type DiscoveryFileOutcome =
  | ({ readonly kind: 'file' } & FetchedDiscoveryFile)
  /** Only if validators were sent. */
  | { readonly kind: 'unchanged' }
  /** The file does not exist or cannot be fetched; a crawl continues without it. */
  | { readonly kind: 'none'; readonly reason: string };

export type DiscoveryRequest = Pick<FetchRequest, 'accept' | 'cutAtBytes' | 'etag' | 'lastModified'>;

/** Why a URL must not be requested; null if it may be. */
export type RequestExclusion = (url: PageUrl) => Promise<string | null>;

/** Follows redirects; the start and every hop are judged before they are requested. */
export async function fetchDiscoveryFileOutcome(
  politeFetch: PoliteFetch,
  start: PageUrl,
  options: DiscoveryRequest,
  exclusionOf: RequestExclusion,
): Promise<DiscoveryFileOutcome> {
  const rule = await exclusionOf(start);
  if (rule !== null) return { kind: 'none', reason: rule };
  const { url, end } = await fetchFollowingRedirects(start, {
    request: (location) => politeFetch({ ...options, url: location }),
    maxRedirects: MAX_REDIRECTS,
    hopExclusion: ({ to }) => exclusionOf(to),
  });
  if (end.kind === 'broken') return { kind: 'none', reason: end.verdict.rule };
  if (end.kind === 'excluded') return { kind: 'none', reason: `redirected to ${url}: ${end.rule}` };
  const { outcome } = end;
  switch (outcome.kind) {
    case 'fetched':
      return { ...outcome, kind: 'file', url };
    case 'failed':
      return { kind: 'none', reason: `${outcome.code}: ${outcome.reason}` };
    case 'not-found':
    case 'throttled':
      return { kind: 'none', reason: `status ${outcome.status}` };
    case 'unchanged':
      return { kind: 'unchanged' };
  }
}
