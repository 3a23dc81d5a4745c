// One model in one session: texts in, vectors out. It runs inside a thread, since a batch takes the processor for itself.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MODEL_FILES, type LocalModel } from '../core/vector/local-model.ts';
import { poolTokens } from '../core/vector/pool-tokens.ts';
import { loadOnnxPackages, type OnnxPackages } from './onnx-packages.ts';

export interface OnnxModel {
  /** Null for a text that the model cannot take. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Array<Float32Array | null>>;
}

/** No token is longer than this in ordinary text; what stands behind could not be read anyway. */
const CHARS_A_TOKEN = 16;

type Encode = (text: string) => readonly number[];

export async function openOnnxModel(folder: string, model: LocalModel): Promise<OnnxModel> {
  const packages = await loadOnnxPackages();
  const encode = await openTokenizer(folder, model, packages);
  const session = await packages.InferenceSession.create(join(folder, MODEL_FILES.model), {
    // One thread a session: two sessions of one thread do more than one session of two.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  });
  return {
    // One text at a time. Weights in int8 scale a whole batch by its largest value, so a text's vector would depend on its
    // neighbours; and from 100 tokens on, one row a run was as fast as 8 or 16 (bench/vector/embed.ts).
    async embed(texts, signal) {
      const vectors: Array<Float32Array | null> = [];
      for (const text of texts) {
        signal.throwIfAborted();
        vectors.push(await vectorOf(text).catch(() => null));
      }
      return vectors;
    },
  };

  async function vectorOf(text: string): Promise<Float32Array | null> {
    const ids = encode(text);
    const shape = [1, ids.length];
    const tensor = (value: (at: number) => bigint): InstanceType<OnnxPackages['Tensor']> =>
      new packages.Tensor(
        'int64',
        BigInt64Array.from(ids, (_, at) => value(at)),
        shape,
      );
    const output = await session.run({
      input_ids: tensor((at) => BigInt(ids[at] ?? 0)),
      attention_mask: tensor(() => 1n),
      ...(session.inputNames.includes('token_type_ids') ? { token_type_ids: tensor(() => 0n) } : {}),
    });
    const data = (output['last_hidden_state'] ?? output[session.outputNames[0] ?? ''])?.data;
    if (!(data instanceof Float32Array) || data.length !== ids.length * model.dimensions)
      throw new Error(`the model does not give ${model.dimensions} numbers a token`);
    return poolTokens({ data, dimensions: model.dimensions }, model.pooling);
  }
}

async function openTokenizer(folder: string, model: LocalModel, { Tokenizer }: OnnxPackages): Promise<Encode> {
  const json = async (name: string): Promise<object> =>
    JSON.parse(await readFile(join(folder, name), 'utf8')) as object;
  const tokenizer = new Tokenizer(await json(MODEL_FILES.tokenizer), await json(MODEL_FILES.tokenizerConfig));
  return (text) => {
    const { ids } = tokenizer.encode(text.slice(0, model.maxTokens * CHARS_A_TOKEN));
    const last = ids.at(-1);
    // The last token ends the text for the model, so it stays when the text is cut.
    return ids.length <= model.maxTokens || last === undefined ? ids : [...ids.slice(0, model.maxTokens - 1), last];
  };
}
