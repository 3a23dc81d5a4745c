// The vectors that MiniLM gives single words and word pieces. The model and its vocabulary come from an npm package.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { findPreset, type ModelPreset } from '../../src/core/vector/model-presets.table.ts';
import { poolTokens } from '../../src/core/vector/pool-tokens.ts';
import { loadOnnxPackages } from '../../src/embed/onnx-model.ts';

const preset = findPreset('minilm') as ModelPreset;

export interface WordModel {
  /** Its words and its pieces, without `##`; only those of ASCII letters and digits. */
  readonly words: ReadonlySet<string>;
  readonly pieces: readonly string[];
  readonly embedWord: (word: string) => Promise<Float32Array>;
  readonly embedPiece: (piece: string) => Promise<Float32Array>;
}

/** `folder` has the layout of a model hub. */
export async function openWordModel(folder: string): Promise<WordModel> {
  for (const file of ['model', 'tokenizer', 'tokenizerConfig'] as const) {
    const found = createHash('sha256')
      .update(readFileSync(join(folder, preset.paths[file])))
      .digest('hex');
    if (found !== preset.files?.[file]) throw new Error(`${preset.paths[file]} has the SHA-256 ${found}`);
  }
  const { InferenceSession, Tensor, Tokenizer } = await loadOnnxPackages();
  const json = (name: string): object => JSON.parse(readFileSync(join(folder, name), 'utf8')) as object;
  const tokenizerJson = json(preset.paths.tokenizer) as { model: { vocab: Record<string, number> } };
  const tokenizer = new Tokenizer(tokenizerJson, json(preset.paths.tokenizerConfig));
  const { vocab } = tokenizerJson.model;
  const session = await InferenceSession.create(join(folder, preset.paths.model), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });

  async function embedIds(ids: readonly number[]): Promise<Float32Array> {
    const tensor = (value: (id: number) => bigint): InstanceType<typeof Tensor> =>
      new Tensor('int64', BigInt64Array.from(ids, value), [1, ids.length]);
    const { last_hidden_state: output } = await session.run({
      input_ids: tensor(BigInt),
      attention_mask: tensor(() => 1n),
      token_type_ids: tensor(() => 0n),
    });
    return poolTokens({ data: output?.data as Float32Array, dimensions: preset.dimensions }, preset.pooling);
  }

  const isPlain = (name: string): boolean => /^[a-z0-9]+$/.test(name);
  const names = Object.keys(vocab);
  return {
    words: new Set(names.filter(isPlain)),
    pieces: names
      .filter((name) => name.startsWith('##'))
      .map((name) => name.slice(2))
      .filter(isPlain)
      .toSorted(),
    embedWord: (word) => embedIds(tokenizer.encode(word).ids),
    embedPiece: (piece) => embedIds([vocab['[CLS]'] ?? 0, vocab[`##${piece}`] ?? 0, vocab['[SEP]'] ?? 0]),
  };
}
