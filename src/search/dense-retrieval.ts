// Dense retrieval: embeds the query in the active space and finds its nearest chunks, behind a circuit breaker.

import type { SearchFilter } from '../core/lexical/query/search-filter.ts';
import { PinakesError } from '../core/model/errors.ts';
import type { VersionId } from '../core/model/run.ts';
import { createBreakerGate, QUERY_POLICY } from '../core/rate/circuit-breaker.ts';
import { cosineSimilarity } from '../core/vector/cosine-similarity.ts';
import { fingerprintOf, isMostlyEmbedded } from '../core/vector/space.ts';
import type { Embedder } from '../embed/port.ts';
import type { NearestChunk, NearestRequest, Space, Store } from '../store/port.ts';
import type { NearestPlace } from '../core/lexical/query/index-query.ts';
import type { ChunkPlace } from '../core/lexical/query/index-reader.ts';
import type { SearchIndex } from '../index/port.ts';
import type { DenseResult } from './fuse-results.ts';
import type { RetrievalResult } from '../core/rank/lexical-retrieval.ts';

export interface DenseModels {
  /** The configured model. Called for every query: the implementation caches it until the settings change. */
  readonly open: () => Promise<Embedder>;
  /** The model of an earlier space, or null if it is gone. It may be closed more than once. */
  readonly openFormer: (fingerprint: string) => Promise<Embedder | null>;
}

export interface DenseOptions {
  readonly versions: readonly VersionId[];
  readonly filter: SearchFilter;
}

/** Null if there is no model or too few texts have vectors yet; the search is then lexical only. */
export type DenseRetriever = (
  query: string,
  lexical: RetrievalResult,
  options: DenseOptions,
) => Promise<DenseResult | null>;

const NEAREST_CHUNKS = 100;

/** Embeds the query, finds the nearest chunks, and compares the query with the chunks that lexical retrieval found. */
export function createDenseRetriever(
  store: Store,
  models: DenseModels,
  now: () => number,
  index: Pick<SearchIndex, 'nearest'> | null = null,
): DenseRetriever {
  const activeSpace = createActiveSpace(store, models, now);
  const gate = createBreakerGate(QUERY_POLICY, now);
  const findNearest = async (request: NearestRequest): Promise<readonly NearestChunk[]> => {
    const places = (await index?.nearest(request)) ?? null;
    return places === null ? store.vectors.nearest(request) : resolve(store, places);
  };
  return async (query, lexical, { versions, filter }) => {
    if (!gate.admit()) return null;
    try {
      const active = await activeSpace();
      const [outcome] = active === null ? [] : await active.embedder.embed([query], 'query');
      gate.succeeded();
      if (active === null || outcome?.kind !== 'embedded') return null;
      const { vector } = outcome;
      // Vectors of different dimensions cannot be compared.
      if (vector.length !== active.space.dimensions) return null;
      const space = active.space.id;
      const nearest = await findNearest({ space, vector, versions, filter, limit: NEAREST_CHUNKS });
      const hashes = lexical.pages.map(({ candidate }) => candidate.best.chunk.contentHash);
      const vectors = await store.vectors.byContentHash(space, [...new Set(hashes)]);
      const similarities = new Map([...vectors].map(([hash, stored]) => [hash, cosineSimilarity(vector, stored)]));
      return { nearest, similarities };
    } catch (error) {
      // If the server is down or the database has no vectors, the search is lexical; the answer's mode says so.
      if (!(error instanceof PinakesError)) throw error;
      const waitMs = Number(error.details['waitMs'] ?? 0);
      gate.failed({ retryable: error.retryable, waitMs });
      return null;
    }
  };
}

/** Chunks that do not exist any more are left out. */
async function resolve({ chunks }: Store, places: readonly NearestPlace[]): Promise<readonly NearestChunk[]> {
  const found = await chunks.chunks(places);
  const byPlace = new Map(found.map((one) => [placeKey({ ...one.chunk.page, ordinal: one.chunk.ordinal }), one]));
  return places.flatMap((place) => {
    const chunk = byPlace.get(placeKey(place));
    return chunk === undefined ? [] : [{ ...chunk, similarity: place.similarity }];
  });
}

function placeKey({ version, url, ordinal }: ChunkPlace): string {
  return `${version} ${ordinal} ${url}`;
}

