// The claim loop: claims due URLs up to a worker's concurrency, processes them, renews their leases, and releases the
// rest when it is stopped.

import type { Reason } from '../../core/outcome/reasons.table.ts';
import { hostOf } from '../../core/model/page-url.ts';
import { createByteBudget } from '../context/byte-budget.ts';
import type { CrawlPorts } from '../context/ports.ts';
import { isStatementTimeout, isTransient, retryWhileUnavailable } from '../context/retry.ts';
import type { LoadRunRules, RunRules } from '../context/run-rules.ts';
import { ingestFile } from '../files/ingest-file.ts';
import type { OpenLocalSource } from '../files/open-local-source.ts';
import { createDiskFullPause } from './disk-full-pause.ts';
import { createIdleSleep } from './idle-sleep.ts';
import { createSettlementBatcher } from './settlement-batcher.ts';
import type { CrawlContext } from '../page/crawl-context.ts';
import { crawlPage, type SlottedClaim } from '../page/crawl-page.ts';
import type { RunActivity } from '../run/run-activity.ts';
import { overflowReason } from '../run/run-limits.ts';
import type { Store } from '../../store/port.ts';
import type { Claim, Settlement } from '../../store/port/frontier.ts';
import { sleepOrAbort } from '../../platform/clock.ts';

/** Loads what a claim's run needs: the rules of a crawl, or the folder that it reads. */
export interface RunLoaders {
  readonly loadRunRules: LoadRunRules;
  readonly openLocalSource: OpenLocalSource;
}

/**
 * A URL one crash short of being quarantined. The neighbours of a poison page crash with it each time, so it is retried
 * in isolation to tell which one it is.
 */
function mayBeQuarantined(crashes: number, quarantineAfterCrashes: number): boolean {
  return quarantineAfterCrashes > 1 && crashes === quarantineAfterCrashes - 1;
}

function withPageLimit(settlement: Settlement, { settings: { maxPages } }: RunRules): Settlement {
  if (maxPages === null) return settlement;
  return { ...settlement, pageLimit: { pages: maxPages, reason: overflowReason(maxPages) } };
}

/** Why work on a claim was aborted: another worker has it, or its run was stopped. */
const LOST = new Error('the claim is lost');

type UnbudgetedClaim = Omit<SlottedClaim, 'reservation'>;

/** Slots of one host that were reserved together form a burst. */
function withBurst(claims: readonly Claim[], reservedAtMs: number): readonly UnbudgetedClaim[] {
  const last = new Map<string, number>();
  for (const { url, startsInMs } of claims) last.set(hostOf(url), Math.max(last.get(hostOf(url)) ?? 0, startsInMs));
  return claims.map((claim) => ({
    claim,
    reservedAtMs,
    burstMs: (last.get(hostOf(claim.url)) ?? 0) - claim.startsInMs,
  }));
}

/** False if even that fails: then the lease expires. */
async function releaseClaim(claim: Claim, { store, log }: CrawlPorts, signal: AbortSignal): Promise<boolean> {
  const logWaiting = (error: unknown): void =>
    log.warn('waiting for the database to release a claim', { url: claim.url, error });
  const releasing = retryWhileUnavailable(() => store.frontier.release([claim]), signal, logWaiting).then(() => true);
  return releasing.catch(() => false);
}

/** Releases it if the page is not to blame. */
async function abandonClaim(claim: Claim, error: unknown, deps: CrawlContext, signal: AbortSignal): Promise<void> {
  const { ports } = deps;
  if (signal.reason === LOST) return ports.log.debug('work on a lost claim aborted', { url: claim.url });
  if (signal.aborted || isTransient(error)) {
    if (await releaseClaim(claim, ports, signal)) return;
  } else if (isStatementTimeout(error) && (await postponeClaim(claim, error.code, deps))) {
    return ports.log.warn('page postponed: the database took too long to store it', { url: claim.url, error });
  }
  ports.log.error('claim abandoned after an error; it is retried when its lease expires', { url: claim.url, error });
}

/** A page that the database cannot store in time is tried again later; its attempts are limited as those of any other. */
async function postponeClaim(claim: Claim, reason: Reason, { ports, limits }: CrawlContext): Promise<boolean> {
  const outcome = { kind: 'retry', reason, inMs: limits.leaseMs } as const;
  const settling = ports.store.frontier.settle([{ claim, outcome, links: [], excluded: [], bytes: 0 }]);
  return settling.then(
    () => true,
    () => false,
  );
}

