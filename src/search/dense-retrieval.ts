// Dense retrieval: embeds the query in the active space and finds its nearest chunks, behind a circuit breaker.

import type { SearchFilter } from '../core/lexical/query/search-filter.ts';
import { PinakesError } from '../core/model/errors.ts';
import type { VersionId } from '../core/model/run.ts';
import { createBreakerGate, QUERY_POLICY } from '../core/rate/circuit-breaker.ts';
import { cosineSimilarity } from '../core/vector/cosine-similarity.ts';
import { fingerprintOf, isMostlyEmbedded } from '../core/vector/space.ts';
import type { Embedder } from '../embed/port.ts';
import type { Store } from '../store/port.ts';
import type { NearestChunk, NearestRequest, StoredSpace } from '../store/port/vectors.ts';
import type { NearestChunkRef } from '../core/lexical/query/index-query.ts';
import { chunkRefKey } from '../core/lexical/query/index-reader.ts';
import type { SearchIndex } from '../index/port.ts';
import type { DenseResult } from './fuse-results.ts';
import type { RetrievalResult } from '../core/rank/lexical-retrieval.ts';

export interface DenseModels {
  /** The configured model. Called for every query: the implementation caches it until the settings change. */
  readonly open: () => Promise<Embedder>;
  /** The model of an earlier space, or null if it is gone. It may be closed more than once. */
  readonly openPrevious: (fingerprint: string) => Promise<Embedder | null>;
}

export interface DenseOptions {
  readonly versions: readonly VersionId[];
  readonly filter: SearchFilter;
  /** Given up with the query: the model, the engine and the database do no more for it. */
  readonly signal?: AbortSignal | undefined;
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
  index: Pick<SearchIndex, 'nearest' | 'unsentVectors'> | null = null,
): DenseRetriever {
  const unsent = async (space: number): Promise<number> => (await index?.unsentVectors(space)) ?? 0;
  const activeSpace = createActiveSpace({ ...store.vectors, unsent }, models, now);
  const gate = createBreakerGate(QUERY_POLICY, now);
  const findNearest = async (request: NearestRequest, signal?: AbortSignal): Promise<readonly NearestChunk[]> => {
    const refs = (await index?.nearest(request, signal)) ?? null;
    signal?.throwIfAborted();
    return refs === null ? store.vectors.nearest(request) : resolve(store, refs);
  };
  return async (query, lexical, { versions, filter, signal }) => {
    signal?.throwIfAborted();
    if (!gate.admit()) return null;
    try {
      const embedded = await embedQuery(await activeSpace(), query, signal);
      gate.succeeded();
      if (embedded === null) return null;
      const nearest = await findNearest({ ...embedded, versions, filter, limit: NEAREST_CHUNKS }, signal);
      signal?.throwIfAborted();
      return { nearest, similarities: await readSimilarities(store, lexical, embedded) };
    } catch (error) {
      // A client that disconnects is not a fault of the model.
      signal?.throwIfAborted();
      // If the server is down or the database has no vectors, the search is lexical; the answer's mode shows it.
      if (!(error instanceof PinakesError)) throw error;
      const waitMs = Number(error.details['waitMs'] ?? 0);
      gate.failed({ retryable: error.retryable, waitMs });
      return null;
    }
  };
}

type EmbeddedQuery = Pick<NearestRequest, 'vector' | 'space'>;

/** Null without a space, and if the vector has other dimensions than the space: such vectors cannot be compared. */
async function embedQuery(
  active: ActiveSpace | null,
  query: string,
  signal: AbortSignal | undefined,
): Promise<EmbeddedQuery | null> {
  if (active === null) return null;
  const [outcome] = await active.embedder.embed([query], 'query', signal);
  if (outcome?.kind !== 'embedded' || outcome.vector.length !== active.space.dimensions) return null;
  return { vector: outcome.vector, space: active.space.id };
}

