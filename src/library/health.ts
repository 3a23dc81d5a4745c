// What a server tells of itself: whether it can be asked, and figures for whoever watches it.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { countPages } from './count-pages.ts';
import type { Store } from '../store/port.ts';

export interface ServerFacts {
  /** Null when all is well, else what is not. */
  readonly readiness: () => Promise<string | null>;
  readonly gauges: () => Promise<Readonly<Record<string, number>>>;
}

/** A run that nobody took up for so long has no worker. */
const UNWORKED_MS = 60_000;
const LOOP_RESOLUTION_MS = 10;

export function createServerFacts(store: Store, now: () => number): ServerFacts {
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  return {
    async readiness() {
      try {
        const live = await store.runs.live();
        const unworked = live.find((run) => run.startedAt === null && now() - run.createdAt.getTime() > UNWORKED_MS);
        return unworked === undefined ? null : `nothing works on run ${unworked.id}`;
      } catch {
        return 'the database does not answer';
      }
    },
    async gauges() {
      const [{ sources, total: pages }, live, unindexed, lagMs] = await Promise.all([
        countPages(store),
        store.runs.live(),
        store.searchRows.lag(),
        store.searchRows.lagMs(),
      ]);
      const { rss, heapUsed } = process.memoryUsage();
      const sizes = { resident_memory_bytes: rss, heap_used_bytes: heapUsed, uptime_seconds: process.uptime() };
      const loopDelay = {
        event_loop_delay_p99_seconds: loop.percentile(99) / 1e9,
        event_loop_delay_max_seconds: loop.max / 1e9,
      };
      // The figures are of the time since they were asked for last.
      loop.reset();
      return {
        ...loopDelay,
        sources: sources.length,
        pages,
        runs_live: live.length,
        pages_unindexed: unindexed,
        index_lag_seconds: lagMs / 1000,
        ...sizes,
      };
    },
  };
}