export interface ClaimLoop {
  readonly claim: (signal: AbortSignal) => Promise<void>;
  readonly renew: (signal: AbortSignal) => Promise<void>;
}

const IDLE_MS = 50;
/** How far ahead of a host's rate URLs are claimed: enough to keep a rate-limited host busy between two claims. */
const AHEAD_MS = 1000;

/** However often runs are announced. */
const MIN_RENEW_MS = 200;

/**
 * Renews at intervals. Whenever a run changes it only asks, since a stop may have dropped claims: with many workers, runs change all the time.
 * Work on a claim that is lost is aborted, since its settlement would be superseded.
 */
export async function renewInFlight(
  inFlight: Pick<InFlightClaims, 'claims' | 'abort'>,
  { ports, limits, clock }: Pick<CrawlContext, 'ports' | 'limits' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const { frontier, wakeups } = ports.store;
  let seen = wakeups.count('runs');
  let renewedMs = clock.nowMs();
  const untilRenewalMs = (): number => renewedMs + limits.renewMs - clock.nowMs();
  while (!signal.aborted) {
    await sleepOrAbort(MIN_RENEW_MS, signal);
    seen = await wakeups.next('runs', seen, Math.max(0, untilRenewalMs()), signal);
    const claims = inFlight.claims();
    const isRenewal = untilRenewalMs() <= 0;
    if (isRenewal) renewedMs = clock.nowMs();
    if (claims.length === 0) continue;
    const held = new Set(await (isRenewal ? frontier.renew(claims, limits.leaseMs) : frontier.held(claims)));
    for (const claim of claims) if (!held.has(claim)) inFlight.abort(claim);
  }
}

/** A claim is a transaction, so while nothing can be due the loop only asks when something will be. */
function createDueSleep({ frontier, wakeups }: Store): (signal: AbortSignal) => Promise<void> {
  const idle = createIdleSleep(wakeups, 'urls', IDLE_MS);
  return async (signal) => {
    let dueInMs = await frontier.dueInMs();
    // Due already and not claimed: its host is saturated, or another worker was first.
    if (dueInMs !== null && dueInMs <= 0) return sleepOrAbort(IDLE_MS, signal);
    while (!signal.aborted && (dueInMs === null || dueInMs > 0)) {
      await idle.sleep(signal, dueInMs ?? Infinity);
      dueInMs = await frontier.dueInMs();
    }
    idle.reset();
  };
}

export interface ClaimLoopDeps extends CrawlContext {
  readonly activity: Pick<RunActivity, 'settled'>;
}

export function createClaimLoop(worker: string, deps: ClaimLoopDeps, runs: RunLoaders): ClaimLoop {
  const { ports, limits, activity } = deps;
  const { store, log } = ports;
  const inFlight = createInFlightClaims(limits.concurrency);
  const batcher = createSettlementBatcher({ store, log, inFlight: inFlight.size });
  const unlessDiskFull = createDiskFullPause(store, log);
  const byteBudget = createByteBudget(limits.maxInFlightBytes);
  const sleepUntilDue = createDueSleep(store);

  /** `own` is aborted with `signal`, and when this claim is lost; a settlement is shared with other claims. */
  async function work(slotted: UnbudgetedClaim, own: AbortSignal, signal: AbortSignal): Promise<void> {
    const { claim } = slotted;
    const reservation = byteBudget.reservation();
    try {
      const local = await runs.openLocalSource(claim.run, own);
      if (local !== null) {
        await batcher.settle(await ingestFile(claim, local, { ...deps, reservation }, own), signal);
        return activity.settled(claim.run);
      }
      const rules = await runs.loadRunRules(claim.run);
      const result = await crawlPage({ ...slotted, reservation }, rules, deps, own);
      if (result.kind === 'release') return await store.frontier.release([claim]);
      const settled = await batcher.settle(withPageLimit(result.settlement, rules), signal);
      activity.settled(claim.run);
      if (settled === 'settled') rules.enqueuedLinks.add(result.links ?? []);
    } catch (error) {
      await abandonClaim(claim, error, deps, own);
    } finally {
      reservation.release();
    }
  }

  function begin(slotted: UnbudgetedClaim, after: Promise<unknown>, signal: AbortSignal): void {
    inFlight.add(slotted.claim, (own) => after.then(() => work(slotted, own, signal)));
    if (signal.aborted) inFlight.abortAll(signal.reason);
  }

  /**
   * Counted as in flight, so that its lease is renewed while those before it finish; claims taken with it are released.
   */
  async function workAlone(slotted: UnbudgetedClaim, claims: readonly Claim[], signal: AbortSignal): Promise<void> {
    begin(slotted, inFlight.allEnded(), signal);
    const others = claims.filter((claim) => claim !== slotted.claim);
    await retryWhileUnavailable(() => store.frontier.release(others), signal);
    await inFlight.allEnded();
  }

  return {
    async claim(signal) {
      const request = { worker, leaseMs: limits.leaseMs, aheadMs: AHEAD_MS, maxPerHost: inFlight.maxPerHost };
      signal.addEventListener('abort', () => inFlight.abortAll(signal.reason), { once: true });
      while (!signal.aborted) {
        const limit = await inFlight.capacity(signal);
        const next = { ...request, limit, excludedHosts: inFlight.saturatedHosts() };
        const claims = limit > 0 ? await unlessDiskFull(() => store.frontier.claim(next), signal) : [];
        const reservedAtMs = deps.clock.nowMs();
        const suspect = claims.find(({ crashes }) => mayBeQuarantined(crashes, limits.quarantineAfterCrashes));
        if (suspect !== undefined) await workAlone({ claim: suspect, reservedAtMs, burstMs: 0 }, claims, signal);
        else for (const slotted of withBurst(claims, reservedAtMs)) begin(slotted, Promise.resolve(), signal);
        if (claims.length === 0 && limit > 0) await sleepUntilDue(signal);
      }
      await inFlight.allEnded();
    },
    renew: (signal) => renewInFlight(inFlight, deps, signal),
  };
}

