// The only file that picks adapters: from settings to a program that runs.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { actions } from './actions/actions.ts';
import type { ActionDeps, Effect } from './actions/action.ts';
import { eventView } from './actions/list-events.ts';
import { viewOfRun, type RunView } from './actions/run-view.ts';
import { embeddingOf, pull } from './compose-embedding.ts';
import { guardPolicy, guardWarnings } from './core/address/guard-policy.ts';
import { pinakesError } from './core/model/errors.ts';
import type { PageUrl } from './core/model/page-url.ts';
import { sha256Hex } from './core/model/hash.ts';
import type { RunId } from './core/model/run.ts';
import type { SourceSettings } from './core/model/source-settings.ts';
import { createHttpFetcher } from './fetch/http-fetcher.ts';
import { createLocalFiles } from './fetch/local-files.ts';
import type { Fetcher } from './fetch/port.ts';
import { proxySettings } from './fetch/proxy-settings.ts';
import { createPreviewPage, type PagePreview } from './operate/preview-page.ts';
import type { CrawlLimits } from './operate/stages.ts';
import { createIdleWatch } from './operate/idle-watch.ts';
import type { SourcePlan } from './operate/plan-source.ts';
import type { PullDeps, PullRequest } from './operate/pull-model.ts';
import { createWorker } from './operate/worker.ts';
import type { Parser } from './parse/port.ts';
import { createThreadParser } from './parse/thread-parser.ts';
import type { LoadedConfig } from './platform/config/load-config.ts';
import { originText, printConfig } from './platform/config/print-config.ts';
import type { Config } from './platform/config/schema.ts';
import { TOKEN_ENV } from './platform/config/settings.ts';
import type { Finding } from './platform/examine-machine.ts';
import type { Log } from './platform/log.ts';
import { createSecretFor } from './platform/secrets.ts';
import { readText } from './platform/read-text.ts';
import { openFileSink } from './platform/write-file.ts';
import { createDenseLook, type DenseLook } from './search/dense-look.ts';
import { createSearch } from './search/search.ts';
import type { Run, Store } from './store/port.ts';
import type { CallAction } from './serve/call-action.ts';
import type { OpenLibrary } from './serve/cli/cli-host.ts';
import type { EventFeed } from './serve/http/http-deps.ts';
import type { OwnerDoor } from './serve/local/owner-door.ts';
import { ownerSocket } from './serve/local/owner-socket.ts';
import { createRateLimit, type RateLimit } from './serve/rate-limit.ts';

export interface Surroundings {
  readonly config: Config;
  /** Where each setting comes from. */
  readonly origins: LoadedConfig['origins'];
  readonly log: Log;
  readonly command: string;
  /** Of the program. */
  readonly version: string;
  readonly signal: AbortSignal;
}

export async function openStore({ config, log, command }: Surroundings, effect: Effect): Promise<Store> {
  const settings = { startDelayMs: config.crawl.startDelayMs, maxAttempts: config.crawl.maxAttempts };
  if (config.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('./store/postgres/open-postgres-store.ts');
    const onError = (error: Error): void => log.warn('a database connection broke', { error });
    const { databaseUrl: url, databasePoolSize: poolSize, databaseTimeoutMs: timeoutMs } = config;
    return openPostgresStore({ ...settings, url, poolSize, timeoutMs, onError });
  }
  const { openSqliteReader, openSqliteStore } = await import('./store/sqlite/open-sqlite-store.ts');
  const owner = { pid: process.pid, command, since: new Date().toISOString() };
  const options = { ...settings, directory: config.dataDir, owner, minFreeBytes: config.minFreeBytes };
  return effect === 'read' ? openSqliteReader(options) : openSqliteStore(options);
}