interface ActiveSpace {
  readonly space: Space;
  readonly embedder: Embedder;
}

/** Null if the search is lexical only. Rejects with what opening the model rejects with. */
type GetActiveSpace = () => Promise<ActiveSpace | null>;

const POLL_SPACE_MS = 5000;
const RETRY_MODEL_MS = 30_000;

/**
 * Chooses the embedding space that answers a query: that of the configured model once enough texts are embedded in it, and
 * until then the latest complete space whose model is still available. Search keeps its vectors while a new model embeds.
 */
function createActiveSpace(
  { vectors }: Pick<Store, 'vectors'>,
  models: DenseModels,
  now: () => number,
): GetActiveSpace {
  const currentEmbedder = createRetryingEmbedder(models.open, now);
  const former = createFormerEmbedder(models.openFormer, now);
  let cached: { readonly active: ActiveSpace | null; readonly untilMs: number } = { active: null, untilMs: 0 };
  let choosing: Promise<void> | null = null;

  async function isComplete({ id }: Space): Promise<boolean> {
    const { pending, embedded } = await vectors.progress(id);
    return embedded > 0 && isMostlyEmbedded({ pending, embedded });
  }

  async function formerSpace(current: string): Promise<ActiveSpace | null> {
    const latestFirst = [...(await vectors.spaces())].sort((a, b) => b.id - a.id);
    for (const space of latestFirst) {
      if (space.fingerprint === current || !(await isComplete(space))) continue;
      const embedder = await former.of(space.fingerprint);
      if (embedder !== null) return { space, embedder };
    }
    return null;
  }

  async function chooseSpace(embedder: Embedder): Promise<ActiveSpace | null> {
    const fingerprint = fingerprintOf(embedder.space);
    const space = await vectors.findSpace(fingerprint);
    if (space === null || !(await isComplete(space))) return formerSpace(fingerprint);
    await former.close();
    return { space, embedder };
  }

  async function refresh(embedder: Embedder): Promise<void> {
    cached = { active: await chooseSpace(embedder), untilMs: now() + POLL_SPACE_MS };
  }

  return async () => {
    const embedder = await currentEmbedder();
    if (embedder === null) return null;
    if (now() >= cached.untilMs) {
      // One query chooses; those that come meanwhile wait for it.
      choosing ??= refresh(embedder).finally(() => (choosing = null));
      await choosing;
    }
    return cached.active;
  };
}

/** After a failure, queries skip the model for a while and do not wait until it is available again. */
function createRetryingEmbedder(open: () => Promise<Embedder>, now: () => number): () => Promise<Embedder | null> {
  let opening: Promise<Embedder> | null = null;
  let hasFailed = false;
  let retryAtMs = 0;

  async function openOnce(): Promise<Embedder> {
    try {
      const embedder = await open();
      hasFailed = false;
      return embedder;
    } catch (error) {
      hasFailed = true;
      retryAtMs = now() + RETRY_MODEL_MS;
      throw error;
    } finally {
      opening = null;
    }
  }

  return async () => {
    if (opening === null && now() < retryAtMs) return null;
    opening ??= openOnce();
    if (!hasFailed) return opening;
    opening.catch(() => undefined);
    return null;
  };
}

interface FormerEmbedder {
  of(fingerprint: string): Promise<Embedder | null>;
  close(): Promise<void>;
}

/** Keeps at most one model open. A missing one is retried only after a while. */
function createFormerEmbedder(open: DenseModels['openFormer'], now: () => number): FormerEmbedder {
  const missingUntilMs = new Map<string, number>();
  let opened: { readonly fingerprint: string; readonly embedder: Embedder } | null = null;
  const close = async (): Promise<void> => {
    const last = opened;
    opened = null;
    await last?.embedder.close();
  };
  return {
    close,
    async of(fingerprint) {
      if (opened?.fingerprint === fingerprint) return opened.embedder;
      if (now() < (missingUntilMs.get(fingerprint) ?? 0)) return null;
      const embedder = await open(fingerprint).catch(() => null);
      if (embedder === null) {
        missingUntilMs.set(fingerprint, now() + RETRY_MODEL_MS);
        return null;
      }
      await close();
      opened = { fingerprint, embedder };
      return embedder;
    },
  };
}
