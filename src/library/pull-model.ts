// Brings a model to this machine: from a model host by name, or from a folder. There is no other way in, and nothing comes
// in whose hash nobody vouched for.

import { pinakesError } from '../core/model/errors.ts';
import { sha256Hex } from '../core/model/hash.ts';
import { pageUrl, type PageUrl } from '../core/model/page-url.ts';
import type { LocalModel } from '../core/vector/local-model.ts';
import { modelOfFiles, type ModelClaims } from '../core/vector/identify-model.ts';
import { presetOf, type ModelPreset } from '../core/vector/model-presets.table.ts';
import type { ModelBytes, ModelShelf } from '../embed/port.ts';
import type { Fetcher } from '../fetch/port.ts';
import { askFollowing } from '../crawl/polite/follow-redirects.ts';

export interface PullDeps {
  readonly fetcher: Fetcher;
  readonly shelf: ModelShelf;
  /** In place of the presets' own host; null leaves it. */
  readonly modelHost: string | null;
  readonly maxRedirects: number;
  readonly tell: (step: string, done: number, of: number) => void;
  readonly signal: AbortSignal;
}

export interface PullRequest extends ModelClaims {
  /** A folder, where no preset is meant. */
  readonly path: string | null;
}

type Kind = keyof ModelBytes;
const KINDS: readonly Kind[] = ['model', 'tokenizer', 'tokenizerConfig'];

/** Where folders keep the weights, in the order in which they are looked for. */
const PLACES: Readonly<Record<Kind, readonly string[]>> = {
  model: ['model.onnx', 'onnx/model_quantized.onnx', 'onnx/model_int8.onnx', 'onnx/model.onnx', 'model_quantized.onnx'],
  tokenizer: ['tokenizer.json'],
  tokenizerConfig: ['tokenizer_config.json'],
};

export async function pullModel(request: PullRequest, deps: PullDeps): Promise<LocalModel> {
  const preset = presetOf(request.name);
  if (request.path === null && preset === null) throw pinakesError('embed.model-missing', { model: request.name });
  // Without a pin the download would be in vain.
  if (request.path === null && preset?.files === null && request.sha256 === undefined)
    throw pinakesError('embed.model-unpinned', { model: request.name });
  const files: Partial<Record<Kind, Uint8Array>> = {};
  for (const [at, kind] of KINDS.entries()) {
    deps.tell(kind, at, KINDS.length);
    files[kind] =
      request.path === null ? await download(preset as ModelPreset, kind, deps) : await find(request.path, kind, deps);
  }
  const bytes = files as ModelBytes;
  const hashes = {
    model: sha256Hex(bytes.model),
    tokenizer: sha256Hex(bytes.tokenizer),
    tokenizerConfig: sha256Hex(bytes.tokenizerConfig),
  };
  const model = modelOfFiles(hashes, request);
  await deps.shelf.keep(model, bytes);
  deps.tell('kept', KINDS.length, KINDS.length);
  return model;
}

async function find(folder: string, kind: Kind, { shelf }: PullDeps): Promise<Uint8Array> {
  for (const place of PLACES[kind]) {
    const bytes = await shelf.read(`${folder}/${place}`);
    if (bytes !== null) return bytes;
  }
  throw pinakesError('local.unreadable', { path: `${folder}/${PLACES[kind][0] ?? ''}`, why: 'there is no such file' });
}

async function download(preset: ModelPreset, kind: Kind, deps: PullDeps): Promise<Uint8Array> {
  const { fetcher, modelHost, maxRedirects, signal } = deps;
  const named = new URL(`${preset.from}/${preset.paths[kind]}`);
  const url = pageUrl(modelHost === null ? named.href : `${modelHost.replace(/\/+$/, '')}${named.pathname}`);
  const ask = (target: PageUrl) => fetcher.fetch({ url: target, accept: '*/*' }, signal);
  const { end } = await askFollowing(url, { ask, maxRedirects });
  if (end.kind === 'answered' && end.outcome.kind === 'fetched') return end.outcome.body;
  throw pinakesError('fetch.failed', { url, why: whyOf(end) });
}

function whyOf(end: Awaited<ReturnType<typeof askFollowing>>['end']): string {
  if (end.kind !== 'answered') return end.kind;
  const { outcome } = end;
  return 'reason' in outcome ? outcome.reason : outcome.kind;
}