/** How similar the query is to the best chunks that lexical retrieval found. */
async function readSimilarities(
  store: Store,
  lexical: RetrievalResult,
  { vector, space }: EmbeddedQuery,
): Promise<DenseResult['similarities']> {
  const hashes = lexical.pages.map(({ candidate }) => candidate.best.chunk.contentHash);
  const vectors = await store.vectors.byContentHash(space, [...new Set(hashes)]);
  return new Map([...vectors].map(([hash, stored]) => [hash, cosineSimilarity(vector, stored)]));
}

/** Chunks that do not exist any more are left out. */
async function resolve({ chunks }: Store, refs: readonly NearestChunkRef[]): Promise<readonly NearestChunk[]> {
  const found = await chunks.chunks(refs);
  const byRef = new Map(found.map((one) => [chunkRefKey({ ...one.chunk.page, ordinal: one.chunk.ordinal }), one]));
  return refs.flatMap((ref) => {
    const chunk = byRef.get(chunkRefKey(ref));
    return chunk === undefined ? [] : [{ ...chunk, similarity: ref.similarity }];
  });
}

interface ActiveSpace {
  readonly space: StoredSpace;
  readonly embedder: Embedder;
}

/** Null if the search is lexical only. Rejects with what opening the model rejects with. */
type GetActiveSpace = () => Promise<ActiveSpace | null>;

interface SpaceVectors extends Pick<Store['vectors'], 'progress' | 'spaces' | 'findSpace'> {
  /** How many vectors of a space the search engine has yet to get. */
  unsent(space: number): Promise<number>;
}

const POLL_SPACE_MS = 5000;
const RETRY_MODEL_MS = 30_000;

/**
 * Chooses the embedding space that answers a query: that of the configured model once enough texts are embedded in it, and
 * until then the latest complete space whose model is still available. Search keeps its vectors while a new model embeds.
 */
function createActiveSpace(vectors: SpaceVectors, models: DenseModels, now: () => number): GetActiveSpace {
  const currentEmbedder = createRetryingEmbedder(models.open, now);
  const previous = createPreviousEmbedder(models.openPrevious, now);
  let cached: { readonly active: ActiveSpace | null; readonly untilMs: number } = { active: null, untilMs: 0 };
  let choosing: Promise<void> | null = null;

  async function isComplete({ id }: StoredSpace): Promise<boolean> {
    const { pending, embedded } = await vectors.progress(id);
    if (embedded === 0 || !isMostlyEmbedded({ pending, embedded })) return false;
    // A vector that the engine has yet to get is not found either.
    const unsent = Math.min(embedded, await vectors.unsent(id));
    return isMostlyEmbedded({ pending: pending + unsent, embedded: embedded - unsent });
  }

  async function previousSpace(current: string): Promise<ActiveSpace | null> {
    const latestFirst = [...(await vectors.spaces())].sort((a, b) => b.id - a.id);
    for (const space of latestFirst) {
      if (space.fingerprint === current || !(await isComplete(space))) continue;
      const embedder = await previous.of(space.fingerprint);
      if (embedder !== null) return { space, embedder };
    }
    return null;
  }

  async function chooseSpace(embedder: Embedder): Promise<ActiveSpace | null> {
    const fingerprint = fingerprintOf(embedder.space);
    const space = await vectors.findSpace(fingerprint);
    if (space === null || !(await isComplete(space))) return previousSpace(fingerprint);
    await previous.close();
    return { space, embedder };
  }

  async function refresh(embedder: Embedder): Promise<void> {
    cached = { active: await chooseSpace(embedder), untilMs: now() + POLL_SPACE_MS };
  }

  return async () => {
    const embedder = await currentEmbedder();
    if (embedder === null) return null;
    if (now() >= cached.untilMs) {
      // One query chooses; those that come in the meantime wait for it.
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

interface PreviousEmbedder {
  of(fingerprint: string): Promise<Embedder | null>;
  close(): Promise<void>;
}

/** Keeps at most one model open. A missing one is retried only after a while. */
function createPreviousEmbedder(open: DenseModels['openPrevious'], now: () => number): PreviousEmbedder {
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