/** Everything a door needs. On a laptop one process writes; the others find it, or start it. */
export async function openLibrary(around: Surroundings, effect: Effect): Promise<OpenLibrary> {
  const remote = await remoteLibrary(around);
  if (remote !== null) return remote;
  if (isLocal(around) && effect !== 'read' && around.config.owner.mode === 'background')
    return ownerLibrary(around, true);
  const store = await openStore(around, effect);
  const callWith = callActions(around, store);
  const door = isLocal(around) && effect !== 'read' ? await openDoor(around, callWith, async () => false) : null;
  const stop = new AbortController();
  let working: Promise<void> | null = null;
  return {
    call: callWith(true),
    work: () => void (working ??= work(around, store, AbortSignal.any([stop.signal, around.signal]))),
    goesOn: false,
    async close() {
      stop.abort();
      await door?.close();
      await working;
      await embeddingOf(around.config)?.close();
      await store.close();
    },
  };
}

/** Where the operator names a server, nothing on this machine is opened. */
async function remoteLibrary({ config: { server } }: Surroundings): Promise<OpenLibrary | null> {
  if (server === undefined) return null;
  const { openRemoteLibrary } = await import('./serve/client/remote-library.ts');
  return openRemoteLibrary({ server, token: process.env[TOKEN_ENV] ?? '' });
}

function isLocal({ config }: Surroundings): boolean {
  return config.databaseUrl === undefined;
}

const OWNER_COMMAND = [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'worker', '--until-idle'];

async function ownerLibrary(around: Surroundings, files: boolean): Promise<OpenLibrary> {
  const { openOwnerLibrary } = await import('./serve/local/owner-library.ts');
  const { dataDir } = around.config;
  const warn = (sentence: string): void => around.log.warn(sentence);
  return openOwnerLibrary({ dataDir, mine: greetingOf(around), command: OWNER_COMMAND, warn }, files);
}

/** With the disk of this machine, or without. */
type CallWith = (files: boolean) => CallAction;

function callActions(around: Surroundings, store: Store): CallWith {
  const deps = {
    store,
    search: createSearch(store, denseLookOf(around.config, store)),
    preview: (url: PageUrl, signal: AbortSignal) => preview({ ...around, signal }, url),
    plan: (start: PageUrl, settings: SourceSettings, signal: AbortSignal) =>
      plan({ ...around, signal }, start, settings),
    settings: () => printConfig(around).map((one) => ({ ...one, origin: originText(one.origin) })),
  };
  const disk = {
    files: createLocalFiles(around.config.local),
    openSink: openFileSink,
    readText,
    pullModel: (request: PullRequest, tell: PullDeps['tell']) =>
      pull(around.config, request, { tell, signal: around.signal }),
  };
  return (files) =>
    async (name, input, { tell = () => undefined, signal: asked } = {}) => {
      const action = actions.find((candidate) => candidate.name === name);
      if (action === undefined) throw pinakesError('internal', { why: `there is no action ${name}` });
      const signal = asked === undefined ? around.signal : AbortSignal.any([around.signal, asked]);
      const given = { local: files ? disk : null, tell, signal };
      return action.run(action.input.parse(input), { ...deps, ...given } satisfies ActionDeps);
    };
}

function denseLookOf(config: Config, store: Store): DenseLook | null {
  const embedding = embeddingOf(config);
  return embedding === null ? null : createDenseLook(store, embedding.openEmbedder, Date.now);
}

type End = (now: boolean) => Promise<boolean>;

async function openDoor(around: Surroundings, callWith: CallWith, end: End): Promise<OwnerDoor> {
  const { openOwnerDoor } = await import('./serve/local/owner-door.ts');
  const greeting = { pid: process.pid, ...greetingOf(around) };
  const onError = (error: unknown): void => around.log.error('a call from another process failed', { error });
  return openOwnerDoor({ socket: ownerSocket(around.config.dataDir), greeting, callWith, end, onError });
}

/** Settings of the log and of the doors change nothing of what an owner does for others. */
function greetingOf({ config, version }: Surroundings): { version: string; settings: string } {
  const { log: _log, owner: _owner, serve: _serve, server: _server, ...rest } = config;
  return { version, settings: sha256Hex(JSON.stringify(rest)) };
}

