// The only file that picks adapters: from settings to a program that runs.

import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { actions } from './actions/actions.ts';
import type { ActionDeps } from './actions/action.ts';
import { viewOfRun, type RunView } from './actions/run-view.ts';
import { guardPolicy, guardWarnings } from './core/address/guard-policy.ts';
import { pinakesError } from './core/model/errors.ts';
import type { PageUrl } from './core/model/page-url.ts';
import type { RunId } from './core/model/run.ts';
import { createHttpFetcher } from './fetch/http-fetcher.ts';
import { createLocalFiles } from './fetch/local-files.ts';
import type { Fetcher } from './fetch/port.ts';
import { proxySettings } from './fetch/proxy-settings.ts';
import { createPreviewPage, type PagePreview } from './operate/preview-page.ts';
import type { CrawlLimits } from './operate/stages.ts';
import { waitFor } from './operate/wait-for.ts';
import { createWorker } from './operate/worker.ts';
import type { Parser } from './parse/port.ts';
import { createThreadParser } from './parse/thread-parser.ts';
import type { Config } from './platform/config/schema.ts';
import type { Log } from './platform/log.ts';
import { openFileSink } from './platform/write-file.ts';
import { createSearch } from './search/search.ts';
import type { Store } from './store/port.ts';
import type { OpenLibrary } from './serve/cli/cli-host.ts';

export interface Surroundings {
  readonly config: Config;
  readonly log: Log;
  readonly command: string;
  readonly signal: AbortSignal;
}

export async function openStore(
  { config, log, command }: Surroundings,
  effect: 'read' | 'write' | 'admin',
): Promise<Store> {
  const settings = { startDelayMs: config.crawl.startDelayMs, maxAttempts: config.crawl.maxAttempts };
  if (config.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('./store/postgres/open-postgres-store.ts');
    const onError = (error: Error): void => log.warn('a database connection broke', { error });
    return openPostgresStore({ ...settings, url: config.databaseUrl, poolSize: config.databasePoolSize, onError });
  }
  const { openSqliteReader, openSqliteStore } = await import('./store/sqlite/open-sqlite-store.ts');
  const owner = { pid: process.pid, command, since: new Date().toISOString() };
  const options = { ...settings, directory: config.dataDir, owner };
  return effect === 'read' ? openSqliteReader(options) : openSqliteStore(options);
}

/** Everything a door needs: actions to call, and runs to follow. */
export async function openLibrary(around: Surroundings, effect: 'read' | 'write' | 'admin'): Promise<OpenLibrary> {
  const store = await openStore(around, effect);
  const deps = {
    store,
    search: createSearch(store),
    preview: (url: PageUrl) => preview(around, url),
    local: { files: createLocalFiles(around.config.local), openSink: openFileSink },
  };
  return {
    async call(name, input, tell = () => undefined) {
      const action = actions.find((candidate) => candidate.name === name);
      if (action === undefined) throw pinakesError('internal', { why: `there is no action ${name}` });
      return action.run(input as never, { ...deps, tell } satisfies ActionDeps);
    },
    follow: (run, tell) => followRun(around, store, run as RunId, tell),
    close: () => store.close(),
  };
}

/** Works in this process until the run has ended. */
async function followRun(
  around: Surroundings,
  store: Store,
  run: RunId,
  tell: (view: RunView) => void,
): Promise<RunView> {
  const done = new AbortController();
  const stop = AbortSignal.any([done.signal, around.signal]);
  const working = work(around, store, stop);
  const sources = await store.sources.list();
  try {
    for (;;) {
      const state = await store.runs.byId(run);
      if (state === null) throw pinakesError('run.unknown', { run });
      const view = viewOfRun(state, sources);
      tell(view);
      const isSearchable = (await store.searchRows.lag()) === 0;
      if ((state.endedAt !== null && isSearchable) || around.signal.aborted)
        return { ...view, warnings: await warningsOf(store, run) };
      await waitFor(100, stop).catch(() => undefined);
    }
  } finally {
    done.abort();
    await working;
  }
}

async function warningsOf(store: Store, run: RunId): Promise<string[]> {
  const problems = await store.journal.problems(run);
  return problems.map(({ target, message }) => `${target}: ${message}`);
}

export async function workUntilStopped(around: Surroundings): Promise<void> {
  const store = await openStore(around, 'write');
  try {
    await store.sources.finishRemovals();
    await work(around, store, around.signal);
  } finally {
    await store.close();
  }
}

async function preview({ config, signal }: Surroundings, url: PageUrl): Promise<PagePreview> {
  const readers = openReaders(config, 1);
  try {
    return await createPreviewPage({ ...readers, maxRedirects: config.fetch.maxRedirects })(url, signal);
  } finally {
    await readers.close();
  }
}

async function work({ config, log }: Surroundings, store: Store, signal: AbortSignal): Promise<void> {
  for (const warning of guardWarnings(guardPolicy(config.fetch))) log.warn(warning);
  const { threads } = config.parse;
  const readers = openReaders(config, threads === 0 ? Math.max(1, availableParallelism() - 1) : threads);
  const limits: CrawlLimits = { ...config.crawl, maxRedirects: config.fetch.maxRedirects };
  const id = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const { fetcher, parser } = readers;
  const stages = { store, log, fetcher, parser, local: createLocalFiles(config.local) };
  try {
    await createWorker({ id, stages, limits, now: Date.now, random: Math.random }).run(signal);
  } finally {
    await readers.close();
  }
}

/** Where a page must never lead, whatever is opened. */
function databasePorts({ databaseUrl }: Config): readonly number[] {
  return databaseUrl === undefined ? [] : [Number(new URL(databaseUrl).port || 5432)];
}

/** The stages that meet hostile bytes. */
function openReaders(
  config: Config,
  threads: number,
): { fetcher: Fetcher; parser: Parser; close: () => Promise<void> } {
  const fetcher = createHttpFetcher({
    ...config.fetch,
    proxies: proxySettings(process.env),
    ownPorts: () => databasePorts(config),
  });
  const { timeoutMs, memoryMb } = config.parse;
  const parser = createThreadParser({
    threads,
    timeoutMs,
    maxHeapMb: memoryMb,
    maxBodyBytes: config.fetch.maxBodyBytes,
    chunkLimits: { targetChars: config.chunk.target, capChars: config.chunk.cap, maxChunks: 2000 },
  });
  return {
    fetcher,
    parser,
    close: async () => {
      await Promise.allSettled([parser.close(), fetcher.close()]);
    },
  };
}
