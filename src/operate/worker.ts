// One worker: conducts runs that have no conductor, claims due URLs up to its concurrency, keeps its leases alive, and
// hands back what it holds when it is asked to stop.

import { hostOf } from '../core/model/page-url.ts';
import type { RunId } from '../core/model/run.ts';
import type { Claim } from '../store/port.ts';
import { conductRun } from './conduct-run.ts';
import { crawlPage, type PageDeps } from './crawl-page.ts';
import { createRobotsKeeper } from './robots-keeper.ts';
import { createRulesOf } from './run-rules.ts';
import { createSettleQueue } from './settle-queue.ts';
import type { CrawlLimits, CrawlStages } from './stages.ts';
import { waitFor } from './wait-for.ts';

export interface Worker {
  /** Works until the signal says stop; then finishes or hands back what is in flight. */
  run(signal: AbortSignal): Promise<void>;
}

export interface WorkerDeps {
  readonly id: string;
  readonly stages: CrawlStages;
  readonly limits: CrawlLimits;
  readonly now: () => number;
  readonly random: () => number;
}

const IDLE_MS = 50;
const INDEX_PAGES = 50;
/** How far ahead of a host's pace URLs are taken: enough to keep a paced host busy between two claims. */
const AHEAD_MS = 1000;

export function createWorker({ id, stages, limits, now, random }: WorkerDeps): Worker {
  const { store, log } = stages;
  const robots = createRobotsKeeper(stages, now);
  const rulesOf = createRulesOf(store);
  const settleQueue = createSettleQueue(store);
  const pageDeps: PageDeps = { stages, limits, robots, random };
  const held = new Map<Claim, Promise<void>>();
  const conducting = new Map<RunId, Promise<void>>();

  async function work(claim: Claim, signal: AbortSignal): Promise<void> {
    try {
      await waitFor(claim.startsInMs, signal);
      const result = await crawlPage(claim, await rulesOf(claim.run), pageDeps, signal);
      if (result.kind === 'settle') await settleQueue.settle(result.settlement);
      else await pause(claim, result.pauseMs);
    } catch (error) {
      if (signal.aborted) await store.frontier.release([claim]);
      else log.error('a page was left to its lease', { url: claim.url, error });
    }
  }

  async function pause(claim: Claim, pauseMs: number): Promise<void> {
    await store.hosts.adjust(hostOf(claim.url), (state) => ({
      ...state,
      pausedForMs: Math.max(state.pausedForMs, pauseMs),
    }));
    await store.frontier.release([claim]);
  }

  async function claimLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const limit = limits.concurrency - held.size;
      const claims =
        limit > 0 ? await store.frontier.claim({ worker: id, limit, leaseMs: limits.leaseMs, aheadMs: AHEAD_MS }) : [];
      for (const claim of claims)
        held.set(
          claim,
          work(claim, signal).finally(() => held.delete(claim)),
        );
      if (claims.length === 0)
        await Promise.race([waitFor(IDLE_MS, signal).catch(() => undefined), ...(limit > 0 ? [] : held.values())]);
    }
    await Promise.allSettled(held.values());
  }

  async function conductLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const lease = await store.runs.lease(id, limits.leaseMs);
      if (lease === null) await waitFor(IDLE_MS * 2, signal).catch(() => undefined);
      else
        conducting.set(
          lease.run.id,
          conduct(lease, signal).finally(() => conducting.delete(lease.run.id)),
        );
    }
    await Promise.allSettled(conducting.values());
  }

  async function conduct(lease: Parameters<typeof conductRun>[0], signal: AbortSignal): Promise<void> {
    try {
      await conductRun(lease, { stages, limits, robots, rulesOf }, signal);
    } catch (error) {
      if (!signal.aborted) log.error('a run was left to its lease', { run: lease.run.id, error });
    }
  }

  async function renewLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await waitFor(limits.renewMs, signal).catch(() => undefined);
      if (held.size > 0 && !signal.aborted) await store.frontier.renew([...held.keys()], limits.leaseMs);
    }
  }

  async function indexLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if ((await store.searchRows.index(INDEX_PAGES)) === 0) await waitFor(IDLE_MS * 4, signal).catch(() => undefined);
    }
  }

  return {
    async run(signal) {
      const loops = [claimLoop, conductLoop, renewLoop, indexLoop].map((loop) => persistently(loop, signal, log));
      await Promise.all(loops);
    },
  };
}

/** A database that is away for a while ends no worker: the loop goes on when it is back. */
async function persistently(
  loop: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  log: CrawlStages['log'],
): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      await loop(signal);
    } catch (error) {
      log.warn('a loop of the worker failed and goes on', { loop: loop.name, error });
      await waitFor(Math.min(10_000, 200 * 2 ** Math.min(failures, 6)), signal).catch(() => undefined);
    }
  }
}
