// The worker of this process, with its adapters.

import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { embeddingOf } from './embedding.ts';
import { openReaders } from './fetch-and-parse.ts';
import type { Surroundings } from './store.ts';
import { guardPolicy, guardWarnings } from '../core/ssrf/guard-policy.ts';
import { createLocalFiles } from '../fetch/files/local-files.ts';
import type { CrawlLimits } from '../crawl/context/ports.ts';
import { createWorker } from '../crawl/worker.ts';
import { createSecretFor } from '../platform/secrets.ts';
import type { Store } from '../store/port.ts';

/** Works on this thread until the signal. `tellBusy` hears whether texts wait for their vectors. */
export async function work(
  { config, log }: Pick<Surroundings, 'config' | 'log'>,
  store: Store,
  signal: AbortSignal,
  tellBusy: (isBusy: boolean) => void = () => undefined,
): Promise<void> {
  for (const warning of guardWarnings(guardPolicy(config.fetch))) log.warn(warning);
  const { threads } = config.parse;
  const readers = openReaders(config, threads === 0 ? Math.max(1, availableParallelism() - 1) : threads);
  const limits: CrawlLimits = { ...config.crawl, maxRedirects: config.fetch.maxRedirects };
  const id = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const { fetcher, parser } = readers;
  const secretFor = createSecretFor(config.fetch.secrets, process.env);
  const stages = { store, log, fetcher, parser, local: createLocalFiles(config.local), secretFor };
  try {
    const model = embeddingOf(config);
    const embedding = model === null ? null : { ...model, tellBusy };
    await createWorker({ id, stages, limits, embedding, now: Date.now, random: Math.random }).run(signal);
  } finally {
    await readers.close();
  }
}
