// What a server tells of itself: whether it can be asked, and figures for whoever watches it.

import type { Store } from '../store/port.ts';

export interface ServerFacts {
  /** Null when all is well, else what is not. */
  readonly readiness: () => Promise<string | null>;
  readonly gauges: () => Promise<Readonly<Record<string, number>>>;
}

/** A run that nobody took up for so long has no worker. */
const UNWORKED_MS = 60_000;

export function createServerFacts(store: Store, now: () => number): ServerFacts {
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
      const [sources, live, unindexed] = await Promise.all([
        store.sources.list(),
        store.runs.live(),
        store.searchRows.lag(),
      ]);
      const pages = sources.flatMap(({ versions }) => versions).reduce((sum, version) => sum + version.pages, 0);
      const { rss, heapUsed } = process.memoryUsage();
      const sizes = { resident_memory_bytes: rss, heap_used_bytes: heapUsed, uptime_seconds: process.uptime() };
      return { sources: sources.length, pages, runs_live: live.length, pages_unindexed: unindexed, ...sizes };
    },
  };
}
