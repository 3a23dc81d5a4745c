// Runs a worker with its adapters on this thread.

import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { getSharedEmbedder } from './embedding.ts';
import { openFetchAndParse, type FetchContext } from './fetch-and-parse.ts';
import { openRendering } from './rendering.ts';
import { getSearchIndex } from './search-index.ts';
import type { AppContext } from './store.ts';
import { guardPolicy, guardWarnings } from '../core/ssrf/guard-policy.ts';
import { createLocalFiles } from '../fetch/files/local-files.ts';
import type { CrawlLimits } from '../crawl/context/ports.ts';
import { openWebhookSender } from './webhooks.ts';
import { createWorker } from '../crawl/worker.ts';
import { deliverWebhooks } from '../library/deliver-webhooks.ts';
import { createSecretFor } from '../platform/secrets.ts';
import type { Store } from '../store/port.ts';

/** Runs until the signal. `onBusyChange` receives what tells whether texts are waiting for vectors. */
export async function runWorker(
  { config, log, listeningOn, fetcher: given }: Pick<AppContext, 'config' | 'log'> & FetchContext,
  store: Store,
  signal: AbortSignal,
  onBusyChange: (isBusy: () => boolean) => void = () => undefined,
): Promise<void> {
  for (const warning of guardWarnings(guardPolicy(config.fetch))) log.warn(warning);
  const { threads } = config.parse;
  const parserThreads = threads === 0 ? Math.max(1, availableParallelism() - 1) : threads;
  const fetchAndParse = openFetchAndParse(config, parserThreads, { listeningOn, fetcher: given });
  const limits: CrawlLimits = { ...config.crawl, maxRedirects: config.fetch.maxRedirects };
  const id = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const { fetcher, parser } = fetchAndParse;
  const secretFor = createSecretFor(config.fetch.secrets, process.env);
  const index = getSearchIndex(store, { config, log });
  const rendering = openRendering({ config, log, listeningOn });
  const stages = { store, log, fetcher, parser, rendering, local: createLocalFiles(config.files), secretFor };
  const sender = openWebhookSender(config, listeningOn);
  const delivery = { store, log, worker: id, send: sender.send, settings: config.webhooks, random: Math.random };
  const deliver = (until: AbortSignal): Promise<void> => deliverWebhooks(delivery, until);
  try {
    const model = getSharedEmbedder(config);
    const embedding = model === null ? null : { ...model, onBusyChange };
    await createWorker({
      id,
      ports: stages,
      index,
      limits,
      embedding,
      deliver,
      now: Date.now,
      random: Math.random,
    }).run(signal);
  } finally {
    await Promise.allSettled([fetchAndParse.close(), rendering?.renderer.close(), sender.close()]);
  }
}
