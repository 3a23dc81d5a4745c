// Runs a worker with its adapters on this thread.

import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { getSharedEmbedder } from './embedding.ts';
import { openFetchAndParse, type FetchAndParseContext } from './fetch-and-parse.ts';
import { openRendering } from './rendering.ts';
import { getSearchIndex } from './search-index.ts';
import { instrumentEmbedder, instrumentFetcher, instrumentIndex, instrumentStore } from './instrument-ports.ts';
import type { AppContext } from './app-context.ts';
import { guardPolicy, guardWarnings } from '../core/ssrf/guard-policy.ts';
import { createLocalFiles } from '../fetch/files/local-files.ts';
import type { CrawlLimits } from '../crawl/context/ports.ts';
import { openWebhookSender } from './webhooks.ts';
import { createWorker, type Embedding } from '../crawl/worker.ts';
import { analysisLoop } from '../library/analysis/analysis-loop.ts';
import { deliverWebhooks } from '../library/deliver-webhooks.ts';
import { NO_METRICS, type Metrics } from '../platform/metrics.ts';
import { createSecretFor } from '../platform/secrets.ts';
import type { Store } from '../store/port.ts';
import { createArchiveAccess } from './archive-access.ts';
import { getWordTable } from './word-table.ts';

interface WorkerObserver {
  /** Receives what tells whether texts are waiting for vectors. */
  readonly onBusyChange?: (isBusy: () => boolean) => void;
  readonly metrics?: Metrics;
}

/** Runs until the signal. */
export async function runWorker(
  { config, log, listeningOn, fetcher: provided }: Pick<AppContext, 'config' | 'log'> & FetchAndParseContext,
  store: Store,
  signal: AbortSignal,
  { onBusyChange = () => undefined, metrics = NO_METRICS }: WorkerObserver = {},
): Promise<void> {
  for (const warning of guardWarnings(guardPolicy(config.fetch))) log.warn(warning);
  const { threads } = config.parse;
  const parserThreads = threads === 0 ? Math.max(1, availableParallelism() - 1) : threads;
  const fetchAndParse = openFetchAndParse(config, parserThreads, { listeningOn, fetcher: provided });
  const limits: CrawlLimits = { ...config.crawl, maxRedirects: config.fetch.maxRedirects };
  const id = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const { parser } = fetchAndParse;
  const fetcher = instrumentFetcher(fetchAndParse.fetcher, metrics);
  const secretFor = createSecretFor(config.fetch.secrets, process.env);
  const index = instrumentIndex(getSearchIndex(store, { config, log }), metrics);
  const rendering = openRendering({ config, log, listeningOn });
  const metered = instrumentStore(store, metrics);
  const local = createLocalFiles(config.files);
  const archives = createArchiveAccess(config, process.env);
  const words = getWordTable;
  const stages = { store: metered, log, fetcher, parser, rendering, local, words, secretFor, archives };
  const sender = openWebhookSender(config, listeningOn);
  const delivery = { store, log, worker: id, send: sender.send, settings: config.webhooks, random: Math.random };
  const deliver = (until: AbortSignal): Promise<void> => deliverWebhooks(delivery, until);
  const { leaseMs, renewMs } = limits;
  const analysis = { store, index, log, worker: id, leaseMs, renewMs, nowMs: Date.now };
  const analyze = (until: AbortSignal): Promise<void> => analysisLoop(analysis, until);
  try {
    const model = getSharedEmbedder(config);
    const embedding = model === null ? null : { ...model, onBusyChange, openEmbedder: openMetered(model, metrics) };
    await createWorker({
      id,
      ports: stages,
      index,
      limits,
      embedding,
      services: { deliver, analyze },
      now: Date.now,
      random: Math.random,
    }).run(signal);
  } finally {
    await Promise.allSettled([fetchAndParse.close(), rendering?.renderer.close(), sender.close()]);
  }
}

function openMetered({ openEmbedder }: Pick<Embedding, 'openEmbedder'>, metrics: Metrics): Embedding['openEmbedder'] {
  return async () => instrumentEmbedder(await openEmbedder(), metrics);
}
