// One worker: loops side by side that share nothing but the store. Any number of workers may run at once.

import { keepEmbedding, type KeepEmbeddingDeps } from './loop/embed-loop.ts';
import { createClaimCrawler } from './loop/claim-loop.ts';
import { keepSchedules } from '../operate/keep-schedules.ts';
import { keepIndexing } from './loop/index-loop.ts';
import { conductRun } from './run/coordinate-run.ts';
import { createPageDeps } from './page/crawl-context.ts';
import { persist, persistently, restFor } from './context/retry.ts';
import { createLocalSourceOf } from './files/open-local-source.ts';
import type { RunLease } from '../store/port.ts';
import type { CrawlLimits, CrawlStages } from './context/ports.ts';

export interface Worker {
  /** Works until the signal says stop; then finishes or hands back what is in flight. */
  run(signal: AbortSignal): Promise<void>;
}

export type Embedding = Pick<KeepEmbeddingDeps, 'openEmbedder' | 'leaseMs' | 'tellBusy'>;

export interface WorkerDeps {
  readonly id: string;
  readonly stages: CrawlStages;
  readonly limits: CrawlLimits;
  /** None where no vectors are wanted. */
  readonly embedding?: Embedding | null;
  readonly now: () => number;
  readonly random: () => number;
}

const LOOK_FOR_RUNS_MS = 100;

export function createWorker({ id, stages, limits, embedding = null, now, random }: WorkerDeps): Worker {
  const { store, log } = stages;
  const pageDeps = createPageDeps({ stages, limits, now, random });
  const { rulesOf } = pageDeps;
  const localSourceOf = createLocalSourceOf(store, stages.local);
  const crawler = createClaimCrawler(id, pageDeps, { rulesOf, localSourceOf });

  async function conduct(lease: RunLease, signal: AbortSignal): Promise<void> {
    const tellWaiting = (error: unknown): void =>
      log.warn('a run waits for the database', { run: lease.run.id, error });
    try {
      await persistently(() => conductRun(lease, { ...pageDeps, localSourceOf }, signal), signal, tellWaiting);
    } catch (error) {
      if (!signal.aborted) log.error('a run was left to its lease', { run: lease.run.id, error });
    }
  }

  async function conductRuns(signal: AbortSignal): Promise<void> {
    const conducting = new Set<Promise<void>>();
    while (!signal.aborted) {
      const lease = await store.runs.lease(id, limits.leaseMs);
      if (lease === null) {
        await restFor(LOOK_FOR_RUNS_MS, signal);
        continue;
      }
      const run = conduct(lease, signal).finally(() => conducting.delete(run));
      conducting.add(run);
    }
    await Promise.allSettled(conducting);
  }

  const indexChunks = (signal: AbortSignal): Promise<void> => keepIndexing(store.searchRows, signal);

  const startDue = (signal: AbortSignal): Promise<void> => keepSchedules({ store, log, random }, signal);

  const embed =
    embedding === null
      ? null
      : (signal: AbortSignal) => keepEmbedding({ id, store, log, now, random, ...embedding }, signal);

  return {
    async run(signal) {
      const { claim, renew } = crawler;
      const loops = { conductRuns, claim, renew, indexChunks, startDue, ...(embed === null ? {} : { embed }) };
      const failed = new AbortController();
      const stop = AbortSignal.any([signal, failed.signal]);
      const running = Object.entries(loops).map(async ([name, loop]) => {
        await persist(name, loop, stop, log).finally(() => failed.abort());
      });
      const ends = await Promise.allSettled(running);
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}
