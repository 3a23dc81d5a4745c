// A real crawl inside the test process: the real worker, a real store, a real fetcher and real parser threads.

import type { RunId } from '../../src/core/model/run.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import type { SourceSettings } from '../../src/core/model/source-settings.ts';
import { createHttpFetcher, type HttpFetcherOptions } from '../../src/fetch/http/http-fetcher.ts';
import { createLocalFiles } from '../../src/fetch/files/local-files.ts';
import type { Fetcher } from '../../src/fetch/port.ts';
import type { CrawlLimits } from '../../src/crawl/context/ports.ts';
import { createWorker } from '../../src/crawl/worker.ts';
import type { Rendering } from '../../src/render/port.ts';
import { sharedParser } from './shared-parser.ts';
import { createThreadParser, type ThreadParserOptions } from '../../src/parse/thread-parser.ts';
import { loadConfig } from '../../src/platform/config/load-config.ts';
import { createLog } from '../../src/platform/log.ts';
import { createSecretFor, type SecretFor } from '../../src/platform/secrets.ts';
import type { Store } from '../../src/store/port.ts';
import type { JournalEvent, Problem } from '../../src/store/port/journal.ts';
import type { Run } from '../../src/store/port/runs.ts';
import { openTestSqlite, type OpenTestStore } from './stores.ts';

const { config } = loadConfig({ env: { HOME: '/nowhere' }, cwd: '/', readFile: () => null });

export interface CrawlOptions {
  readonly open?: OpenTestStore;
  readonly fetch?: Partial<HttpFetcherOptions>;
  /** Replaces the fetcher that may connect to loopback. */
  readonly fetcher?: Fetcher;
  readonly limits?: Partial<CrawlLimits>;
  readonly secretFor?: SecretFor;
  readonly workers?: number;
  readonly parse?: Partial<ThreadParserOptions>;
  /** A renderer of the caller, who closes it. */
  readonly rendering?: Rendering;
}

export interface Crawler {
  readonly store: Store;
  readonly sql: (text: string) => Promise<void>;
  /** Lines of the log. */
  readonly logged: readonly string[];
  /** Adds a source or starts a new run of it, without waiting. */
  start(url: string, settings?: Partial<SourceSettings>): Promise<RunId>;
  ended(run: RunId, withinMs?: number): Promise<Run>;
  crawl(url: string, settings?: Partial<SourceSettings>): Promise<Run>;
  /** URLs of the stored pages of all sources, sorted. */
  stored(): Promise<readonly string[]>;
  events(run: RunId): Promise<readonly JournalEvent[]>;
  /** Problems of the run, except the one that states why it failed or is incomplete. */
  problems(run: RunId): Promise<readonly Problem[]>;
  /** `outcome: reason` of every URL that has an event. */
  outcomes(run: RunId): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

/** Delays are off and waits are short unless a test sets them. */
const QUICK: Partial<CrawlLimits> = {
  startDelayMs: 0,
  minDelayMs: 0,
  retryBaseMs: 20,
  circuitBreakerMs: 200,
  maxAttempts: 5,
};

export async function createCrawler(options: CrawlOptions = {}): Promise<Crawler> {
  const limits = { ...config.crawl, maxRedirects: config.fetch.maxRedirects, ...QUICK, ...options.limits };
  const { startDelayMs, maxAttempts } = limits;
  const { store, sql, close } = await (options.open ?? openTestSqlite)({ startDelayMs, maxAttempts });
  const fetcher =
    options.fetcher ?? createHttpFetcher({ ...config.fetch, allowCidrs: ['127.0.0.0/8'], ...options.fetch });
  const parser = options.parse === undefined ? sharedParser() : createThreadParser({ threads: 1, ...options.parse });
  const logged: string[] = [];
  const log = createLog({ level: 'debug', now: () => new Date(), write: (line) => void logged.push(line) });
  const secretFor = options.secretFor ?? createSecretFor([], {});
  const rendering = options.rendering ?? null;
  const stages = { store, fetcher, parser, rendering, log, local: createLocalFiles(config.files), secretFor };
  const stop = new AbortController();
  const working = Array.from({ length: options.workers ?? 1 }, (_, nth) =>
    createWorker({
      id: `worker-${nth}`,
      ports: stages,
      index: createSegmentIndex(store.segments),
      limits,
      now: Date.now,
      random: Math.random,
    }).run(stop.signal),
  );

  const crawler: Crawler = {
    store,
    sql,
    logged,
    async start(url, settings = {}) {
      const known = (await store.sources.list()).find((source) => source.startUrl === url);
      const source = known ?? (await store.sources.add({ name: url, kind: 'web', startUrl: url, settings }, ''));
      return (await store.runs.start(source.versions[0]!.id, 'incremental', {})).id;
    },
    async ended(run, withinMs = 60_000) {
      for (const until = performance.now() + withinMs; performance.now() < until;) {
        const state = await store.runs.byId(run);
        if (state?.endedAt !== null && state !== null) return state;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`run ${run} did not end within ${withinMs} ms`);
    },
    crawl: async (url, settings) => crawler.ended(await crawler.start(url, settings)),
    async stored() {
      const versions = (await store.sources.list()).flatMap((source) => source.versions);
      const lists = await Promise.all(versions.map(({ id }) => store.pages.list(id, null, 100_000)));
      return lists.flatMap(({ pages }) => pages.map(({ url }) => url)).toSorted();
    },
    events: (run) => store.journal.after(0, 100_000, run),
    problems: async (run) =>
      (await store.journal.problems(run)).filter(({ kind }) => kind !== 'run-failed' && kind !== 'run-partial'),
    async outcomes(run) {
      const events = await crawler.events(run);
      return new Map(
        events
          .filter(({ url }) => url !== null)
          .map(({ url, kind, detail }) => {
            const why = detail['reason'] ?? detail['to'];
            return [url!, typeof why === 'string' ? `${kind}: ${why}` : kind];
          }),
      );
    },
    async close() {
      stop.abort();
      await Promise.all(working);
      await Promise.all([parser.close(), fetcher.close()]);
      await close();
    },
  };
  return crawler;
}
