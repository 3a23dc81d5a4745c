// One parse thread as the pool sees it: it runs one job at a time within its limits, and can be terminated at any
// moment.

import { Worker } from 'node:worker_threads';
import type { ChunkLimits } from '../core/chunk/chunker.ts';
import { pinakesError, type PinakesError } from '../core/model/errors.ts';
import type { ParseJob, ThreadReply, ThreadRequest } from './parse-job.ts';
import type { JobResults } from './port.ts';
import { threadEntryUrl } from '../platform/worker-thread.ts';

export interface ThreadLimits {
  readonly timeoutMs: number;
  readonly maxHeapMb: number;
  /** A thread that was idle for so long is terminated. */
  readonly idleMs: number;
  readonly chunkLimits: ChunkLimits;
  readonly localChunkLimits: ChunkLimits;
}

export interface ParseThread {
  /** One at a time. Rejects with `parse.timeout` or `parse.memory` when a limit ends the thread. */
  run(job: ParseJob): Promise<JobResult>;
  /** Resolves when the thread is gone; its current job is rejected. */
  end(): Promise<void>;
  /** Whether it can take another job. */
  isAlive(): boolean;
  /** Resolves when the thread is gone, for whatever reason. */
  readonly gone: Promise<void>;
}

export type JobResult = JobResults[ParseJob['kind']];

interface Task {
  readonly job: ParseJob;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: Error) => void;
}

const YOUNG_GENERATION_MB = 32;
/** Loading the code is not the page's fault and has its own timeout. */
const START_MS = 30_000;

export function startParseThread(limits: ThreadLimits): ParseThread {
  const worker = startWorker(limits);
  const current = createCurrentTask(limits.timeoutMs, (url, ms) => fail(pinakesError('parse.timeout', { url, ms })));
  let isEnding = false;
  const gone = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      isEnding = true;
      current.end((task) => task.reject(pinakesError('internal', { why: 'a parse thread exited unexpectedly' })));
      resolve();
    });
  });

  function fail(error: Error): void {
    isEnding = true;
    current.end((task) => task.reject(error));
    void worker.terminate();
  }

  worker.on('message', (reply: ThreadReply) => {
    if (reply.kind === 'ready') current.onCodeLoaded();
    else worker.unref();
    if (reply.kind === 'done') current.end((task) => task.resolve(reply.result));
    if (reply.kind === 'failed') current.end((task) => task.reject(rebuildError(reply)));
  });
  worker.on('error', (error) => fail(exitError(error, current.url())));

  return {
    gone,
    isAlive: () => !isEnding,
    run: (job) =>
      new Promise((resolve, reject) => {
        current.begin({ job, resolve, reject });
        worker.ref();
        const body = transferable(job.input.body);
        try {
          worker.postMessage({ job: withBody(job, body) } satisfies ThreadRequest, [body.buffer]);
        } catch (error) {
          const why = `${job.input.url} cannot be transferred to a thread`;
          current.end((task) => task.reject(pinakesError('internal', { why }, error)));
        }
      }),
    async end() {
      fail(pinakesError('internal', { why: 'the parser was closed' }));
      await gone;
    },
  };
}

function startWorker({ maxHeapMb, chunkLimits, localChunkLimits }: ThreadLimits): Worker {
  return new Worker(threadEntryUrl('parse-thread', import.meta.url), {
    name: 'pinakes-parse',
    workerData: { chunkLimits, localChunkLimits },
    // Parsing needs no settings, and secrets stay out of the thread that parses hostile bytes.
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
}

/** The job that a thread is running, and its timeout. */
interface CurrentTask {
  begin(task: Task): void;
  /** Stops the timer and settles the job, if there is one. */
  end(settle: (task: Task) => void): void;
  /** From now on the timeout of a job applies. */
  onCodeLoaded(): void;
  url(): string;
}

function createCurrentTask(timeoutMs: number, onTimeout: (url: string, ms: number) => void): CurrentTask {
  let task: Task | null = null;
  let timer: NodeJS.Timeout | undefined;
  let ms = START_MS;
  const url = (): string => task?.job.input.url ?? '';
  const startTimer = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => onTimeout(url(), ms), ms);
  };
  return {
    url,
    begin(next) {
      task = next;
      startTimer();
    },
    end(settle) {
      clearTimeout(timer);
      const current = task;
      task = null;
      if (current !== null) settle(current);
    },
    onCodeLoaded() {
      ms = timeoutMs;
      if (task !== null) startTimer();
    },
  };
}

function withBody(job: ParseJob, body: Uint8Array): ParseJob {
  return job.kind === 'llms-full'
    ? { ...job, input: { ...job.input, body } }
    : { ...job, input: { ...job.input, body } };
}

/** The body itself if it owns its memory, otherwise a copy: a slice of a shared buffer cannot be transferred. */
function transferable(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = body;
  const ownsMemory = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0;
  return ownsMemory ? new Uint8Array(buffer) : new Uint8Array(body);
}

function exitError(error: unknown, url: string): PinakesError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return pinakesError('parse.memory', { url });
  return pinakesError(
    'internal',
    { why: `a parse thread failed: ${error instanceof Error ? error.name : 'unknown'}` },
    error,
  );
}

function rebuildError(reply: ThreadReply & { readonly kind: 'failed' }): PinakesError {
  const error = pinakesError(reply.code, reply.details);
  error.stack = `${error.name}: ${error.message}\n${reply.frames}`;
  return error;
}
