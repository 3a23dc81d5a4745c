// Opens the library in a worker that runs this same script, with others that read files for it, or on the main thread where the
// browser provides no worker.

import { createBrowserLibrary, type BrowserLibrary, type EmbeddedFiles } from './browser-library.ts';
import type { LibraryMethod } from './worker.ts';
import { createCaller, type Caller } from './worker-calls.ts';

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

export async function openBrowserLibrary(script: string, embedded: EmbeddedFiles): Promise<OpenedLibrary> {
  try {
    return { library: await startWorker(script, embedded), runsIn: 'worker' };
  } catch {
    return { library: createBrowserLibrary({ ...embedded, readers: [], yieldToPage }), runsIn: 'main-thread' };
  }
}

/** Keeps the page responsive between two files. */
export function yieldToPage(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function startWorker(script: string, embedded: EmbeddedFiles): Promise<BrowserLibrary> {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = callerOf(new Worker(url));
  const timeout = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error('the worker did not start in time')), START_TIMEOUT_MS),
  );
  await Promise.race([worker.call('start', [embedded]), timeout]);
  const startReaders = async (): Promise<void> => {
    for (let count = 0; count < READERS; count += 1) {
      const { port1, port2 } = new MessageChannel();
      // If one fails, so does the call that waits for its files.
      const reader = callerOf(new Worker(url), (error) => worker.fail(error));
      await reader.call('startReader', [embedded.grammars, port1], { transfer: [port1] });
      await worker.call('addReader', [port2], { transfer: [port2] });
    }
  };
  let readers: Promise<void> | null = null;
  return {
    async ingest({ files, ...source }, onProgress) {
      // If none of them starts, the library reads the files itself.
      if (source.folder !== undefined || files.length >= MIN_FILES_FOR_READERS)
        await (readers ??= startReaders().catch(() => undefined));
      for (let at = 0; at < files.length; at += FILES_PER_MESSAGE)
        await worker.call('addFiles', [files.slice(at, at + FILES_PER_MESSAGE)]);
      return worker.call('ingest', [source], { onProgress });
    },
    saved: () => worker.call('saved', []),
    openSaved: (name) => worker.call('openSaved', [name]),
    deleteSaved: (name) => worker.call('deleteSaved', [name]),
    page: (path) => worker.call('page', [path]),
    search: (query, limits, filter) => worker.call('search', [query, limits, filter]),
    export: (format) => worker.call('export', [format]),
  };
}

function callerOf(worker: Worker, onFailure: (error: Error) => void = () => undefined): Caller<LibraryMethod> {
  const caller = createCaller<LibraryMethod>(worker);
  worker.addEventListener('error', ({ message }) => {
    caller.fail(new Error(message));
    onFailure(new Error(message));
  });
  return caller;
}
