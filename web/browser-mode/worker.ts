// The worker side: calls arrive as messages, and each reply carries the id of its call. One worker has the library; others read files
// for it, each through a port that both have.

import { createBrowserLibrary, unpackGrammars, type BrowserLibrary, type GrammarData } from './browser-library.ts';
import { connectReader, createFileReader, serveReader, type FileReader } from './read-file.ts';
import type { IngestedSource, Progress } from './read-files.ts';
import type { InputFile } from './walk-files.ts';

export interface WorkerCall {
  readonly id: number;
  readonly method: keyof BrowserLibrary | 'start' | 'startReader' | 'addReader' | 'addFiles';
  readonly args: readonly unknown[];
}

export type WorkerReply =
  | { readonly kind: 'progress'; readonly id: number; readonly progress: unknown }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

const PROGRESS_INTERVAL_MS = 50;

export function serveCalls(scope: Pick<Worker, 'postMessage' | 'addEventListener'>): void {
  let library: BrowserLibrary | null = null;
  let files: InputFile[] = [];
  const readers: Array<Pick<FileReader, 'read'>> = [];
  const handle = async ({ id, method, args }: WorkerCall): Promise<unknown> => {
    if (method === 'start') {
      const grammars = args[0] as GrammarData;
      library = createBrowserLibrary({ grammars, readers: () => readers, yieldToPage: async () => undefined });
      return null;
    }
    if (method === 'startReader') {
      serveReader(args[1] as MessagePort, createFileReader(unpackGrammars(args[0] as GrammarData)));
      return null;
    }
    if (method === 'addReader') {
      readers.push(connectReader(args[0] as MessagePort));
      return null;
    }
    if (library === null) throw new Error('the library has not been started');
    if (method === 'addFiles') {
      files.push(...(args[0] as readonly InputFile[]));
      return null;
    }
    const onProgress = throttle((progress) =>
      scope.postMessage({ kind: 'progress', id, progress } satisfies WorkerReply),
    );
    if (method === 'ingest') {
      const allFiles = files;
      files = [];
      return library.ingest({ ...(args[0] as IngestedSource), files: allFiles }, onProgress);
    }
    const call = library[method] as (...args: unknown[]) => Promise<unknown>;
    return call(...args);
  };
  scope.addEventListener('message', (event) => {
    const call = (event as MessageEvent<WorkerCall>).data;
    handle(call).then(
      (value) => scope.postMessage({ kind: 'done', id: call.id, value } satisfies WorkerReply, transferables(value)),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        scope.postMessage({ kind: 'failed', id: call.id, message } satisfies WorkerReply);
      },
    );
  });
}

/** Progress that is sent more often than anyone can see only keeps the main thread busy. */
function throttle(report: (progress: Progress) => void): (progress: Progress) => void {
  let last = 0;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    report(progress);
  };
}

/** A bundle is transferred instead of copied; copying fifty megabytes would block the page. */
function transferables(value: unknown): Transferable[] {
  const zip = (value as { readonly zip?: unknown } | null)?.zip;
  return zip instanceof Uint8Array ? [zip.buffer] : [];
}
