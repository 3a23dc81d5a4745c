// A parser on worker threads. A page that loops or devours memory costs its thread and nothing else: the thread is
// ended, the page fails, a new thread takes the next page.

import { bundleLimits, type ChunkLimits } from '../core/chunk/chunker.ts';
import type { RawPage } from '../core/extract/extractor.ts';
import { pinakesError, type PinakesError } from '../core/model/errors.ts';
import type { ParseThread } from './parse-thread-handle.ts';
import type { ParsedPage, Parser } from './port.ts';
import { createThreadPool } from './thread-pool.ts';

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
  const { threads, timeoutMs = 10_000, maxHeapMb = 384 } = options;
  const { maxBodyBytes = 10 * 1024 * 1024, maxWaiting = 256 } = options;
  const waiting: Waiting[] = [];
  const pool = createThreadPool(threads, { timeoutMs, maxHeapMb }, pump);
  let isClosed = false;

  function pump(): void {
    while (waiting.length > 0) {
      const thread = pool.take();
      const next = thread === null ? undefined : waiting.shift();
      if (thread === null || next === undefined) return;
      void run(thread, next);
    }
  }

  async function run(thread: ParseThread, { page, signal, resolve, reject, abortWaiting }: Waiting): Promise<void> {
    const abort = (): void => {
      reject(signal?.reason);
      void thread.end();
    };
    signal?.removeEventListener('abort', abortWaiting);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      resolve(await thread.read(page));
    } catch (error) {
      reject(error);
    }
    signal?.removeEventListener('abort', abort);
    pool.giveBack(thread);
    pump();
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
      if (isClosed) throw closed();
      if (page.body.byteLength > maxBodyBytes) {
        throw pinakesError('fetch.too-large', { url: page.url, limit: maxBodyBytes });
      }
      if (waiting.length >= maxWaiting) throw pinakesError('parse.busy', { waiting: waiting.length });
      return enqueue(page, signal);
    },
    async close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(closed());
      await pool.end();
    },
  };
}

function closed(): PinakesError {
  return pinakesError('internal', { why: 'the parser was closed' });
}
