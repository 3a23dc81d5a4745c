// Opens the library in a worker that runs this same script, or on the main thread where the browser provides no worker.

import type { WorkerCall, WorkerReply } from './worker.ts';
import { createBrowserLibrary, type BrowserLibrary, type GrammarData, type Progress } from './browser-library.ts';

export interface OpenedLibrary {
  readonly library: BrowserLibrary;
  readonly runsIn: 'worker' | 'main-thread';
}

const START_TIMEOUT_MS = 10_000;
/** Posting a file costs the main thread a fraction of a millisecond; posting a whole folder at once would block it. */
const FILES_PER_MESSAGE = 64;

export async function openLibrary(script: string, grammars: GrammarData): Promise<OpenedLibrary> {
  try {
    return { library: await startWorker(script, grammars), runsIn: 'worker' };
  } catch {
    return { library: createBrowserLibrary(grammars, yieldToPage), runsIn: 'main-thread' };
  }
}

/** Keeps the page responsive between two files. */
export function yieldToPage(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function startWorker(script: string, grammars: GrammarData): Promise<BrowserLibrary> {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = new Worker(url);
  const pending = new Map<number, PendingCall>();
  let lastId = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => settle(data, pending));
  worker.addEventListener('error', ({ message }) => {
    for (const { reject } of pending.values()) reject(new Error(message));
    pending.clear();
  });
  const call = <T>(
    method: WorkerCall['method'],
    args: readonly unknown[],
    onProgress?: (progress: Progress) => void,
  ): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    pending.set((lastId += 1), { resolve, reject, onProgress });
    worker.postMessage({ id: lastId, method, args } satisfies WorkerCall);
    return promise as Promise<T>;
  };
  const timeout = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error('the worker did not start in time')), START_TIMEOUT_MS),
  );
  await Promise.race([call('start', [grammars]), timeout]);
  URL.revokeObjectURL(url);
  return {
    async ingest({ files, ...source }, onProgress) {
      for (let at = 0; at < files.length; at += FILES_PER_MESSAGE)
        await call('addFiles', [files.slice(at, at + FILES_PER_MESSAGE)]);
      return call('ingest', [source], onProgress);
    },
    saved: () => call('saved', []),
    openSaved: (name) => call('openSaved', [name]),
    deleteSaved: (name) => call('deleteSaved', [name]),
    page: (path) => call('page', [path]),
    search: (query, limits, filter) => call('search', [query, limits, filter]),
    export: (form) => call('export', [form]),
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
