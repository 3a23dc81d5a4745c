// The only file that picks adapters: from settings to a program that runs.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { actions } from './actions/actions.ts';
import type { ActionDeps } from './actions/action.ts';
import { guardPolicy, guardWarnings } from './core/address/guard-policy.ts';
import { pinakesError } from './core/model/errors.ts';
import type { PageUrl } from './core/model/page-url.ts';
import { sha256Hex } from './core/model/hash.ts';
import type { SourceSettings } from './core/model/source-settings.ts';
import { createHttpFetcher } from './fetch/http-fetcher.ts';
import { createLocalFiles } from './fetch/local-files.ts';
import type { Fetcher } from './fetch/port.ts';
import { proxySettings } from './fetch/proxy-settings.ts';
import { createPreviewPage, type PagePreview } from './operate/preview-page.ts';
import type { CrawlLimits } from './operate/stages.ts';
import { createIdleWatch } from './operate/idle-watch.ts';
import type { SourcePlan } from './operate/plan-source.ts';
import { createWorker } from './operate/worker.ts';
import type { Parser } from './parse/port.ts';
import { createThreadParser } from './parse/thread-parser.ts';
import type { Config } from './platform/config/schema.ts';
import type { Log } from './platform/log.ts';
import { createSecretFor } from './platform/secrets.ts';
import { openFileSink } from './platform/write-file.ts';
import { createSearch } from './search/search.ts';
import type { Store } from './store/port.ts';
import type { CallAction } from './serve/call-action.ts';
import type { OpenLibrary } from './serve/cli/cli-host.ts';
import type { OwnerDoor } from './serve/local/owner-door.ts';
import { ownerSocket } from './serve/local/owner-socket.ts';

export interface Surroundings {
  readonly config: Config;
  readonly log: Log;
  readonly command: string;
  /** Of the program. */
  readonly version: string;
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
    const { databaseUrl: url, databasePoolSize: poolSize, databaseTimeoutMs: timeoutMs } = config;
    return openPostgresStore({ ...settings, url, poolSize, timeoutMs, onError });
  }
  const { openSqliteReader, openSqliteStore } = await import('./store/sqlite/open-sqlite-store.ts');
  const owner = { pid: process.pid, command, since: new Date().toISOString() };
  const options = { ...settings, directory: config.dataDir, owner };
  return effect === 'read' ? openSqliteReader(options) : openSqliteStore(options);
}

/** Everything a door needs. On a laptop one process writes; the others find it, or start it. */
export async function openLibrary(around: Surroundings, effect: 'read' | 'write' | 'admin'): Promise<OpenLibrary> {
  const { config } = around;
  const isLocal = config.databaseUrl === undefined;
  if (isLocal && effect !== 'read' && config.owner.mode === 'background') {
    const { openOwnerLibrary } = await import('./serve/local/owner-library.ts');
    const warn = (sentence: string): void => around.log.warn(sentence);
    return openOwnerLibrary({ dataDir: config.dataDir, mine: greetingOf(around), command: OWNER_COMMAND, warn });
  }
  const store = await openStore(around, effect);
  const call = callActions(around, store);
  const door = isLocal && effect !== 'read' ? await openDoor(around, call, async () => false) : null;
  const stop = new AbortController();
  let working: Promise<void> | null = null;
  return {
    call,
    work: () => void (working ??= work(around, store, AbortSignal.any([stop.signal, around.signal]))),
    goesOn: false,
    async close() {
      stop.abort();
      await door?.close();
      await working;
      await store.close();
    },
  };
}

const OWNER_COMMAND = [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'worker', '--until-idle'];

function callActions(around: Surroundings, store: Store): CallAction {
  const deps = {
    store,
    search: createSearch(store),
    preview: (url: PageUrl) => preview(around, url),
    plan: (start: PageUrl, settings: SourceSettings) => plan(around, start, settings),
    local: { files: createLocalFiles(around.config.local), openSink: openFileSink },
  };
  return async (name, input, tell = () => undefined) => {
    const action = actions.find((candidate) => candidate.name === name);
    if (action === undefined) throw pinakesError('internal', { why: `there is no action ${name}` });
    return action.run(action.input.parse(input), { ...deps, tell } satisfies ActionDeps);
  };
}

async function openDoor(around: Surroundings, call: CallAction, end: () => Promise<boolean>): Promise<OwnerDoor> {
  const { openOwnerDoor } = await import('./serve/local/owner-door.ts');
  const greeting = { pid: process.pid, ...greetingOf(around) };
  const onError = (error: unknown): void => around.log.error('a call from another process failed', { error });
  return openOwnerDoor({ socket: ownerSocket(around.config.dataDir), greeting, call, end, onError });
}

/** Settings of the log change nothing of what an owner does. */
function greetingOf({ config, version }: Surroundings): { version: string; settings: string } {
  const { log: _log, owner: _owner, ...rest } = config;
  return { version, settings: sha256Hex(JSON.stringify(rest)) };
}

/** Works on every run until the signal, or until nothing was left to do for a while. */
export async function workUntil(until: 'stopped' | 'idle', around: Surroundings): Promise<void> {
  const store = await openStore(around, 'write');
  const ended = new AbortController();
  const signal = AbortSignal.any([around.signal, ended.signal]);
  const idle = createIdleWatch(store, around.config.owner.idleMs);
  const end = async (): Promise<boolean> => {
    if (until !== 'idle' || (await idle.isBusy())) return false;
    ended.abort();
    return true;
  };
  try {
    const isLocal = around.config.databaseUrl === undefined;
    const door = isLocal ? await openDoor(around, callActions(around, store), end) : null;
    await store.sources.finishRemovals();
    const working = work(around, store, signal);
    if (until === 'idle') await idle.wait(() => door?.busy() ?? 0, signal).finally(() => ended.abort());
    await Promise.race([working, aborted(signal)]);
    // Its clients must find nobody before the directory is free, so that they start the next owner.
    await door?.close();
    await working;
  } finally {
    await store.close();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** In a store that is thrown away. */
async function plan(around: Surroundings, start: PageUrl, settings: SourceSettings): Promise<SourcePlan> {
  const { openSqliteStore } = await import('./store/sqlite/open-sqlite-store.ts');
  const { planSource } = await import('./operate/plan-source.ts');
  const { config, log, signal } = around;
  const directory = mkdtempSync(join(tmpdir(), 'pinakes-plan-'));
  const owner = { pid: process.pid, command: around.command, since: new Date().toISOString() };
  const { startDelayMs, maxAttempts } = config.crawl;
  const store = openSqliteStore({ startDelayMs, maxAttempts, directory, owner });
  const readers = openReaders(config, 1);
  try {
    const { fetcher, parser } = readers;
    const secretFor = createSecretFor(config.fetch.secrets, process.env);
    const stages = { store, log, fetcher, parser, local: createLocalFiles(config.local), secretFor };
    const limits: CrawlLimits = { ...config.crawl, maxRedirects: config.fetch.maxRedirects };
    return await planSource(start, settings, { stages, limits, now: Date.now, random: Math.random }, signal);
  } finally {
    await readers.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
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
  const secretFor = createSecretFor(config.fetch.secrets, process.env);
  const stages = { store, log, fetcher, parser, local: createLocalFiles(config.local), secretFor };
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
