// Composes embedding: which model embeds, and how a model is downloaded.

import { join } from 'node:path';
import type { ServiceState } from '../actions/action.ts';
import { PinakesError } from '../core/model/errors.ts';
import { spaceOfModel, type LocalModel } from '../core/vector/local-model.ts';
import { fingerprintOf, parseFingerprint } from '../core/vector/space.ts';
import { proxySettings } from '../fetch/http/proxy-settings.ts';
import type { Embedder } from '../embed/port.ts';
import type { PullDeps, PullRequest } from '../library/pull-model.ts';
import type { Embedding } from '../crawl/worker.ts';
import type { Config } from '../platform/config/schema.ts';

export interface SharedEmbedding extends Omit<Embedding, 'onBusyChange'> {
  /** The model of a previous space, if it is still on this machine or on the same server. */
  readonly openPrevious: (fingerprint: string) => Promise<Embedder | null>;
  /** Closes all models, including those opened by other callers. */
  close(): Promise<void>;
}

const sharedEmbeddings = new WeakMap<Config, SharedEmbedding>();

/** Null if embedding is off. One model per thread, which the worker and search share. */
export function getSharedEmbedder(config: Config): SharedEmbedding | null {
  const existing = sharedEmbeddings.get(config);
  if (existing !== undefined || config.embed.provider === 'none') return existing ?? null;
  const created = createSharedEmbedding(config);
  sharedEmbeddings.set(config, created);
  return created;
}

/** Embeds with the model of a caller, who closes it. */
export function shareEmbedder(config: Config, embedder: Embedder): void {
  const unclosed: Embedder = {
    space: embedder.space,
    countTokens: (text) => embedder.countTokens(text),
    embed: (...args) => embedder.embed(...args),
    health: () => embedder.health(),
    close: async () => undefined,
  };
  sharedEmbeddings.set(config, {
    leaseMs: config.embed.leaseMs,
    openEmbedder: async () => unclosed,
    openPrevious: async () => null,
    close: async () => undefined,
  });
}

/** Opens the model if it is not open yet: a server that does not respond fails here as it would in a search. */
export async function readEmbedHealth(config: Config): Promise<ServiceState> {
  const shared = getSharedEmbedder(config);
  if (shared === null) return { state: 'off', reason: null };
  try {
    return (await shared.openEmbedder()).health();
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    return { state: 'failing', reason: error.message };
  }
}

function createSharedEmbedding(config: Config): SharedEmbedding {
  const all = new Set<Embedder>();
  let opening: Promise<Embedder> | null = null;
  let current: Embedder | null = null;

  /** A server that returns vectors of another size has changed its model: the next caller opens the new one. */
  function track(embedder: Embedder): Embedder {
    all.add(embedder);
    current = embedder;
    const embed: Embedder['embed'] = (...args) =>
      embedder.embed(...args).catch((error: unknown) => {
        const isOtherModel = error instanceof PinakesError && error.code === 'embed.dimensions';
        if (isOtherModel && current === embedder) opening = null;
        throw error;
      });
    return { ...embedder, embed, close: async () => undefined };
  }

  return {
    leaseMs: config.embed.leaseMs,
    async openEmbedder() {
      opening ??= openConfigured(config).then(track);
      try {
        return await opening;
      } catch (error) {
        opening = null;
        throw error;
      }
    },
    async openPrevious(fingerprint) {
      const previous = await openPrevious(config, fingerprint);
      if (previous !== null) all.add(previous);
      return previous;
    },
    async close() {
      await opening?.catch(() => null);
      opening = null;
      await Promise.all([...all].map((embedder) => embedder.close()));
      all.clear();
    },
  };
}

async function openPrevious(config: Config, fingerprint: string): Promise<Embedder | null> {
  if (config.embed.provider !== 'local') {
    const previous = { ...parseFingerprint(fingerprint), dimensions: undefined };
    return openAs(config, { ...config.embed, ...previous }, fingerprint);
  }
  const { createModelStore } = await import('../embed/model-store.ts');
  const models = await createModelStore(modelsDirectory(config)).list();
  const stored = models.find((model) => fingerprintOf(spaceOfModel(model)) === fingerprint);
  return stored === undefined ? null : openAs(config, { ...config.embed, model: stored.name, threads: 1 }, fingerprint);
}

/** A server may have changed the model behind a name: then its vectors do not belong to the space. */
async function openAs(config: Config, embed: Config['embed'], fingerprint: string): Promise<Embedder | null> {
  const embedder = await openConfigured({ ...config, embed });
  if (fingerprintOf(embedder.space) === fingerprint) return embedder;
  await embedder.close();
  return null;
}

/** Its fetcher can reach only the server that the operator named. */
async function openConfigured(config: Config): Promise<Embedder> {
  const [{ openEmbedder }, { createJsonClient, guardSettingsFor }] = await Promise.all([
    import('../embed/open-embedder.ts'),
    import('../fetch/http/json-request.ts'),
  ]);
  const { timeoutMs, url } = config.embed;
  const guardSettings = url === undefined ? { allowCidrs: [] } : guardSettingsFor(url);
  const limits = { timeoutMs, headerTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs, maxBodyBytes: 67_108_864 };
  const { userAgent } = config.fetch;
  const { createHttpFetcher } = await import('../fetch/http/http-fetcher.ts');
  const fetcher = createHttpFetcher({ userAgent, proxies: proxySettings(process.env), ...limits, ...guardSettings });
  const dependencies = {
    modelsFolder: modelsDirectory(config),
    env: process.env,
    sendRequest: createJsonClient(fetcher),
  };
  try {
    const embedder = await openEmbedder(config.embed, dependencies);
    return { ...embedder, close: () => embedder.close().finally(() => fetcher.close()) };
  } catch (error) {
    await fetcher.close();
    throw error;
  }
}

function modelsDirectory({ dataDir }: Config): string {
  return join(dataDir, 'models');
}

export async function pullLocalModel(
  config: Config,
  request: PullRequest,
  callbacks: Pick<PullDeps, 'onProgress' | 'signal'>,
): Promise<LocalModel> {
  const { createModelStore } = await import('../embed/model-store.ts');
  const { pullModel } = await import('../library/pull-model.ts');
  const hour = 3_600_000;
  const limits = { maxBodyBytes: 2_147_483_647, timeoutMs: hour };
  const { createHttpFetcher } = await import('../fetch/http/http-fetcher.ts');
  const fetcher = createHttpFetcher({ ...config.fetch, ...limits, proxies: proxySettings(process.env) });
  const { maxRedirects } = config.fetch;
  const models = createModelStore(modelsDirectory(config));
  try {
    return await pullModel(request, {
      fetcher,
      models,
      modelHost: config.embed.modelHost ?? null,
      maxRedirects,
      ...callbacks,
    });
  } finally {
    await fetcher.close();
  }
}
