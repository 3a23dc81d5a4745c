// The entry of an embedding thread: loads the model once, then one job at a time.

import { parentPort, workerData } from 'node:worker_threads';
import type { LocalModel } from '../core/vector/local-model.ts';
import { PinakesError, type ErrorCode, type ErrorDetails } from '../core/model/errors.ts';
import { openOnnxModel } from './onnx-model.ts';

export interface OnnxThreadData {
  readonly folder: string;
  readonly model: LocalModel;
}

export type OnnxThreadReply =
  | { readonly kind: 'ready' }
  /** All vectors in one piece of memory, which moves; `missing` are positions without one. */
  | { readonly kind: 'done'; readonly vectors: Float32Array<ArrayBuffer>; readonly missing: readonly number[] }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly details: ErrorDetails };

/** `end` is asked for, never forced: a thread that is ended inside the native code takes the whole process with it. */
export type OnnxThreadRequest =
  | { readonly kind: 'embed'; readonly texts: readonly string[] }
  | { readonly kind: 'end' };

const port = parentPort;
if (port === null) throw new Error('onnx-thread runs in a worker thread only');
const { folder, model } = workerData as OnnxThreadData;
const ending = new AbortController();

port.on('message', (request: OnnxThreadRequest) => {
  if (request.kind === 'embed') return void answer(request.texts);
  ending.abort();
  port.close();
});
const opening = openOnnxModel(folder, model);
opening.then(
  () => port.postMessage({ kind: 'ready' } satisfies OnnxThreadReply),
  (error: unknown) => {
    port.postMessage(failureOf(error));
    port.close();
  },
);

async function answer(texts: readonly string[]): Promise<void> {
  try {
    const vectors = await (await opening).embed(texts, ending.signal);
    const packed = new Float32Array(texts.length * model.dimensions);
    vectors.forEach((vector, at) => vector !== null && packed.set(vector, at * model.dimensions));
    const missing = vectors.flatMap((vector, at) => (vector === null ? [at] : []));
    port?.postMessage({ kind: 'done', vectors: packed, missing } satisfies OnnxThreadReply, [packed.buffer]);
  } catch (error) {
    port?.postMessage(failureOf(error));
  }
}

function failureOf(error: unknown): OnnxThreadReply {
  if (error instanceof PinakesError) return { kind: 'failed', code: error.code, details: error.details };
  const why = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', code: 'embed.unavailable', details: { model: model.name, why } };
}