/** Works on every run until the signal, or until nothing was left to do for a while. */
export async function workUntil(until: 'stopped' | 'idle', around: Surroundings): Promise<void> {
  await own(around, until, async () => ({ close: async () => undefined }));
}

/** Works on every run and answers over HTTP and MCP, until the signal. */
export async function serveUntilStopped(around: Surroundings, tell: (url: string) => void): Promise<void> {
  await own(around, 'stopped', async (store, callWith) => {
    const { listen } = await import('./serve/http/listen.ts');
    const { createMcpEndpoint } = await import('./serve/mcp/mcp-endpoint.ts');
    const { createServerFacts } = await import('./operate/server-facts.ts');
    const { config, log, version } = around;
    const call = callWith(false);
    const onError = (error: unknown): void => log.error('an MCP request failed', { error });
    const { adminTools } = config.serve;
    const mcp = createMcpEndpoint({ call, version, adminTools, changes: changesOf(around), onError });
    const { readiness, gauges } = createServerFacts(store, Date.now);
    const tokens = () => store.tokens.list();
    const about = { settings: config.serve, version, log, now: Date.now };
    const server = await listen({ ...about, call, feed: feedOf(store), tokens, readiness, gauges, mcp: mcp.fetch });
    tell(server.url);
    return {
      async close() {
        await server.close();
        await mcp.close();
      },
    };
  });
}

/** MCP for one client on stdin and stdout. What it asks is answered by the owner, which is found or started. */
export async function mcpUntilClosed(around: Surroundings): Promise<void> {
  const { serveMcpOverStdio } = await import('./serve/mcp/serve-stdio.ts');
  const { config, log, version, signal } = around;
  const isShared = isLocal(around) && config.owner.mode === 'background';
  const remote = await remoteLibrary(around);
  const library = remote ?? (isShared ? await ownerLibrary(around, false) : await ownLibrary(around));
  const onError = (error: unknown): void => log.error('an MCP request failed', { error });
  try {
    const { adminTools } = config.serve;
    const changes = changesOf(around);
    await serveMcpOverStdio({ call: library.call, version, adminTools, changes, onError }, signal);
  } finally {
    await library.close();
  }
}

function changesOf({ config }: Surroundings): RateLimit {
  return createRateLimit(config.serve.changesPerHour / 60, Date.now);
}

async function ownLibrary(around: Surroundings): Promise<Pick<OpenLibrary, 'call' | 'close'>> {
  const store = await openStore(around, around.config.serve.adminTools ? 'write' : 'read');
  const close = async (): Promise<void> => {
    await embeddingOf(around.config)?.close();
    await store.close();
  };
  return { call: callActions(around, store)(false), close };
}

function feedOf(store: Store): EventFeed {
  const views = async (runs: readonly Run[]): Promise<RunView[]> => {
    const sources = await store.sources.list();
    return runs.map((run) => viewOfRun(run, sources));
  };
  return {
    after: async (seq, limit) => (await store.journal.after(seq, limit)).map(eventView),
    lastSeq: () => store.journal.lastSeq(),
    liveRuns: async () => views(await store.runs.live()),
    async run(id) {
      const run = await store.runs.byId(id as RunId);
      const [view = null] = run === null ? [] : await views([run]);
      return view;
    },
  };
}

type OpenDoors = (store: Store, callWith: CallWith) => Promise<{ close(): Promise<void> }>;

