// Every metric that `/metrics` serves: its type, its help, and the values of its label where they are known in advance,
// so that a rate exists from the first scrape on.

import { OUTCOME_NAMES } from '../core/model/outcome.ts';
import { ENDED_RUN_STATES, LIVE_RUN_STATES } from '../core/model/run.ts';

export interface MetricDeclaration {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[];
  /** Samples that are 0 until something happened. */
  readonly starts?: Readonly<Record<string, readonly string[]>>;
}

const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const FETCH_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What this process did and has: each process of an installation has its own, which add up. */
export const PROCESS_METRICS = {
  build_info: { type: 'gauge', help: 'Always 1; its labels say which program this is' },
  http_requests_total: { type: 'counter', help: 'HTTP requests answered' },
  http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time to answer an HTTP request',
    buckets: REQUEST_BUCKETS,
  },
  http_requests_in_flight: { type: 'gauge', help: 'HTTP requests in progress' },
  http_requests_shed_total: { type: 'counter', help: 'HTTP requests rejected because of overload' },
  sse_clients: { type: 'gauge', help: 'Clients of the event stream' },
  searches_total: {
    type: 'counter',
    help: 'Searches, by whether they found passages',
    starts: { result: ['found', 'empty', 'failed'] },
  },
  search_duration_seconds: { type: 'histogram', help: 'Time to answer a search', buckets: REQUEST_BUCKETS },
  crawl_thread_restarts_total: {
    type: 'counter',
    help: 'Crashes of the crawl thread, after which it was started again',
  },
  main_thread_blocks_total: { type: 'counter', help: 'Times that the main thread did not respond for ten seconds' },
  crawl_requests_total: {
    type: 'counter',
    help: 'Requests of crawls to sites, by result',
    starts: { result: ['fetched', 'unchanged', 'redirected', 'not-found', 'throttled', 'failed'] },
  },
  crawl_request_duration_seconds: { type: 'histogram', help: 'Time of a request to a site', buckets: FETCH_BUCKETS },
  crawl_bytes_total: { type: 'counter', help: 'Bytes of pages received from sites, before decompression' },
  crawl_urls_total: {
    type: 'counter',
    help: 'URLs settled, by outcome',
    starts: { outcome: OUTCOME_NAMES },
  },
  crawl_failures_total: { type: 'counter', help: 'URLs that failed or are retried, by the code of the reason' },
  runs_ended_total: { type: 'counter', help: 'Runs ended, by their final state', starts: { state: ENDED_RUN_STATES } },
  index_pages_total: { type: 'counter', help: 'Changes of pages applied to the search index' },
  index_failures_total: { type: 'counter', help: 'Indexing steps that failed' },
  index_step_duration_seconds: {
    type: 'histogram',
    help: 'Time of an indexing step with changes',
    buckets: FETCH_BUCKETS,
  },
  embedding_texts_total: {
    type: 'counter',
    help: 'Texts sent to the embedding model, by result',
    starts: { result: ['embedded', 'refused', 'failed'] },
  },
  embedding_duration_seconds: {
    type: 'histogram',
    help: 'Time of a call to the embedding model',
    buckets: FETCH_BUCKETS,
  },
  cpu_seconds_total: { type: 'counter', help: 'CPU time of this process' },
  resident_memory_bytes: { type: 'gauge', help: 'Resident memory of this process' },
  heap_used_bytes: { type: 'gauge', help: 'JavaScript heap of the main thread in use' },
  uptime_seconds: { type: 'gauge', help: 'Time since this process started' },
  event_loop_delay_p99_seconds: {
    type: 'gauge',
    help: '99th percentile of the event loop delay since the last scrape',
  },
  event_loop_delay_max_seconds: { type: 'gauge', help: 'Longest event loop delay since the last scrape' },
} as const satisfies Record<string, MetricDeclaration>;

/** The state of the library, which every server of it reports alike: take the maximum of them, not the sum. */
export const LIBRARY_METRICS = {
  sources: { type: 'gauge', help: 'Sources of the library' },
  sources_failed: { type: 'gauge', help: 'Sources whose latest run failed' },
  pages: { type: 'gauge', help: 'Pages of the library' },
  runs: { type: 'gauge', help: 'Runs that have not ended, by state', starts: { state: LIVE_RUN_STATES } },
  queue_urls: { type: 'gauge', help: 'URLs of live runs that are not settled yet' },
  run_stalled_seconds: { type: 'gauge', help: 'Longest time that a running run has settled no URL' },
  run_unclaimed_seconds: { type: 'gauge', help: 'Longest time that a queued run has waited for a worker' },
  hosts_suspended: { type: 'gauge', help: 'Hosts of live runs whose circuit breaker is open' },
  pages_unindexed: { type: 'gauge', help: 'Changed pages that are not searchable yet' },
  index_incomplete: { type: 'gauge', help: '1 while the index is built again and searches may miss pages' },
  index_lag_seconds: { type: 'gauge', help: 'Age of the oldest change that is not searchable yet' },
  embedding_texts_pending: { type: 'gauge', help: 'Texts that wait for a vector' },
  embedding_texts_failed: { type: 'gauge', help: 'Texts that the model refused' },
  webhooks_failing: { type: 'gauge', help: 'Webhooks whose last delivery failed' },
  database_bytes: { type: 'gauge', help: 'Size of the database' },
  database_wal_bytes: { type: 'gauge', help: 'Size of the write-ahead log of a local database' },
  disk_free_bytes: { type: 'gauge', help: 'Free space on the volume of a local database' },
  disk_min_free_bytes: { type: 'gauge', help: 'Free space below which crawling pauses' },
} as const satisfies Record<string, MetricDeclaration>;

export const METRICS = { ...PROCESS_METRICS, ...LIBRARY_METRICS };

export type MetricName = keyof typeof METRICS;
