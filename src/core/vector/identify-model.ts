// Identifies the model that some files belong to. A pinned preset is recognized by the hash of its weights; for anything
// else the user describes the model and states the hash.

import { pinakesError } from '../model/errors.ts';
import { LocalModel } from './local-model.ts';
import { modelPresets, type ModelPreset } from './model-presets.table.ts';

export interface ModelClaims {
  /** The name of a preset, or a new name for the model. */
  readonly name: string;
  /** Hash of the ONNX file, as the user states it. */
  readonly sha256?: string | undefined;
  readonly pooling?: LocalModel['pooling'] | undefined;
  readonly dimensions?: number | undefined;
}

/** Throws `embed.model-unpinned`, or `embed.model-corrupt` if the files differ from the pinned ones. */
export function identifyModel(hashes: LocalModel['files'], claims: ModelClaims): LocalModel {
  const preset = modelPresets.find(({ files }) => files?.model === hashes.model);
  if (preset !== undefined) return pinnedModel(preset, hashes);
  const named = modelPresets.find(({ name }) => name === claims.name) ?? null;
  const expected = claims.sha256 ?? named?.files?.model;
  if (expected === undefined) throw pinakesError('embed.model-unpinned', { model: claims.name });
  if (expected !== hashes.model) throw brokenModel(claims.name, `its hash is ${hashes.model}, not ${expected}`);
  return describedModel(named, hashes, claims);
}

function pinnedModel(preset: ModelPreset, hashes: LocalModel['files']): LocalModel {
  for (const [kind, hash] of Object.entries(preset.files ?? {}))
    if (hashes[kind as keyof LocalModel['files']] !== hash)
      throw brokenModel(preset.name, `its ${kind} file has a different hash`);
  return LocalModel.parse({ ...presetFields(preset), files: hashes, verified: preset.verified });
}

function describedModel(preset: ModelPreset | null, hashes: LocalModel['files'], claims: ModelClaims): LocalModel {
  const base = preset === null ? { ...UNKNOWN, name: claims.name, model: claims.name } : presetFields(preset);
  const { pooling, dimensions } = claims;
  const parsed = LocalModel.safeParse({
    ...base,
    ...(pooling === undefined ? {} : { pooling }),
    ...(dimensions === undefined ? {} : { dimensions }),
    files: hashes,
    verified: false,
  });
  if (parsed.success) return parsed.data;
  const missing = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw brokenModel(claims.name, `state its ${missing}`);
}

const UNKNOWN = { dtype: 'unknown', queryPrefix: '', passagePrefix: '', maxTokens: 512 };

function presetFields(preset: ModelPreset): Omit<LocalModel, 'files' | 'verified'> {
  const { name, model, dtype, pooling, queryPrefix, passagePrefix, maxTokens, dimensions } = preset;
  return { name, model, dtype, pooling, queryPrefix, passagePrefix, maxTokens, dimensions };
}

function brokenModel(model: string, reason: string): Error {
  return pinakesError('embed.model-corrupt', { model, reason });
}
