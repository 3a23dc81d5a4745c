// Which model some files are. What is pinned is known by the hash of its weights; anything else is what the user says,
// and the user must say the hash too.

import { pinakesError } from '../model/errors.ts';
import { LocalModel } from './local-model.ts';
import { modelPresets, type ModelPreset } from './model-presets.table.ts';

export interface ModelClaims {
  /** A preset's name, or how the model shall be called. */
  readonly name: string;
  /** Of the ONNX file; the user vouches for it. */
  readonly sha256?: string | undefined;
  readonly pooling?: LocalModel['pooling'] | undefined;
  readonly dimensions?: number | undefined;
}

/** Raises `embed.model-unpinned`, or `embed.model-broken` where the files are others than those that were pinned. */
export function modelOfFiles(hashes: LocalModel['files'], claims: ModelClaims): LocalModel {
  const known = modelPresets.find(({ files }) => files?.model === hashes.model);
  if (known !== undefined) return pinned(known, hashes);
  const named = modelPresets.find(({ name }) => name === claims.name) ?? null;
  const wanted = claims.sha256 ?? named?.files?.model;
  if (wanted === undefined) throw pinakesError('embed.model-unpinned', { model: claims.name });
  if (wanted !== hashes.model) throw broken(claims.name, `its hash is ${hashes.model}, not ${wanted}`);
  return described(named, hashes, claims);
}

function pinned(preset: ModelPreset, hashes: LocalModel['files']): LocalModel {
  for (const [kind, hash] of Object.entries(preset.files ?? {}))
    if (hashes[kind as keyof LocalModel['files']] !== hash) throw broken(preset.name, `its ${kind} is another file`);
  return LocalModel.parse({ ...about(preset), files: hashes, verified: preset.verified });
}

function described(preset: ModelPreset | null, hashes: LocalModel['files'], claims: ModelClaims): LocalModel {
  const own = preset === null ? { ...UNKNOWN, name: claims.name, model: claims.name } : about(preset);
  const { pooling, dimensions } = claims;
  const parsed = LocalModel.safeParse({
    ...own,
    ...(pooling === undefined ? {} : { pooling }),
    ...(dimensions === undefined ? {} : { dimensions }),
    files: hashes,
    verified: false,
  });
  if (parsed.success) return parsed.data;
  const missing = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw broken(claims.name, `say its ${missing}`);
}

const UNKNOWN = { dtype: 'unknown', queryPrefix: '', passagePrefix: '', maxTokens: 512 };

function about(preset: ModelPreset): Omit<LocalModel, 'files' | 'verified'> {
  const { name, model, dtype, pooling, queryPrefix, passagePrefix, maxTokens, dimensions } = preset;
  return { name, model, dtype, pooling, queryPrefix, passagePrefix, maxTokens, dimensions };
}

function broken(model: string, why: string): Error {
  return pinakesError('embed.model-broken', { model, why });
}
