// The process that owns a data directory: it crawls, and serves the other processes.

import { createIdleWatch } from '../crawl/loop/idle-watch.ts';
import type { AuditSink } from '../core/model/audit-entry.ts';
import { createAuditWriter } from '../library/audit-writer.ts';
import { openToOthers } from '../platform/check-machine.ts';
import { startWatchdog, type Watchdog } from '../platform/watchdog.ts';
import { auditCalls, LOCAL_CALLER } from '../serve/audit.ts';
import { createUseCounter } from '../serve/source-usage.ts';
import type { Monitoring } from '../serve/http/http-deps.ts';
import type { Store } from '../store/port.ts';
import { createWriteLock } from '../store/sqlite/write-lock.ts';
import { getSharedEmbedder } from './embedding.ts';
import { createActionCalls, openOwnerSocket, type CreateCall, type EndOwner } from './in-process-library.ts';
import { createMonitoring, instrumentSearches } from './monitoring.ts';
import { startCrawlThread } from './start-crawl-thread.ts';
import { createThreadPlanner } from './start-plan-thread.ts';
import {
  createScanThread,
  delegateReads,
  NO_QUERY_THREAD,
  startQueryThread,
  type QueryThread,
  type ScanThread,
} from './start-query-thread.ts';
import { getSearchIndex } from './search-index.ts';
import type { AppContext } from './app-context.ts';
import { connectionShares, openStore, usesSqlite, type ConnectionShares } from './store.ts';

export interface Interfaces {
  /** Ports that they listen on. */
  readonly ports: readonly number[];
  close(): Promise<void>;
}

export interface OwnerParts {
  readonly store: Store;
  readonly createCall: CreateCall;
  readonly monitoring: Monitoring;
  readonly audit: AuditSink;
}

export interface OwnerOptions {
  /** Until it is stopped, or until it has been idle for a while. */
  readonly until: 'stopped' | 'idle';
  /** Whether its interfaces answer queries about the library. */
  readonly answersQueries: boolean;
  readonly openInterfaces: (parts: OwnerParts) => Promise<Interfaces>;
}

/** Owns the data directory, crawls in a separate thread, and keeps the interfaces open. */
export async function runOwner(
  context: AppContext,
  { until, answersQueries, openInterfaces }: OwnerOptions,
): Promise<void> {
  const { config } = context;
  if (usesSqlite(context) && until === 'stopped') {
    const { takeOverDirectory } = await import('../serve/owner/owner-library.ts');
    await takeOverDirectory(config.dataDir);
  }
  const writeLock = createWriteLock();
  const ended = new AbortController();
  const signal = AbortSignal.any([context.signal, ended.signal]);
  // The thread takes longer to load than the store takes to open, so both start at the same time.
  const isQueried = answersQueries || usesSqlite(context);
  const shares = connectionShares(config.database.poolSize, isQueried);
  const crawlThread = startCrawlThread(context, { writeLock, connections: shares.crawl }, signal);
  const store = await openStore(context, 'write', { writeLock, connections: shares.main }).catch((error: unknown) => {
    ended.abort();
    throw error;
  });
  logStart(context, store);
  const queryThread = isQueried ? startQueryThread(context, shares.query) : NO_QUERY_THREAD;
  const scanThread = openScanThread(context, shares, queryThread);
  const watchdog = startOwnWatchdog(until, config);
  let listeningOn: readonly number[] = [];
  const planner = createThreadPlanner(context, () => listeningOn);
  const index = getSearchIndex(store, context);
  const idle = createIdleWatch({ store, index }, config.owner.idleMs, () => crawlThread.isEmbedding());
  const end: EndOwner = async (now) => {
    if (until !== 'idle' || (!now && (await idle.isBusy()))) return false;
    ended.abort();
    return true;
  };
  try {
    const actionCalls = createActionCalls(context, store, planner, () => listeningOn);
    const countUses = createUseCounter();
    const threads = { crawl: crawlThread, query: answersQueries ? queryThread : null, watchdog };
    const monitoring = createMonitoring(store, index, threads);
    const delegated = delegateReads(actionCalls, queryThread, scanThread);
    const createCall: CreateCall = (files) => instrumentSearches(countUses(delegated(files)), monitoring.metrics);
    const audit = createAuditWriter(store, config.audit, context.log);
    const interfaces = await openInterfaces({ store, createCall, monitoring, audit });
    listeningOn = interfaces.ports;
    const own: CreateCall = (files) => auditCalls(createCall(files), LOCAL_CALLER, audit);
    const ownerServer = usesSqlite(context) ? await openOwnerSocket(context, own, end) : null;
    crawlThread.start(listeningOn);
    watchdog?.watch();
    // If a thread ends for any reason, a failed disk for instance, the process ends too.
    const working = Promise.all([crawlThread.ended, queryThread.ended]).finally(() => ended.abort());
    working.catch(() => undefined);
    if (until === 'idle') await idle.wait(() => ownerServer?.activeCalls() ?? 0, signal).finally(() => ended.abort());
    await aborted(signal);
    // Clients must find no owner before the directory is free, so that they start the next one.
    await Promise.all([ownerServer?.close(), interfaces.close()]);
    await Promise.all([queryThread.close(), scanThread.close(), planner.close()]);
    await working;
  } finally {
    ended.abort();
    await Promise.all([queryThread.close(), scanThread.close(), planner.close()]);
    await Promise.all([getSharedEmbedder(config)?.close(), watchdog?.close()]);
    await store.close();
  }
}

function openScanThread(context: AppContext, { scan }: ConnectionShares, queryThread: QueryThread): ScanThread {
  return usesSqlite(context) || scan > 0 ? createScanThread(context) : queryThread;
}

/** A process in the background ends by itself, and is started again by the next command. */
function startOwnWatchdog(until: OwnerOptions['until'], { serve }: AppContext['config']): Watchdog | null {
  return until === 'stopped' ? startWatchdog({ endMs: serve.maxBlockedMs }) : null;
}

function logStart(context: AppContext, { engine }: Store): void {
  const { version, config, log } = context;
  log.info('pinakes started', { version, database: engine });
  const open = usesSqlite(context) ? openToOthers(config.dataDir) : null;
  if (open !== null) log.warn(open, { dataDir: config.dataDir });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
