// Installs an embedding model: downloaded from a model host by name, or imported from a folder. There is no other way
// in, and only files with a pinned hash are accepted.

import { pinakesError } from '../core/model/errors.ts';
import { sha256Hex } from '../core/model/hash.ts';
import { pageUrl, type PageUrl } from '../core/model/page-url.ts';
import type { LocalModel } from '../core/vector/local-model.ts';
import { identifyModel, type ModelClaims } from '../core/vector/identify-model.ts';
import { findPreset, type ModelPreset } from '../core/vector/model-presets.table.ts';
import type { ModelBytes, ModelStore } from '../embed/port.ts';
import type { Fetcher } from '../fetch/port.ts';
import { fetchFollowingRedirects } from '../fetch/follow-redirects.ts';

export interface PullDeps {
  readonly fetcher: Fetcher;
  readonly models: ModelStore;
  /** Replaces the host of the preset; null keeps it. */
  readonly modelHost: string | null;
  readonly maxRedirects: number;
  readonly onProgress: (step: string, done: number, total: number) => void;
  readonly signal: AbortSignal;
}

export interface PullRequest extends ModelClaims {
  /** A folder to import from; null for a preset. */
  readonly path: string | null;
}

type ModelFile = keyof ModelBytes;
const MODEL_FILES: readonly ModelFile[] = ['model', 'tokenizer', 'tokenizerConfig'];

/** Where folders have these files, in the order in which they are tried. */
const FILE_PATHS: Readonly<Record<ModelFile, readonly string[]>> = {
  model: ['model.onnx', 'onnx/model_quantized.onnx', 'onnx/model_int8.onnx', 'onnx/model.onnx', 'model_quantized.onnx'],
  tokenizer: ['tokenizer.json'],
  tokenizerConfig: ['tokenizer_config.json'],
};

export async function pullModel(request: PullRequest, deps: PullDeps): Promise<LocalModel> {
  const preset = findPreset(request.name);
  if (request.path === null && preset === null) throw pinakesError('embed.model-missing', { model: request.name });
  // Without a pinned hash the download would be rejected.
  if (request.path === null && preset?.files === null && request.sha256 === undefined)
    throw pinakesError('embed.model-unpinned', { model: request.name });
  const files: Partial<Record<ModelFile, Uint8Array>> = {};
  for (const [at, kind] of MODEL_FILES.entries()) {
    deps.onProgress(kind, at, MODEL_FILES.length);
    files[kind] =
      request.path === null
        ? await download(preset as ModelPreset, kind, deps)
        : await findFile(request.path, kind, deps);
  }
  const bytes = files as ModelBytes;
  const hashes = {
    model: sha256Hex(bytes.model),
    tokenizer: sha256Hex(bytes.tokenizer),
    tokenizerConfig: sha256Hex(bytes.tokenizerConfig),
  };
  const model = identifyModel(hashes, request);
  await deps.models.save(model, bytes);
  deps.onProgress('saved', MODEL_FILES.length, MODEL_FILES.length);
  return model;
}

async function findFile(folder: string, kind: ModelFile, { models }: PullDeps): Promise<Uint8Array> {
  for (const path of FILE_PATHS[kind]) {
    const bytes = await models.read(`${folder}/${path}`);
    if (bytes !== null) return bytes;
  }
  throw pinakesError('files.unreadable', {
    path: `${folder}/${FILE_PATHS[kind][0] ?? ''}`,
    reason: 'there is no such file',
  });
}

async function download(preset: ModelPreset, kind: ModelFile, deps: PullDeps): Promise<Uint8Array> {
  const { fetcher, modelHost, maxRedirects, signal } = deps;
  const named = new URL(`${preset.from}/${preset.paths[kind]}`);
  const url = pageUrl(modelHost === null ? named.href : `${modelHost.replace(/\/+$/, '')}${named.pathname}`);
  const request = (target: PageUrl) => fetcher.fetch({ url: target, accept: '*/*' }, signal);
  const { end } = await fetchFollowingRedirects(url, { request, maxRedirects });
  if (end.kind === 'response' && end.outcome.kind === 'fetched') return end.outcome.body;
  throw pinakesError('fetch.failed', { url, reason: failureReason(end) });
}

function failureReason(end: Awaited<ReturnType<typeof fetchFollowingRedirects>>['end']): string {
  if (end.kind !== 'response') return end.kind;
  const { outcome } = end;
  return 'reason' in outcome ? outcome.reason : outcome.kind;
}
