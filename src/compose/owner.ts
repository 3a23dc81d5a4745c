// The process that owns a data directory: it works, and answers for the others.

import { type CallWith, callActions } from './in-process-library.ts';
import { greetingOf } from './elsewhere.ts';
import { embeddingOf } from './embedding.ts';
import { type Surroundings, openStore, isLocal } from './store.ts';
import { readsElsewhere, startReadThread } from './start-query-thread.ts';
import { startWorkThread } from './start-crawl-thread.ts';
import { createIdleWatch } from '../crawl/loop/idle-watch.ts';
import type { OwnerDoor } from '../serve/owner/owner-server.ts';
import { ownerSocket } from '../serve/local/owner-socket.ts';
import type { Store } from '../store/port.ts';
import { createWriteTurns } from '../store/sqlite/write-lock.ts';

type End = (now: boolean) => Promise<boolean>;

export async function openDoor(around: Surroundings, callWith: CallWith, end: End): Promise<OwnerDoor> {
  const { openOwnerDoor } = await import('../serve/owner/owner-server.ts');
  const greeting = { pid: process.pid, ...greetingOf(around) };
  const onError = (error: unknown): void => around.log.error('a call from another process failed', { error });
  return openOwnerDoor({ socket: ownerSocket(around.config.dataDir), greeting, callWith, end, onError });
}

type OpenDoors = (store: Store, callWith: CallWith) => Promise<{ close(): Promise<void> }>;

/** Owns the data directory, works in a thread of its own, and keeps doors open. */
export async function own(around: Surroundings, until: 'stopped' | 'idle', openDoors: OpenDoors): Promise<void> {
  const { config } = around;
  if (isLocal(around) && until === 'stopped') {
    const { takeOver } = await import('../serve/local/take-over.ts');
    await takeOver(config.dataDir);
  }
  const turns = createWriteTurns();
  const ended = new AbortController();
  const signal = AbortSignal.any([around.signal, ended.signal]);
  // What it has to load takes longer than to open the store, and goes on beside that.
  const thread = startWorkThread(around, turns, signal);
  const store = await openStore(around, 'write', turns).catch((error: unknown) => {
    ended.abort();
    throw error;
  });
  const reader = startReadThread(around);
  const idle = createIdleWatch(store, config.owner.idleMs, () => thread.isEmbedding());
  const end: End = async (now) => {
    if (until !== 'idle' || (!now && (await idle.isBusy()))) return false;
    ended.abort();
    return true;
  };
  try {
    const callWith = readsElsewhere(callActions(around, store), reader);
    const doors = await openDoors(store, callWith);
    const door = isLocal(around) ? await openDoor(around, callWith, end) : null;
    thread.begin();
    // However a thread ends, on a disk that failed for instance, it ends the process.
    const working = Promise.all([thread.ended, reader.ended]).finally(() => ended.abort());
    working.catch(() => undefined);
    if (until === 'idle') await idle.wait(() => door?.busy() ?? 0, signal).finally(() => ended.abort());
    await aborted(signal);
    // Its clients must find nobody before the directory is free, so that they start the next owner.
    await Promise.all([door?.close(), doors.close()]);
    await reader.close();
    await working;
  } finally {
    ended.abort();
    await reader.close();
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
