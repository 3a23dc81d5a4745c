// Crawls into a real store from inside this process, as a worker does, and measures the cost.

import { availableParallelism } from 'node:os';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { bundleLimits, type ChunkLimits } from '../../src/core/chunk/chunker.ts';
import type { RunId, RunMode } from '../../src/core/model/run.ts';
import { createWorker } from '../../src/crawl/worker.ts';
import type { Parser } from '../../src/parse/port.ts';
import { createThreadParser } from '../../src/parse/thread-parser.ts';
import { createHttpFetcher } from '../../src/fetch/http/http-fetcher.ts';
import type { SignRequest } from '../../src/fetch/http/sign-request.ts';
import { createLocalFiles } from '../../src/fetch/files/local-files.ts';
import { createLog } from '../../src/platform/log.ts';
import { createSecretFor } from '../../src/platform/secrets.ts';
import type { Store } from '../../src/store/port.ts';
import type { JsonObject } from '../../src/store/port/json.ts';
import type { Run } from '../../src/store/port/runs.ts';
import type { Source } from '../../src/store/port/sources.ts';
import { config } from './loopback-config.ts';

export interface CrawlResult {
  readonly run: Run;
  /** User and system time of this process, threads included. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

export interface CrawlOptions {
  readonly mode?: RunMode;
  /** For this run only. */
  readonly settings?: JsonObject;
  readonly threads?: number;
  /** Without one, threads are started for the crawl. */
  readonly parser?: Parser;
  readonly sign?: SignRequest | null;
}

const { targetChars, maxChars } = config.chunk;
export const CHUNK_LIMITS: ChunkLimits = { ...bundleLimits, targetChars, capChars: maxChars };

export async function addSite(
  store: Store,
  name: string,
  startUrl: string,
  settings: JsonObject = {},
): Promise<Source> {
  return store.sources.add({ name, kind: 'web', startUrl, settings }, '');
}

/** One crawl by a separate worker with its own threads. */
export async function crawl(store: Store, source: Source, options: CrawlOptions = {}): Promise<CrawlResult> {
  const crawler = openCrawler(store, options);
  try {
    return await crawler.crawl(source, options);
  } finally {
    await crawler.close();
  }
}

export interface Crawler {
  readonly crawl: (source: Source, options?: Pick<CrawlOptions, 'mode' | 'settings'>) => Promise<CrawlResult>;
  readonly close: () => Promise<void>;
}

/**
 * A worker that stays between crawls, like the owner of a library: its threads are started on first use. `isTidy` says
 * when nothing is left to do for a crawl, including merges of the search index.
 */
export function openCrawler(
  store: Store,
  {
    threads = Math.max(1, availableParallelism() - 1),
    parser = createThreadParser({ threads, chunkLimits: CHUNK_LIMITS }),
    sign = null,
  }: Pick<CrawlOptions, 'threads' | 'parser' | 'sign'> = {},
  isTidy: () => boolean = () => true,
): Crawler {
  const stop = new AbortController();
  const fetcher = createHttpFetcher({ ...config.fetch, sign });
  const ports = {
    store,
    fetcher,
    parser,
    log: createLog({ level: 'error', now: () => new Date() }),
    local: createLocalFiles(config.files),
    secretFor: createSecretFor([], {}),
  };
  const limits = { ...config.crawl, maxRedirects: config.fetch.maxRedirects };
  const worker = createWorker({
    id: 'worker-here',
    ports,
    index: createSegmentIndex(store.segments),
    limits,
    now: Date.now,
    random: Math.random,
  });
  const working = worker.run(stop.signal);
  return {
    async crawl(source, { mode = 'incremental', settings = {} } = {}) {
      const version = source.versions[0];
      if (version === undefined) throw new Error(`${source.name} has no version`);
      const began = { cpu: process.cpuUsage(), wall: performance.now() };
      const { id } = await store.runs.start(version.id, mode, settings);
      const run = await untilEnded(store, id, isTidy);
      const { user, system } = process.cpuUsage(began.cpu);
      return { run, cpuMs: (user + system) / 1000, wallMs: performance.now() - began.wall };
    },
    async close() {
      stop.abort();
      await working;
      await Promise.all([parser.close(), fetcher.close()]);
    },
  };
}

async function untilEnded(store: Store, id: RunId, isTidy: () => boolean): Promise<Run> {
  for (;;) {
    const run = await store.runs.byId(id);
    if (run === null) throw new Error(`run ${id} is gone`);
    if (run.endedAt !== null && (await store.segments.queueLength()) === 0 && isTidy()) return run;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
