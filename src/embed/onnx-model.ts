// One ONNX model in one session: texts in, vectors out. It runs inside a worker thread, because a batch blocks the CPU.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { pinakesError } from '../core/model/errors.ts';
import { MODEL_FILES, type LocalModel } from '../core/vector/local-model.ts';
import { poolTokens } from '../core/vector/pool-tokens.ts';

export interface OnnxModel {
  /** Null for a text that the model cannot embed. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Array<Float32Array | null>>;
}

/** No token of ordinary text is longer; anything after this many characters would be truncated anyway. */
const MAX_CHARS_PER_TOKEN = 16;

type Encode = (text: string) => readonly number[];

export async function openOnnxModel(folder: string, model: LocalModel): Promise<OnnxModel> {
  const packages = await loadOnnxPackages();
  const encode = await openTokenizer(folder, model, packages);
  const session = await packages.InferenceSession.create(join(folder, MODEL_FILES.model), {
    // One thread per session: two single-threaded sessions outperform one session with two threads.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  });
  return {
    // One text at a time. Int8 weights scale a whole batch by its largest value, so a text's vector would depend on the
    // others; and from 100 tokens on, one row per run was as fast as 8 or 16 (bench/vector/embed.ts).
    async embed(texts, signal) {
      const vectors: Array<Float32Array | null> = [];
      for (const text of texts) {
        signal.throwIfAborted();
        vectors.push(await embedText(text).catch(() => null));
      }
      return vectors;
    },
  };

  async function embedText(text: string): Promise<Float32Array | null> {
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
      throw new Error(`the model does not output ${model.dimensions} dimensions per token`);
    return poolTokens({ data, dimensions: model.dimensions }, model.pooling);
  }
}

async function openTokenizer(folder: string, model: LocalModel, { Tokenizer }: OnnxPackages): Promise<Encode> {
  const json = async (name: string): Promise<object> =>
    JSON.parse(await readFile(join(folder, name), 'utf8')) as object;
  const tokenizer = new Tokenizer(await json(MODEL_FILES.tokenizer), await json(MODEL_FILES.tokenizerConfig));
  return (text) => {
    const { ids } = tokenizer.encode(text.slice(0, model.maxTokens * MAX_CHARS_PER_TOKEN));
    const last = ids.at(-1);
    // The last token marks the end of the text, so truncation keeps it.
    return ids.length <= model.maxTokens || last === undefined ? ids : [...ids.slice(0, model.maxTokens - 1), last];
  };
}

/** Two large optional packages, installed only by users of local models. */
interface OnnxPackages {
  readonly InferenceSession: typeof InferenceSession;
  readonly Tensor: typeof Tensor;
  readonly Tokenizer: typeof Tokenizer;
}

const ONNX_PACKAGES = ['onnxruntime-node@1.30.0', '@huggingface/tokenizers@0.2.0'] as const;

/** Throws `embed.packages-missing`, which says what to install. */
export async function loadOnnxPackages(): Promise<OnnxPackages> {
  try {
    const [onnx, tokenizers] = await Promise.all([import('onnxruntime-node'), import('@huggingface/tokenizers')]);
    return { InferenceSession: onnx.InferenceSession, Tensor: onnx.Tensor, Tokenizer: tokenizers.Tokenizer };
  } catch (error) {
    throw pinakesError('embed.packages-missing', { packages: ONNX_PACKAGES.join(' ') }, error);
  }
}
