// Entry point of an embedding thread: loads the model once, then runs one job at a time.

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
  /** All vectors in one transferred buffer; `missing` are the indexes without a vector. */
  | { readonly kind: 'done'; readonly vectors: Float32Array<ArrayBuffer>; readonly missing: readonly number[] }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly details: ErrorDetails };

/** `end` is a request, never forced: terminating a thread inside native code crashes the whole process. */
export type OnnxThreadRequest =
  | { readonly kind: 'embed'; readonly texts: readonly string[] }
  | { readonly kind: 'end' };

const port = parentPort;
if (port === null) throw new Error('onnx-thread runs in a worker thread only');
const { folder, model } = workerData as OnnxThreadData;
const ending = new AbortController();

port.on('message', (request: OnnxThreadRequest) => {
  if (request.kind === 'embed') return void embedTexts(request.texts);
  ending.abort();
  port.close();
});
const opening = openOnnxModel(folder, model);
opening.then(
  () => port.postMessage({ kind: 'ready' } satisfies OnnxThreadReply),
  (error: unknown) => {
    port.postMessage(toFailure(error));
    port.close();
  },
);

async function embedTexts(texts: readonly string[]): Promise<void> {
  try {
    const vectors = await (await opening).embed(texts, ending.signal);
    const packed = new Float32Array(texts.length * model.dimensions);
    vectors.forEach((vector, at) => vector !== null && packed.set(vector, at * model.dimensions));
    const missing = vectors.flatMap((vector, at) => (vector === null ? [at] : []));
    port?.postMessage({ kind: 'done', vectors: packed, missing } satisfies OnnxThreadReply, [packed.buffer]);
  } catch (error) {
    port?.postMessage(toFailure(error));
  }
}

function toFailure(error: unknown): OnnxThreadReply {
  if (error instanceof PinakesError) return { kind: 'failed', code: error.code, details: error.details };
  const why = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', code: 'embed.unavailable', details: { model: model.name, why } };
}
