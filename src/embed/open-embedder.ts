// Opens the configured embedder.

import { pinakesError } from '../core/model/errors.ts';
import { loadModel } from './model-store.ts';
import { createOnnxEmbedder } from './onnx-embedder.ts';
import type { Embedder, SendRequest } from './port.ts';
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

export interface EmbedderContext {
  readonly modelsFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sendRequest: SendRequest;
}

export async function openEmbedder(settings: EmbedSettings, context: EmbedderContext): Promise<Embedder> {
  const { provider, model, url, keyEnv, dimensions = null, ...more } = settings;
  if (provider === 'local') {
    const { threads } = settings;
    return createOnnxEmbedder({ ...(await loadModel(context.modelsFolder, model)), threads });
  }
  if (provider === 'none' || url === undefined)
    throw pinakesError('config.invalid', { setting: 'embed.provider', reason: 'no model is configured' });
  const key = keyEnv === undefined ? null : (context.env[keyEnv] ?? null);
  if (keyEnv !== undefined && !key)
    throw pinakesError('config.invalid', {
      setting: 'embed.keyEnv',
      reason: `the environment variable ${keyEnv} is empty`,
    });
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
    sendRequest: context.sendRequest,
  });
}
