// One embedding thread as the pool sees it: starts, does one job at a time, ends when asked.

import { Worker } from 'node:worker_threads';
import { pinakesError } from '../core/model/errors.ts';
import type { OnnxThreadData, OnnxThreadReply, OnnxThreadRequest } from './onnx-thread.ts';
import { threadEntry } from '../platform/thread-entry.ts';

export interface OnnxThread {
  /** One at a time; null for a text that the model cannot take. */
  run(texts: readonly string[]): Promise<Array<Float32Array | null>>;
  isAlive(): boolean;
  /** Resolves when the thread is gone, which is after the text that it is reading. */
  end(): Promise<void>;
}

interface Task {
  readonly texts: readonly string[];
  readonly resolve: (vectors: Array<Float32Array | null>) => void;
  readonly reject: (error: Error) => void;
}

export function startOnnxThread(data: OnnxThreadData): OnnxThread {
  // A model needs no settings, and keys stay out of it.
  const worker = new Worker(threadEntry('onnx-thread', import.meta.url), {
    name: 'pinakes-embed',
    workerData: data,
    env: {},
    argv: [],
    execArgv: [],
  });
  const ask = (request: OnnxThreadRequest): void => worker.postMessage(request, []);
  let task: Task | null = null;
  let isOver = false;

  const settle = (end: (task: Task) => void): void => {
    const current = task;
    task = null;
    if (current !== null) end(current);
  };
  const fail = (error: Error): void => {
    isOver = true;
    settle(({ reject }) => reject(error));
  };
  const gone = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      fail(unavailable(data, 'its thread ended'));
      resolve();
    });
  });
  worker.on('error', (error) => fail(unavailable(data, error instanceof Error ? error.message : 'its thread broke')));
  worker.on('message', (reply: OnnxThreadReply) => {
    if (reply.kind === 'done')
      settle(({ resolve, texts }) => resolve(unpacked(reply, texts.length, data.model.dimensions)));
    if (reply.kind === 'failed') settle(({ reject }) => reject(pinakesError(reply.code, reply.details)));
  });

  return {
    isAlive: () => !isOver,
    run: (texts) =>
      new Promise((resolve, reject) => {
        if (isOver) return reject(unavailable(data, 'its thread ended'));
        task = { texts, resolve, reject };
        ask({ kind: 'embed', texts });
      }),
    async end() {
      fail(unavailable(data, 'it was closed'));
      ask({ kind: 'end' });
      await gone;
    },
  };
}

function unavailable({ model }: OnnxThreadData, why: string): Error {
  return pinakesError('embed.unavailable', { model: model.name, why });
}

function unpacked(
  { vectors, missing }: OnnxThreadReply & { readonly kind: 'done' },
  count: number,
  dimensions: number,
): Array<Float32Array | null> {
  const absent = new Set(missing);
  return Array.from({ length: count }, (_, at) =>
    absent.has(at) ? null : vectors.slice(at * dimensions, (at + 1) * dimensions),
  );
}
