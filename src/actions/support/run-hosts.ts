// The hosts of a run as every interface shows them: what was requested from each, and how fast it may be requested.

import { z } from 'zod';
import type { Store } from '../../store/port.ts';
import type { HostState } from '../../store/port/hosts.ts';
import type { Run, RunHost } from '../../store/port/runs.ts';

export const HostView = z.object({
  host: z.string(),
  requests: z.int(),
  pages: z.int().describe('New, changed and unchanged pages'),
  errors: z.int().describe('Requests without a usable answer'),
  bytes: z.int(),
  lastStatus: z.int().nullable().describe('HTTP status of the last answer; null if there was none'),
  lastAt: z.iso.datetime().nullable().describe('When it was last requested'),
  rpm: z.int().describe('Requests in the last minute; 0 for an ended run'),
  limitRpm: z.int().nullable().describe('Requests a minute that its delay allows; null if there is no delay'),
  backoffUntil: z.iso.datetime().nullable().describe('No requests before; null if it is not paused'),
  delayMs: z.int().describe('Delay between two requests; of an ended run, that at its end'),
  crawlDelayMs: z.int().nullable().describe('Crawl-delay of robots.txt'),
  pausedForMs: z.int(),
  breaker: z.enum(['closed', 'open', 'half-open']).describe('open: no requests, because it keeps failing'),
  failures: z.int().describe('Consecutive failures'),
});

export type HostView = z.output<typeof HostView>;

export const PerHost = z.record(
  z.string(),
  z.object({
    rpm: z.int(),
    limitRpm: z.int().nullable(),
    backoffUntil: z.iso.datetime().nullable(),
    intervalMs: z.int(),
    pages: z.int(),
    errors: z.int(),
    lastStatus: z.int().nullable(),
  }),
);

/** Most requests first. Of a live run also hosts that were not requested yet. */
export async function loadHosts(store: Store, run: Run, limit: number): Promise<HostView[]> {
  const requested = await store.runs.hosts(run.id, limit);
  const states = new Map((await store.hosts.list(run.id)).map((state) => [state.host, state]));
  const known = new Set(requested.map(({ host }) => host));
  const waiting = [...states.values()].filter(({ host }) => !known.has(host));
  return [
    ...requested.map((metrics) => hostView(metrics, states.get(metrics.host), run.readAt)),
    ...waiting.map((state) => hostView({ ...NOTHING, host: state.host, delayMs: state.delayMs }, state, run.readAt)),
  ].slice(0, limit);
}

const NOTHING = { requests: 0, pages: 0, errors: 0, bytes: 0, lastStatus: null, lastAt: null, requestsPerMinute: 0 };

type HostMetrics = Omit<RunHost, 'lastAt'> & { readonly lastAt: Date | null };

/** A host of an ended run. */
const AT_REST = { crawlDelayMs: null, pausedForMs: 0, breaker: 'closed', failures: 0 } as const;

function hostView(metrics: HostMetrics, state: HostState | undefined, now: Date): HostView {
  const { host, requests, pages, errors, bytes, lastStatus, lastAt, requestsPerMinute: rpm } = metrics;
  const { crawlDelayMs, pausedForMs, breaker, failures } = state ?? AT_REST;
  const delayMs = state?.delayMs ?? metrics.delayMs ?? 0;
  const intervalMs = intervalOf({ delayMs, crawlDelayMs });
  return {
    host,
    requests,
    pages,
    errors,
    bytes,
    lastStatus,
    lastAt: lastAt?.toISOString() ?? null,
    rpm,
    limitRpm: intervalMs === 0 ? null : Math.round(MINUTE_MS / intervalMs),
    backoffUntil: pausedForMs > 0 ? new Date(now.getTime() + pausedForMs).toISOString() : null,
    delayMs,
    crawlDelayMs,
    pausedForMs,
    breaker,
    failures,
  };
}

const MINUTE_MS = 60_000;

/** The time between two requests. */
function intervalOf({ delayMs, crawlDelayMs }: Pick<HostView, 'delayMs' | 'crawlDelayMs'>): number {
  return Math.max(delayMs, crawlDelayMs ?? 0);
}

/** Hosts keyed by name, as in a frame of the event stream. */
export function perHostOf(hosts: readonly HostView[]): z.output<typeof PerHost> {
  return Object.fromEntries(
    hosts.map(({ host, rpm, limitRpm, backoffUntil, pages, errors, lastStatus, ...delays }) => [
      host,
      { rpm, limitRpm, backoffUntil, intervalMs: intervalOf(delays), pages, errors, lastStatus },
    ]),
  );
}
