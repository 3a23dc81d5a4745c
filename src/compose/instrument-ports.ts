// Counts what a worker does, around the ports that it works with: the stages themselves know nothing of metrics.

import type { Embedder } from '../embed/port.ts';
import type { Fetcher } from '../fetch/port.ts';
import type { SearchIndex } from '../index/port.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { MetricName } from '../platform/metrics.table.ts';
import type { Store } from '../store/port.ts';
import { outcomeNameOf, type Settlement } from '../store/port/frontier.ts';

export const WORKER_METRICS: readonly MetricName[] = [
  'crawl_requests_total',
  'crawl_request_duration_seconds',
  'crawl_bytes_total',
  'crawl_urls_total',
  'runs_ended_total',
  'index_pages_total',
  'index_failures_total',
  'index_step_duration_seconds',
  'embedding_texts_total',
  'embedding_duration_seconds',
];

export function instrumentFetcher(fetcher: Fetcher, metrics: Metrics): Fetcher {
  return {
    close: () => fetcher.close(),
    async fetch(...request) {
      const startedAt = performance.now();
      const outcome = await fetcher.fetch(...request);
      metrics.observe('crawl_request_duration_seconds', secondsSince(startedAt));
      metrics.add('crawl_requests_total', 1, { result: outcome.kind });
      if (outcome.kind === 'fetched') metrics.add('crawl_bytes_total', outcome.wireBytes);
      return outcome;
    },
  };
}

export function instrumentStore(store: Store, metrics: Metrics): Store {
  const { frontier, runs } = store;
  return {
    ...store,
    frontier: {
      ...frontier,
      async settle(settlements) {
        const results = await frontier.settle(settlements);
        settlements.forEach((settlement, at) => {
          if (results[at] === 'settled') countOutcome(settlement, metrics);
        });
        return results;
      },
    },
    runs: {
      ...runs,
      async finish(lease, state, reason) {
        const isEnded = await runs.finish(lease, state, reason);
        if (isEnded) metrics.add('runs_ended_total', 1, { state });
        return isEnded;
      },
    },
  };
}

function countOutcome({ outcome, claim }: Settlement, metrics: Metrics): void {
  const name = outcomeNameOf(outcome, claim.previous);
  if (name !== null) metrics.add('crawl_urls_total', 1, { outcome: name });
  if (outcome.kind === 'failed' || outcome.kind === 'retry')
    metrics.add('crawl_failures_total', 1, { reason: reasonCode(outcome.reason) });
}

/** The code that a reason begins with; what follows may quote a URL, and a label must have few values. */
function reasonCode(reason: string): string {
  return /^[a-z][a-z.-]*(?=:|$)/.exec(reason)?.[0] ?? (/^status \d+$/.test(reason) ? reason : 'other');
}

export function instrumentIndex(index: SearchIndex, metrics: Metrics): SearchIndex {
  return {
    ...index,
    async index(limit) {
      const startedAt = performance.now();
      try {
        const applied = await index.index(limit);
        if (applied > 0) {
          metrics.add('index_pages_total', applied);
          metrics.observe('index_step_duration_seconds', secondsSince(startedAt));
        }
        return applied;
      } catch (error) {
        metrics.add('index_failures_total');
        throw error;
      }
    },
  };
}

export function instrumentEmbedder(embedder: Embedder, metrics: Metrics): Embedder {
  return {
    space: embedder.space,
    countTokens: (text) => embedder.countTokens(text),
    health: () => embedder.health(),
    close: () => embedder.close(),
    async embed(texts, role, signal) {
      const startedAt = performance.now();
      try {
        const outcomes = await embedder.embed(texts, role, signal);
        metrics.observe('embedding_duration_seconds', secondsSince(startedAt));
        for (const { kind } of outcomes) metrics.add('embedding_texts_total', 1, { result: kind });
        return outcomes;
      } catch (error) {
        if (signal?.aborted !== true) metrics.add('embedding_texts_total', texts.length, { result: 'failed' });
        throw error;
      }
    },
  };
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}