/** Owns the data directory, works, and keeps other doors open. */
async function own(around: Surroundings, until: 'stopped' | 'idle', openDoors: OpenDoors): Promise<void> {
  const { config } = around;
  if (isLocal(around) && until === 'stopped') {
    const { takeOver } = await import('./serve/local/take-over.ts');
    await takeOver(config.dataDir);
  }
  const store = await openStore(around, 'write');
  const ended = new AbortController();
  const signal = AbortSignal.any([around.signal, ended.signal]);
  const idle = createIdleWatch(store, config.owner.idleMs, () => embeddingOf(config)?.isBusy() ?? false);
  const end: End = async (now) => {
    if (until !== 'idle' || (!now && (await idle.isBusy()))) return false;
    ended.abort();
    return true;
  };
  try {
    const callWith = callActions(around, store);
    const doors = await openDoors(store, callWith);
    const door = isLocal(around) ? await openDoor(around, callWith, end) : null;
    await store.sources.finishRemovals();
    // However the work ends, on a disk that failed for instance, it ends the process.
    const working = work(around, store, signal).finally(() => ended.abort());
    working.catch(() => undefined);
    if (until === 'idle') await idle.wait(() => door?.busy() ?? 0, signal).finally(() => ended.abort());
    await aborted(signal);
    // Its clients must find nobody before the directory is free, so that they start the next owner.
    await Promise.all([door?.close(), doors.close()]);
    await working;
  } finally {
    await embeddingOf(config)?.close();
    await store.close();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** What this machine has of what the program needs. Nothing is made that was not there, but the data directory. */
export async function examine(around: Surroundings): Promise<readonly Finding[]> {
  const { examineNode, examineDirectory, examineRoom, examinePackages } = await import('./platform/examine-machine.ts');
  const { examineStore } = await import('./operate/examine-store.ts');
  const { examineOwner } = await import('./serve/local/examine-owner.ts');
  const { dataDir, minFreeBytes } = around.config;
  const place = isLocal(around) ? [examineDirectory(dataDir), examineRoom(dataDir, minFreeBytes)] : [];
  const isUsable = place.every(({ state }) => state !== 'wrong');
  return [
    examineNode(),
    ...place,
    ...(isUsable ? [await examineStore(() => openStore(around, 'read'))] : []),
    ...(isLocal(around) ? [await examineOwner(dataDir)] : []),
    examinePackages('grammars for code', ['@vscode/tree-sitter-wasm']),
    examinePackages('local models', ['onnxruntime-node', '@huggingface/tokenizers']),
  ];
}

/** Raises `backup.elsewhere`, `backup.unusable` or `database.owned`. */
export async function restore(around: Surroundings, file: string): Promise<{ before: string | null }> {
  const { config, command } = around;
  if (!isLocal(around)) throw pinakesError('backup.elsewhere', {});
  const { takeOver } = await import('./serve/local/take-over.ts');
  const { restoreSqlite } = await import('./store/sqlite/restore-sqlite.ts');
  await takeOver(config.dataDir);
  const owner = { pid: process.pid, command, since: new Date().toISOString() };
  return { before: restoreSqlite(config.dataDir, file, owner) };
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
    const embedding = embeddingOf(config);
    await createWorker({ id, stages, limits, embedding, now: Date.now, random: Math.random }).run(signal);
  } finally {
    await readers.close();
  }
}

/** Where a page must never lead, whatever is opened. */
function databasePorts({ databaseUrl }: Config): readonly number[] {
  return databaseUrl === undefined ? [] : [Number(new URL(databaseUrl).port || 5432)];
}

/** Chunks of one page. */
const MAX_CHUNKS = 2000;

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
  const { target, cap, localTarget, localCap } = config.chunk;
  const parser = createThreadParser({
    threads,
    timeoutMs,
    maxHeapMb: memoryMb,
    maxBodyBytes: config.fetch.maxBodyBytes,
    chunkLimits: { targetChars: target, capChars: cap, maxChunks: MAX_CHUNKS },
    localChunkLimits: { targetChars: localTarget, capChars: localCap, maxChunks: MAX_CHUNKS },
  });
  return {
    fetcher,
    parser,
    close: async () => {
      await Promise.allSettled([parser.close(), fetcher.close()]);
    },
  };
}
