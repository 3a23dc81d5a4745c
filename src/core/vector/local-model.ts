// A model on disk: what its manifest says, which files belong to it, and how its vectors are made.

import { z } from 'zod';
import type { SpaceSettings } from './space.ts';
import { TEXT_FORM } from './passage-text.ts';

const Sha256Text = z.string().regex(/^[0-9a-f]{64}$/);

/** `pinakes-model.json` beside the files. Written by `pinakes model pull`, and by nothing else. */
export const LocalModel = z.strictObject({
  /** The folder's name, by which settings and commands name it. */
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  model: z.string().min(1),
  dtype: z.string().min(1),
  pooling: z.enum(['mean', 'cls', 'last']),
  queryPrefix: z.string(),
  passagePrefix: z.string(),
  maxTokens: z.int().min(8).max(32_768),
  dimensions: z.int().min(1).max(16_384),
  /** Whether a test has compared vectors of exactly these files with reference ones. */
  verified: z.boolean(),
  /** Names inside the folder, with the hash of each. */
  files: z.strictObject({ model: Sha256Text, tokenizer: Sha256Text, tokenizerConfig: Sha256Text }),
});
export type LocalModel = z.output<typeof LocalModel>;

export const MODEL_FILES = {
  model: 'model.onnx',
  tokenizer: 'tokenizer.json',
  tokenizerConfig: 'tokenizer_config.json',
} as const satisfies Record<keyof LocalModel['files'], string>;

export const MANIFEST_FILE = 'pinakes-model.json';

/** The revision is the hash of the weights: the one thing that cannot be named wrongly. */
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
    textForm: TEXT_FORM,
    maxTokens,
    dimensions,
  };
}
