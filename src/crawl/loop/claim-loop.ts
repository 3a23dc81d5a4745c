// Claims due URLs up to a worker's concurrency, works on them, keeps their leases alive, and hands back what is left when
// it is asked to stop.

import { hostOf } from '../../core/model/page-url.ts';
import type { Claim, Settlement } from '../../store/port.ts';
import { createByteRoom } from '../context/byte-budget.ts';
import { crawlPage, type Taken } from '../page/crawl-page.ts';
import type { PageDeps } from '../../operate/page-deps.ts';
import { createFullPause } from './disk-full-pause.ts';
import { createHeldClaims, type HeldClaims } from '../../operate/held-claims.ts';
import { ingestFile } from '../files/ingest-file.ts';
import type { LocalSourceOf } from '../files/open-local-source.ts';
import { mayPass, persistently, restFor } from '../context/retry.ts';
import { overflowReason } from '../run/run-limits.ts';
import type { RulesOf, RunRules } from '../context/run-rules.ts';
import { createSettleQueue } from './settlement-batcher.ts';
import type { CrawlStages } from '../context/ports.ts';

/** What is known of a claim's run: the rules of a crawl, or the folder that it reads. */
export interface RunKnowledge {
  readonly rulesOf: RulesOf;
  readonly localSourceOf: LocalSourceOf;
}

/**
 * A URL one death short of being set aside. The neighbours of a deadly page die with it each time, so whether it is the
 * one is seen when it is alone.
 */
function isSuspect(crashes: number, poisonAfterCrashes: number): boolean {
  return poisonAfterCrashes > 1 && crashes === poisonAfterCrashes - 1;
}

function withPageLimit(settlement: Settlement, { settings: { maxPages } }: RunRules): Settlement {
  if (maxPages === null) return settlement;
  return { ...settlement, pageLimit: { pages: maxPages, reason: overflowReason(maxPages) } };
}

type Turned = Omit<Taken, 'place'>;

/** Turns of one host that were taken together are a row. */
function inRows(claims: readonly Claim[], takenAtMs: number): readonly Turned[] {
  const last = new Map<string, number>();
  for (const { url, startsInMs } of claims) last.set(hostOf(url), Math.max(last.get(hostOf(url)) ?? 0, startsInMs));
  return claims.map((claim) => ({ claim, takenAtMs, rowMs: (last.get(hostOf(claim.url)) ?? 0) - claim.startsInMs }));
}

/** False where even that cannot be done: then the lease ends by itself. */
async function release(claim: Claim, { store, log }: CrawlStages, signal: AbortSignal): Promise<boolean> {
  const tellWaiting = (error: unknown): void =>
    log.warn('a page waits for the database to be handed back', { url: claim.url, error });
  const releasing = persistently(() => store.frontier.release([claim]), signal, tellWaiting).then(() => true);
  return releasing.catch(() => false);
}

export interface ClaimCrawler {
  readonly claim: (signal: AbortSignal) => Promise<void>;
  readonly renew: (signal: AbortSignal) => Promise<void>;
}

const IDLE_MS = 50;
/** How far ahead of a host's pace URLs are taken: enough to keep a paced host busy between two claims. */
const AHEAD_MS = 1000;

async function renewHeld(held: HeldClaims, { stages, limits }: PageDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await restFor(limits.renewMs, signal);
    if (held.size() > 0) await stages.store.frontier.renew(held.claims(), limits.leaseMs);
  }
}

export function createClaimCrawler(worker: string, deps: PageDeps, runs: RunKnowledge): ClaimCrawler {
  const { stages, limits } = deps;
  const { store, log } = stages;
  const held = createHeldClaims(limits.concurrency);
  const settleQueue = createSettleQueue({ store, log, inWork: held.size });
  const withinRoom = createFullPause(store, log);
  const byteRoom = createByteRoom(limits.maxBytesInWork);

  async function work(turned: Turned, signal: AbortSignal): Promise<void> {
    const { claim } = turned;
    const place = byteRoom.place();
    try {
      const local = await runs.localSourceOf(claim.run);
      if (local !== null) {
        await settleQueue.settle(await ingestFile(claim, local, { ...deps, place }, signal), signal);
        return;
      }
      const rules = await runs.rulesOf(claim.run);
      const result = await crawlPage({ ...turned, place }, rules, deps, signal);
      if (result.kind === 'release') return await store.frontier.release([claim]);
      const settled = await settleQueue.settle(withPageLimit(result.settlement, rules), signal);
      if (settled === 'settled') rules.seenLinks.remember(result.links ?? []);
    } catch (error) {
      const released = signal.aborted || mayPass(error) ? await release(claim, stages, signal) : false;
      if (!released) log.error('a page was left to its lease', { url: claim.url, error });
    } finally {
      place.leave();
    }
  }

  function begin(taken: Turned, after: Promise<unknown>, signal: AbortSignal): void {
    held.hold(
      taken.claim,
      after.then(() => work(taken, signal)),
    );
  }

  /** Held, so that its lease lives while those before it end; whoever was claimed with it is left to others. */
  async function workAlone(taken: Turned, claims: readonly Claim[], signal: AbortSignal): Promise<void> {
    begin(taken, held.ended(), signal);
    const others = claims.filter((claim) => claim !== taken.claim);
    await persistently(() => store.frontier.release(others), signal);
    await held.ended();
  }

  return {
    async claim(signal) {
      const request = { worker, leaseMs: limits.leaseMs, aheadMs: AHEAD_MS, mostOfHost: held.mostOfHost };
      while (!signal.aborted) {
        const limit = await held.room(signal);
        const next = { ...request, limit, without: held.crowdedHosts() };
        const claims = limit > 0 ? await withinRoom(() => store.frontier.claim(next), signal) : [];
        const takenAtMs = deps.clock.nowMs();
        const suspect = claims.find(({ crashes }) => isSuspect(crashes, limits.poisonAfterCrashes));
        if (suspect !== undefined) await workAlone({ claim: suspect, takenAtMs, rowMs: 0 }, claims, signal);
        else for (const taken of inRows(claims, takenAtMs)) begin(taken, Promise.resolve(), signal);
        if (claims.length === 0 && limit > 0) await restFor(IDLE_MS, signal);
      }
      await held.ended();
    },
    renew: (signal) => renewHeld(held, deps, signal),
  };
}
