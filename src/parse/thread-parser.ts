// A parser on worker threads. A page that loops or devours memory costs its thread and nothing else: the thread is
// ended, the page fails, a new thread takes the next page.

import { bundleLimits, type ChunkLimits } from '../core/chunk/chunker.ts';
import type { RawPage } from '../core/extract/extractor.ts';
import { pinakesError } from '../core/model/errors.ts';
import { startParseThread, type ParseThread } from './parse-thread-handle.ts';
import type { ParsedPage, Parser } from './port.ts';

export interface ThreadParserOptions {
  readonly threads: number;
  /** How long one page may take, loading the code not counted. */
  readonly timeoutMs?: number;
  /** JavaScript heap of one thread. */
  readonly maxHeapMb?: number;
  readonly maxBodyBytes?: number;
  /** Pages that may wait for a thread before `parse.busy`. */
  readonly maxWaiting?: number;
  readonly chunks?: ChunkLimits;
}

interface Waiting {
  readonly page: RawPage;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (parsed: ParsedPage | PromiseLike<ParsedPage>) => void;
  readonly reject: (reason: unknown) => void;
  readonly abortWaiting: () => void;
}

export function createThreadParser(options: ThreadParserOptions): Parser {
  const { threads: maxThreads, timeoutMs = 10_000, maxHeapMb = 384 } = options;
  const { maxBodyBytes = 10 * 1024 * 1024, maxWaiting = 256, chunks = bundleLimits } = options;
  const threads = new Set<ParseThread>();
  const idle: ParseThread[] = [];
  const waiting: Waiting[] = [];
  let isClosed = false;

  function pump(): void {
    while (waiting.length > 0) {
      const thread = idle.pop() ?? (threads.size < maxThreads ? start() : null);
      if (thread === null) return;
      const next = waiting.shift();
      if (next !== undefined) run(thread, next);
    }
  }

  function start(): ParseThread {
    const thread = startParseThread({ timeoutMs, maxHeapMb, chunks });
    threads.add(thread);
    // A thread counts until it is truly gone, so there are never more than allowed.
    void thread.gone.then(() => {
      threads.delete(thread);
      const at = idle.indexOf(thread);
      if (at !== -1) idle.splice(at, 1);
      pump();
    });
    return thread;
  }

  function run(thread: ParseThread, { page, signal, resolve, reject, abortWaiting }: Waiting): void {
    const abort = (): void => {
      reject(signal?.reason);
      void thread.end();
    };
    signal?.removeEventListener('abort', abortWaiting);
    signal?.addEventListener('abort', abort, { once: true });
    void thread
      .read(page)
      .then(resolve, reject)
      .finally(() => {
        signal?.removeEventListener('abort', abort);
        if (thread.isAlive()) idle.push(thread);
        pump();
      });
  }

  function enqueue(page: RawPage, signal: AbortSignal | undefined): Promise<ParsedPage> {
    return new Promise((resolve, reject) => {
      const abortWaiting = (): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(signal?.reason);
      };
      const entry: Waiting = { page, signal, resolve, reject, abortWaiting };
      signal?.addEventListener('abort', abortWaiting, { once: true });
      waiting.push(entry);
      pump();
    });
  }

  return {
    async parse(page, signal) {
      signal?.throwIfAborted();
      if (isClosed) throw pinakesError('internal', { why: 'the parser was closed' });
      if (page.body.byteLength > maxBodyBytes) {
        throw pinakesError('fetch.too-large', { url: page.url, limit: maxBodyBytes });
      }
      if (waiting.length >= maxWaiting) throw pinakesError('parse.busy', { waiting: waiting.length });
      return enqueue(page, signal);
    },
    async close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(pinakesError('internal', { why: 'the parser was closed' }));
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}
