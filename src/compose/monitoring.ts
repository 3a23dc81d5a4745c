// The metrics of a process that crawls: counts of all its threads, its own use of the machine, and on a server the state
// of the library.

import { createProcessGauges, createReadiness } from '../library/health.ts';
import { readCrawlActivity, type CrawlActivity } from '../library/library-state.ts';
import { createMetrics, gauge, type Metrics, type MetricSample } from '../platform/metrics.ts';
import type { Watchdog } from '../platform/watchdog.ts';
import type { CallAction } from '../serve/call-action.ts';
import type { CrawlHealth, Monitoring } from '../serve/http/http-deps.ts';
import type { SearchIndex } from '../index/port.ts';
import type { Store } from '../store/port.ts';
import type { CrawlThread } from './start-crawl-thread.ts';
import type { QueryThread } from './start-query-thread.ts';

interface MonitoredThreads {
  readonly crawl: Pick<CrawlThread, 'metrics'>;
  readonly query: Pick<QueryThread, 'readLibraryState'> | null;
  readonly watchdog: Pick<Watchdog, 'blocks'> | null;
}

/** Without a query thread for a worker: the servers of the library report its state. */
export function createMonitoring(
  store: Store,
  index: Pick<SearchIndex, 'problem'>,
  { crawl, query: queryThread, watchdog }: MonitoredThreads,
): Monitoring {
  const processGauges = createProcessGauges(store.engine);
  const ownSamples = (): readonly MetricSample[] => [
    ...processGauges(),
    ...crawl.metrics(),
    ...(watchdog === null ? [] : [gauge('main_thread_blocks_total', watchdog.blocks())]),
  ];
  return {
    metrics: createMetrics(['searches_total', 'search_duration_seconds']),
    readiness: createReadiness(store),
    async samples() {
      if (queryThread === null) return ownSamples();
      const isIncomplete = (await index.problem().catch(() => null)) !== null;
      const state = [
        gauge('index_incomplete', isIncomplete ? 1 : 0),
        ...(await queryThread.readLibraryState()).samples,
      ];
      return [...ownSamples(), ...state];
    },
    async crawlHealth() {
      const state = await queryThread?.readLibraryState();
      return crawlHealthOf(state?.activity ?? (await readCrawlActivity(store)));
    },
  };
}

function crawlHealthOf({ running, paused, queueSize, lastProgressAt }: CrawlActivity): CrawlHealth {
  return { running, paused, queueSize, lastProgressAt: lastProgressAt?.toISOString() ?? null };
}

/** Counts the searches among the calls. */
export function instrumentSearches(call: CallAction, metrics: Metrics): CallAction {
  return async (action, ...rest) => {
    if (action !== 'search_docs') return call(action, ...rest);
    const startedAt = performance.now();
    try {
      const answer = (await call(action, ...rest)) as { readonly passages?: readonly unknown[] };
      metrics.observe('search_duration_seconds', (performance.now() - startedAt) / 1000);
      metrics.add('searches_total', 1, { result: (answer.passages?.length ?? 0) > 0 ? 'found' : 'empty' });
      return answer;
    } catch (error) {
      if (rest[1]?.signal?.aborted !== true) metrics.add('searches_total', 1, { result: 'failed' });
      throw error;
    }
  };
}