/** The claims that a worker has in flight, and how it waits for capacity to take more. */
export interface InFlightClaims {
  readonly size: () => number;
  readonly claims: () => readonly Claim[];
  /** How many URLs of one rate-limited host are claimed together. */
  readonly maxPerHost: number;
  /** Rate-limited hosts with that many claims in flight. */
  readonly saturatedHosts: () => readonly string[];
  /** In flight until the work ends; its promise must not reject. */
  readonly add: (claim: Claim, work: (signal: AbortSignal) => Promise<void>) => void;
  /** Aborts the work on a claim that is lost. */
  readonly abort: (claim: Claim) => void;
  readonly abortAll: (reason: unknown) => void;
  /** Resolves when all claims in flight now have ended. */
  readonly allEnded: () => Promise<void>;
  /**
   * How many more claims fit: immediately if at least half of the capacity is free, otherwise after a short wait for
   * more to end.
   */
  readonly capacity: (signal: AbortSignal) => Promise<number>;
}

/** A claim costs one transaction for one URL or for many, so it waits for capacity, but not long: a host may be due. */
const GATHER_MS = 20;

/** An unresponsive host occupies at most one of so many shares, and the others continue. */
const HOST_SHARES = 4;

/** Two keep a host busy while its last page is stored; however few there are, one is left for other hosts. */
function hostShare(max: number): number {
  return Math.max(1, Math.min(max - 1, Math.max(2, Math.floor(max / HOST_SHARES))));
}

const noop = (): void => undefined;

export function createInFlightClaims(max: number): InFlightClaims {
  const inFlight = new Map<Claim, { readonly ending: Promise<void>; readonly stop: AbortController }>();
  const enough = Math.ceil(max / 2);
  const maxPerHost = hostShare(max);
  let notifyFreed = noop;

  return {
    size: () => inFlight.size,
    claims: () => [...inFlight.keys()],
    maxPerHost,
    saturatedHosts() {
      const limited = [...inFlight.keys()].filter(({ delayMs }) => delayMs > 0);
      const hosts = Map.groupBy(limited, ({ url }) => hostOf(url));
      return [...hosts].filter(([, claims]) => claims.length >= maxPerHost).map(([host]) => host);
    },
    add(claim, work) {
      const stop = new AbortController();
      const ending = work(stop.signal).finally(() => {
        inFlight.delete(claim);
        if (max - inFlight.size >= enough) notifyFreed();
      });
      inFlight.set(claim, { ending, stop });
    },
    abort: (claim) => inFlight.get(claim)?.stop.abort(LOST),
    abortAll(reason) {
      for (const { stop } of inFlight.values()) stop.abort(reason);
    },
    async allEnded() {
      await Promise.allSettled([...inFlight.values()].map(({ ending }) => ending));
    },
    async capacity(signal) {
      if (max - inFlight.size < enough) {
        const freed = new Promise<void>((resolve) => (notifyFreed = resolve));
        await Promise.race([freed, sleepOrAbort(GATHER_MS, signal)]);
      }
      return max - inFlight.size;
    },
  };
}
