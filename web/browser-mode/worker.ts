// The worker side: calls arrive as messages, and each reply carries the id of its call.

import {
  createBrowserLibrary,
  type BrowserLibrary,
  type GrammarData,
  type IngestedSource,
  type Progress,
} from './browser-library.ts';
import type { InputFile } from './walk-files.ts';

export interface WorkerCall {
  readonly id: number;
  readonly method: keyof BrowserLibrary | 'start' | 'addFiles';
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
  const handle = async ({ id, method, args }: WorkerCall): Promise<unknown> => {
    if (method === 'start') {
      library = createBrowserLibrary(args[0] as GrammarData, async () => undefined);
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
