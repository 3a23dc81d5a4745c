// A local embedding model: its manifest, its files, and the space of its vectors.

import { z } from 'zod';
import type { SpaceSettings } from './space.ts';
import { TEXT_FORMAT_VERSION } from './passage-text.ts';

const Sha256Text = z.string().regex(/^[0-9a-f]{64}$/);

/** `pinakes-model.json` next to the files. Written only by `pinakes models pull`. */
export const LocalModel = z.strictObject({
  /** The name of the folder, which settings and commands refer to. */
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  model: z.string().min(1),
  dtype: z.string().min(1),
  pooling: z.enum(['mean', 'cls', 'last']),
  queryPrefix: z.string(),
  passagePrefix: z.string(),
  maxTokens: z.int().min(8).max(32_768),
  dimensions: z.int().min(1).max(16_384),
  /** Whether a test compares the vectors of exactly these files with reference vectors. */
  verified: z.boolean(),
  /** SHA-256 of each file. */
  files: z.strictObject({ model: Sha256Text, tokenizer: Sha256Text, tokenizerConfig: Sha256Text }),
});
export type LocalModel = z.output<typeof LocalModel>;

export const MODEL_FILES = {
  model: 'model.onnx',
  tokenizer: 'tokenizer.json',
  tokenizerConfig: 'tokenizer_config.json',
} as const satisfies Record<keyof LocalModel['files'], string>;

export const MANIFEST_FILE = 'pinakes-model.json';

/** The revision contains the hash of the weights, the one identifier that cannot be wrong. */
export function spaceOfModel(model: LocalModel): SpaceSettings {
  const { dtype, pooling, queryPrefix, passagePrefix, maxTokens, dimensions } = model;
  const revision = `${model.files.model.slice(0, 16)}-${model.files.tokenizer.slice(0, 16)}`;
  return {
    model: model.model,
    revision,
    dtype,
    pooling,
    queryPrefix,
    passagePrefix,
    textFormat: TEXT_FORMAT_VERSION,
    maxTokens,
    dimensions,
  };
}
