// Entry point of an embedding thread: loads the model once, then runs one job at a time.

import type { LocalModel } from '../core/vector/local-model.ts';
import { PinakesError, pinakesError } from '../core/model/errors.ts';
import { serveThread } from '../platform/serve-thread.ts';
import type { ThreadContract } from '../platform/worker-thread.ts';
import { openOnnxModel } from './onnx-model.ts';

export interface OnnxThreadData {
  readonly folder: string;
  readonly model: LocalModel;
}

export interface OnnxContract extends ThreadContract {
  readonly data: OnnxThreadData;
  /** Texts. */
  readonly input: readonly string[];
  /** All vectors in one transferred buffer; `missing` are the indexes without a vector. */
  readonly result: { readonly vectors: Float32Array<ArrayBuffer>; readonly missing: readonly number[] };
  readonly progress: never;
}

serveThread<OnnxContract>({
  async open({ folder, model }) {
    const unavailable = (error: unknown): never => {
      if (error instanceof PinakesError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw pinakesError('embed.unavailable', { model: model.name, reason }, error);
    };
    const onnx = await openOnnxModel(folder, model).catch(unavailable);
    return {
      async handle(texts, { signal }) {
        const vectors = await onnx.embed(texts, signal).catch(unavailable);
        const packed = new Float32Array(texts.length * model.dimensions);
        vectors.forEach((vector, at) => vector !== null && packed.set(vector, at * model.dimensions));
        return { vectors: packed, missing: vectors.flatMap((vector, at) => (vector === null ? [at] : [])) };
      },
    };
  },
  transferOf: ({ vectors }) => [vectors.buffer],
});
