// Opens the library in a worker that runs this same script, with others that read files for it, or on the main thread where the
// browser provides no worker.

import type { WorkerCall, WorkerReply } from './worker.ts';
import { createBrowserLibrary, type BrowserLibrary, type GrammarData } from './browser-library.ts';
import type { Progress } from './read-files.ts';

export interface OpenedLibrary {
  readonly library: BrowserLibrary;
  readonly runsIn: 'worker' | 'main-thread';
}

const START_TIMEOUT_MS = 10_000;
/** Posting a file costs the main thread a fraction of a millisecond; posting a whole folder at once would block it. */
const FILES_PER_MESSAGE = 64;
/** Workers that read files. Each has its own parsers and its own garbage, so a processor is left for the one that indexes. */
const READERS = Math.min(4, Math.max(1, globalThis.navigator.hardwareConcurrency - 1));
/** Fewer files are read before these workers would have started. */
const MIN_FILES_FOR_READERS = 32;

export async function openLibrary(script: string, grammars: GrammarData): Promise<OpenedLibrary> {
  try {
    return { library: await startWorker(script, grammars), runsIn: 'worker' };
  } catch {
    return { library: createBrowserLibrary({ grammars, readers: () => [], yieldToPage }), runsIn: 'main-thread' };
  }
}

/** Keeps the page responsive between two files. */
export function yieldToPage(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function startWorker(script: string, grammars: GrammarData): Promise<BrowserLibrary> {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = createCaller(new Worker(url));
  const timeout = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error('the worker did not start in time')), START_TIMEOUT_MS),
  );
  await Promise.race([worker.call('start', [grammars]), timeout]);
  let hasReaders = false;
  const startReaders = async (): Promise<void> => {
    if (hasReaders) return;
    hasReaders = true;
    for (let count = 0; count < READERS; count += 1) {
      const { port1, port2 } = new MessageChannel();
      // One that ends takes the call with it that waits for its files.
      const reader = createCaller(new Worker(url), (error) => worker.fail(error));
      await reader.call('startReader', [grammars, port1], { transfer: [port1] });
      await worker.call('addReader', [port2], { transfer: [port2] });
    }
  };
  return {
    async ingest({ files, ...source }, onProgress) {
      // Those that did not start are done without.
      if (source.folder !== undefined || files.length >= MIN_FILES_FOR_READERS)
        await startReaders().catch(() => undefined);
      for (let at = 0; at < files.length; at += FILES_PER_MESSAGE)
        await worker.call('addFiles', [files.slice(at, at + FILES_PER_MESSAGE)]);
      return worker.call('ingest', [source], { onProgress });
    },
    saved: () => worker.call('saved', []),
    openSaved: (name) => worker.call('openSaved', [name]),
    deleteSaved: (name) => worker.call('deleteSaved', [name]),
    page: (path) => worker.call('page', [path]),
    search: (query, limits, filter) => worker.call('search', [query, limits, filter]),
    export: (form) => worker.call('export', [form]),
  };
}

interface CallOptions {
  readonly onProgress?: (progress: Progress) => void;
  readonly transfer?: Transferable[];
}

interface Caller {
  call<T>(method: WorkerCall['method'], args: readonly unknown[], options?: CallOptions): Promise<T>;
  /** Rejects every call that has no reply. */
  fail(error: Error): void;
}

function createCaller(worker: Worker, onFailure: (error: Error) => void = () => undefined): Caller {
  const pending = new Map<number, PendingCall>();
  let lastId = 0;
  const fail = (error: Error): void => {
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => settle(data, pending));
  worker.addEventListener('error', ({ message }) => {
    fail(new Error(message));
    onFailure(new Error(message));
  });
  return {
    call<T>(method: WorkerCall['method'], args: readonly unknown[], { onProgress, transfer = [] }: CallOptions = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      pending.set((lastId += 1), { resolve, reject, onProgress });
      worker.postMessage({ id: lastId, method, args } satisfies WorkerCall, transfer);
      return promise as Promise<T>;
    },
    fail,
  };
}

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

function settle(reply: WorkerReply, pending: Map<number, PendingCall>): void {
  const call = pending.get(reply.id);
  if (reply.kind === 'progress') {
    call?.onProgress?.(reply.progress as Progress);
    return;
  }
  pending.delete(reply.id);
  if (reply.kind === 'done') call?.resolve(reply.value);
  else call?.reject(new Error(reply.message));
}
