// From the operator's settings to the one embedder of this process.

import { pinakesError } from '../core/model/errors.ts';
import { readModelFolder } from './model-folder.ts';
import { createOnnxEmbedder } from './onnx-embedder.ts';
import type { AskServer, Embedder } from './port.ts';
import { openRemoteEmbedder } from './remote-embedder.ts';
import type { ProtocolName } from './remote-protocols.ts';

export interface EmbedSettings {
  readonly provider: 'none' | 'local' | ProtocolName;
  readonly model: string;
  readonly url?: string | undefined;
  readonly keyEnv?: string | undefined;
  readonly dimensions?: number | undefined;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  readonly maxTokens: number;
  readonly batchTexts: number;
  readonly batchTokens: number;
  readonly threads: number;
}

export interface EmbedSurroundings {
  /** The folder of the models. */
  readonly models: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly ask: AskServer;
}

export async function openEmbedder(settings: EmbedSettings, around: EmbedSurroundings): Promise<Embedder> {
  const { provider, model, url, keyEnv, dimensions = null, ...more } = settings;
  if (provider === 'local') {
    const { threads } = settings;
    return createOnnxEmbedder({ ...(await readModelFolder(around.models, model)), threads });
  }
  if (provider === 'none' || url === undefined)
    throw pinakesError('config.invalid', { setting: 'embed.provider', why: 'it names no model' });
  const key = keyEnv === undefined ? null : (around.env[keyEnv] ?? null);
  if (keyEnv !== undefined && !key)
    throw pinakesError('config.invalid', { setting: 'embed.keyEnv', why: `the variable ${keyEnv} is empty` });
  const { queryPrefix, passagePrefix, maxTokens, batchTexts: maxBatchRows, batchTokens: maxBatchTokens } = more;
  const batches = { maxTokens, maxBatchRows, maxBatchTokens };
  const prefixes = { queryPrefix, passagePrefix };
  return openRemoteEmbedder({
    protocol: provider,
    url,
    model,
    key,
    dimensions,
    ...prefixes,
    ...batches,
    ask: around.ask,
  });
}
