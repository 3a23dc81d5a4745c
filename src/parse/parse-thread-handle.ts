// One thread as the pool sees it: starts, reads one page within its limits, can be ended at any moment.

import { Worker } from 'node:worker_threads';
import type { ChunkLimits } from '../core/chunk/chunker.ts';
import type { RawPage } from '../core/extract/extractor.ts';
import { pinakesError, type PinakesError } from '../core/model/errors.ts';
import type { ParsedPage } from './port.ts';
import type { ThreadReply, ThreadRequest } from './thread-messages.ts';

export interface ThreadLimits {
  readonly timeoutMs: number;
  readonly maxHeapMb: number;
  readonly chunks: ChunkLimits;
}

export interface ParseThread {
  /** One at a time. Rejects with `parse.timeout` or `parse.memory` when a limit ends the thread. */
  read(page: RawPage): Promise<ParsedPage>;
  /** Resolves when the thread is gone; a page it was reading is rejected. */
  end(): Promise<void>;
  /** Whether it can take another page. */
  isAlive(): boolean;
  /** Resolves when the thread is gone, for whatever reason. */
  readonly gone: Promise<void>;
}

interface Task {
  readonly page: RawPage;
  readonly resolve: (parsed: ParsedPage) => void;
  readonly reject: (error: Error) => void;
}

const YOUNG_HEAP_MB = 32;
/** Loading the code is not the page's fault and has a clock of its own. */
const START_MS = 30_000;

export function startParseThread(limits: ThreadLimits): ParseThread {
  // The compiler rewrites the extension of imports but not of URLs: the thread has the extension of this file.
  const entry = new URL(import.meta.url.endsWith('.ts') ? './parse-thread.ts' : './parse-thread.js', import.meta.url);
  const worker = new Worker(entry, {
    name: 'pinakes-parse',
    // A page needs no settings, and secrets stay out of the thread that reads hostile bytes.
    env: {},
    workerData: limits.chunks,
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.maxHeapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  let task: Task | null = null;
  let clock: NodeJS.Timeout | undefined;
  let isReady = false;
  let isEnding = false;

  const gone = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      isEnding = true;
      settle((current) => current.reject(pinakesError('internal', { why: 'a parsing thread ended by itself' })));
      resolve();
    });
  });

  function settle(how: (current: Task) => void): void {
    clearTimeout(clock);
    const current = task;
    task = null;
    worker.unref();
    if (current !== null) how(current);
  }

  function fail(error: Error): void {
    isEnding = true;
    settle((current) => current.reject(error));
    void worker.terminate();
  }

  function startClock(): void {
    const url = task?.page.url ?? '';
    const ms = isReady ? limits.timeoutMs : START_MS;
    clearTimeout(clock);
    clock = setTimeout(() => fail(pinakesError('parse.timeout', { url, ms })), ms);
  }

  function send(page: RawPage): void {
    const body = transferable(page.body);
    try {
      worker.postMessage({ page: { ...page, body } } satisfies ThreadRequest, [body.buffer]);
    } catch (error) {
      const why = `${page.url} cannot be handed to a thread`;
      settle((current) => current.reject(pinakesError('internal', { why }, error)));
    }
  }

  worker.on('message', (reply: ThreadReply) => {
    switch (reply.kind) {
      case 'ready':
        isReady = true;
        if (task !== null) startClock();
        break;
      case 'parsed':
        settle((current) => current.resolve(reply.parsed));
        break;
      case 'failed':
        settle((current) => current.reject(rebuilt(reply)));
        break;
    }
  });
  worker.on('error', (error) => fail(deathOf(error, task?.page.url ?? '')));

  return {
    gone,
    isAlive: () => !isEnding,
    read(page) {
      return new Promise((resolve, reject) => {
        task = { page, resolve, reject };
        worker.ref();
        startClock();
        send(page);
      });
    },
    async end() {
      fail(pinakesError('internal', { why: 'the parser was closed' }));
      await gone;
    },
  };
}

/** The body itself where it owns its memory, else a copy: parts of a shared buffer cannot move alone. */
function transferable(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = body;
  const ownsIt = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0;
  return ownsIt ? new Uint8Array(buffer) : new Uint8Array(body);
}

function deathOf(error: unknown, url: string): PinakesError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return pinakesError('parse.memory', { url });
  return pinakesError(
    'internal',
    { why: `a parsing thread failed: ${error instanceof Error ? error.name : 'unknown'}` },
    error,
  );
}

function rebuilt(reply: ThreadReply & { readonly kind: 'failed' }): PinakesError {
  const error = pinakesError(reply.code, reply.details);
  error.stack = `${error.name}: ${error.message}\n${reply.frames}`;
  return error;
}
