// One thread as the pool sees it: starts, does one job within its limits, can be ended at any moment.

import { Worker } from 'node:worker_threads';
import type { ChunkLimits } from '../core/chunk/chunker.ts';
import { pinakesError, type PinakesError } from '../core/model/errors.ts';
import type { ParseJob } from './parse-job.ts';
import type { JobResults } from './port.ts';
import type { ThreadReply, ThreadRequest } from './thread-messages.ts';
import { threadEntry } from '../platform/thread-entry.ts';

export interface ThreadLimits {
  readonly timeoutMs: number;
  readonly maxHeapMb: number;
  /** A thread that has had nothing to do for so long is ended. */
  readonly idleMs: number;
  readonly chunkLimits: ChunkLimits;
  readonly localChunkLimits: ChunkLimits;
}

export interface ParseThread {
  /** One at a time. Rejects with `parse.timeout` or `parse.memory` when a limit ends the thread. */
  run(job: ParseJob): Promise<JobResult>;
  /** Resolves when the thread is gone; a job it was doing is rejected. */
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

const YOUNG_HEAP_MB = 32;
/** Loading the code is not the page's fault and has a clock of its own. */
const START_MS = 30_000;

export function startParseThread(limits: ThreadLimits): ParseThread {
  const worker = startWorker(limits);
  const turn = createTurn(limits.timeoutMs, (url, ms) => fail(pinakesError('parse.timeout', { url, ms })));
  let isEnding = false;
  const gone = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      isEnding = true;
      turn.end((task) => task.reject(pinakesError('internal', { why: 'a parsing thread ended by itself' })));
      resolve();
    });
  });

  function fail(error: Error): void {
    isEnding = true;
    turn.end((task) => task.reject(error));
    void worker.terminate();
  }

  worker.on('message', (reply: ThreadReply) => {
    if (reply.kind === 'ready') turn.codeIsLoaded();
    else worker.unref();
    if (reply.kind === 'done') turn.end((task) => task.resolve(reply.result));
    if (reply.kind === 'failed') turn.end((task) => task.reject(rebuilt(reply)));
  });
  worker.on('error', (error) => fail(deathOf(error, turn.url())));

  return {
    gone,
    isAlive: () => !isEnding,
    run: (job) =>
      new Promise((resolve, reject) => {
        turn.begin({ job, resolve, reject });
        worker.ref();
        const body = transferable(job.input.body);
        try {
          worker.postMessage({ job: withBody(job, body) } satisfies ThreadRequest, [body.buffer]);
        } catch (error) {
          const why = `${job.input.url} cannot be handed to a thread`;
          turn.end((task) => task.reject(pinakesError('internal', { why }, error)));
        }
      }),
    async end() {
      fail(pinakesError('internal', { why: 'the parser was closed' }));
      await gone;
    },
  };
}

function startWorker({ maxHeapMb, chunkLimits, localChunkLimits }: ThreadLimits): Worker {
  return new Worker(threadEntry('parse-thread', import.meta.url), {
    name: 'pinakes-parse',
    workerData: { chunkLimits, localChunkLimits },
    // A page needs no settings, and secrets stay out of the thread that reads hostile bytes.
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
}

/** The job that a thread is doing, and its clock. */
interface Turn {
  begin(task: Task): void;
  /** Stops the clock and settles the job, if there is one. */
  end(settle: (task: Task) => void): void;
  /** From now on the clock is the job's own. */
  codeIsLoaded(): void;
  url(): string;
}

function createTurn(timeoutMs: number, isLate: (url: string, ms: number) => void): Turn {
  let task: Task | null = null;
  let clock: NodeJS.Timeout | undefined;
  let ms = START_MS;
  const url = (): string => task?.job.input.url ?? '';
  const startClock = (): void => {
    clearTimeout(clock);
    clock = setTimeout(() => isLate(url(), ms), ms);
  };
  return {
    url,
    begin(next) {
      task = next;
      startClock();
    },
    end(settle) {
      clearTimeout(clock);
      const current = task;
      task = null;
      if (current !== null) settle(current);
    },
    codeIsLoaded() {
      ms = timeoutMs;
      if (task !== null) startClock();
    },
  };
}

function withBody(job: ParseJob, body: Uint8Array): ParseJob {
  return job.kind === 'llms-full'
    ? { ...job, input: { ...job.input, body } }
    : { ...job, input: { ...job.input, body } };
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
