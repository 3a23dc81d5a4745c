// The part of composition that concerns models: which one embeds, and how one is brought here.

import { join } from 'node:path';
import { PinakesError } from '../core/model/errors.ts';
import { spaceOfModel, type LocalModel } from '../core/vector/local-model.ts';
import { fingerprintOf, settingsOf } from '../core/vector/space.ts';
import { proxySettings } from '../fetch/http/proxy-settings.ts';
import type { Embedder } from '../embed/port.ts';
import type { PullDeps, PullRequest } from '../library/pull-model.ts';
import type { Embedding } from '../crawl/worker.ts';
import type { Config } from '../platform/config/schema.ts';

export interface SharedEmbedding extends Omit<Embedding, 'tellBusy'> {
  /** The model of an earlier space: one that is still on this machine, or that the same server still has. */
  readonly openFormer: (fingerprint: string) => Promise<Embedder | null>;
  /** Ends the models, whoever opened them. */
  close(): Promise<void>;
}

const shared = new WeakMap<Config, SharedEmbedding>();

/** Null where no vectors are wanted. One model a thread: where worker and search share one, they have the same model. */
export function embeddingOf(config: Config): SharedEmbedding | null {
  if (config.embed.provider === 'none') return null;
  const known = shared.get(config) ?? shareOf(config);
  shared.set(config, known);
  return known;
}

function shareOf(config: Config): SharedEmbedding {
  const all = new Set<Embedder>();
  let opening: Promise<Embedder> | null = null;
  let current: Embedder | null = null;

  /** A server that gives vectors of another size has another model by now: whoever asks next opens that one. */
  function sharedForm(embedder: Embedder): Embedder {
    all.add(embedder);
    current = embedder;
    const embed: Embedder['embed'] = (...asked) =>
      embedder.embed(...asked).catch((error: unknown) => {
        const isOther = error instanceof PinakesError && error.code === 'embed.dimensions';
        if (isOther && current === embedder) opening = null;
        throw error;
      });
    return { ...embedder, embed, close: async () => undefined };
  }

  return {
    leaseMs: config.embed.leaseMs,
    async openEmbedder() {
      opening ??= openConfigured(config).then(sharedForm);
      try {
        return await opening;
      } catch (error) {
        opening = null;
        throw error;
      }
    },
    async openFormer(fingerprint) {
      const former = await openFormer(config, fingerprint);
      if (former !== null) all.add(former);
      return former;
    },
    async close() {
      await opening?.catch(() => null);
      opening = null;
      await Promise.all([...all].map((embedder) => embedder.close()));
      all.clear();
    },
  };
}

async function openFormer(config: Config, fingerprint: string): Promise<Embedder | null> {
  if (config.embed.provider !== 'local') {
    const former = { ...settingsOf(fingerprint), dimensions: undefined };
    return openAs(config, { ...config.embed, ...former }, fingerprint);
  }
  const { createModelShelf } = await import('../embed/model-store.ts');
  const models = await createModelShelf(modelsOf(config)).list();
  const kept = models.find((model) => fingerprintOf(spaceOfModel(model)) === fingerprint);
  return kept === undefined ? null : openAs(config, { ...config.embed, model: kept.name, threads: 1 }, fingerprint);
}

/** A server may have another model under the same name by now: then its vectors are not those of the space. */
async function openAs(config: Config, embed: Config['embed'], fingerprint: string): Promise<Embedder | null> {
  const embedder = await openConfigured({ ...config, embed });
  if (fingerprintOf(embedder.space) === fingerprint) return embedder;
  await embedder.close();
  return null;
}

/** Its fetcher reaches the one server that the operator named. */
async function openConfigured(config: Config): Promise<Embedder> {
  const [{ openEmbedder }, { createAskServer }, { serverOpening }] = await Promise.all([
    import('../embed/open-embedder.ts'),
    import('../fetch/http/json-request.ts'),
    import('../fetch/server-opening.ts'),
  ]);
  const { timeoutMs, url } = config.embed;
  const opening = url === undefined ? { allowCidrs: [] } : serverOpening(url);
  const limits = { timeoutMs, headerTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs, maxBodyBytes: 67_108_864 };
  const { userAgent } = config.fetch;
  const { createHttpFetcher } = await import('../fetch/http/http-fetcher.ts');
  const fetcher = createHttpFetcher({ userAgent, proxies: proxySettings(process.env), ...limits, ...opening });
  const around = { models: modelsOf(config), env: process.env, ask: createAskServer(fetcher) };
  try {
    const embedder = await openEmbedder(config.embed, around);
    return { ...embedder, close: () => embedder.close().finally(() => fetcher.close()) };
  } catch (error) {
    await fetcher.close();
    throw error;
  }
}

function modelsOf({ dataDir }: Config): string {
  return join(dataDir, 'models');
}

export async function pull(
  config: Config,
  request: PullRequest,
  told: Pick<PullDeps, 'tell' | 'signal'>,
): Promise<LocalModel> {
  const { createModelShelf } = await import('../embed/model-store.ts');
  const { pullModel } = await import('../library/pull-model.ts');
  const hour = 3_600_000;
  const limits = { maxBodyBytes: 2_147_483_647, timeoutMs: hour };
  const { createHttpFetcher } = await import('../fetch/http/http-fetcher.ts');
  const fetcher = createHttpFetcher({ ...config.fetch, ...limits, proxies: proxySettings(process.env) });
  const { maxRedirects } = config.fetch;
  const shelf = createModelShelf(modelsOf(config));
  try {
    return await pullModel(request, {
      fetcher,
      shelf,
      modelHost: config.embed.modelHost ?? null,
      maxRedirects,
      ...told,
    });
  } finally {
    await fetcher.close();
  }
}
