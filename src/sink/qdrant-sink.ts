// A collection of a Qdrant server with a point for each chunk. The payload is the record of the chunk, flat, with indexes on what callers filter by.
// The position is in the metadata of the collection, which Qdrant has since 1.16. One process at a time writes to it.

import { pinakesError, PinakesError } from '../core/model/errors.ts';
import type { EmbeddingSpace } from '../core/vector/space.ts';
import { createQdrantLease, MARKER_ID, type QdrantLease, type Send } from './qdrant-lease.ts';
import type { PageKey, Sink, SinkContent, SinkPage } from './sink.ts';

/** What a client of the server can do; a request may be sent more than once. */
export interface QdrantClient {
  /** By one node at a time, so that a read sees what was written before it. */
  write<T>(
    request: { readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH'; readonly path: string; readonly body?: unknown },
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<T>;
}

export interface QdrantSinkOptions {
  readonly collection: string;
  /** Whether the vectors of the library are written; true by default. */
  readonly vectors?: boolean | undefined;
}

/**
 * @example
 * const remove = (sink: QdrantSink, url: string): Promise<number> => sink.deleteByUrl(url);
 */
export interface QdrantSink extends Sink {
  /** Deletes every point of a page, in all sources and versions; returns how many: 0 before the collection exists. */
  deleteByUrl(sourceUrl: string): Promise<number>;
}

const TIMEOUT_MS = 60_000;
const BATCH_BYTES = 4 * 1024 * 1024;
const POINTS_PER_REQUEST = 200;
const POINTS_PER_SCROLL = 1000;
const NO_MARKER = { must_not: [{ has_id: [MARKER_ID] }] };

/** Fields that callers filter by. */
const INDEXES = {
  keyword: [
    'source_url',
    'file_path_relative',
    'filename',
    'modification_date',
    'tags',
    'library_source',
    'library_version',
  ],
  integer: ['chunk_index', 'library_version_id'],
};

interface CollectionState {
  readonly position: string | null;
  /** Fingerprint of its vectors; null if it has none. */
  readonly space: string | null;
}

interface CollectionInfo {
  readonly config: {
    readonly metadata?: { readonly pinakes?: CollectionState };
  };
}

export function createQdrantSink(client: QdrantClient, options: QdrantSinkOptions): QdrantSink {
  const { collection, vectors: wantsVectors = true } = options;
  const send = createSend(client, collection);
  const scroll = createScroll(send);
  const lease = createQdrantLease(send, `collection ${collection}`);
  const prepared = openCollection(send, collection, lease);
  let lacksVectors = false;

  return {
    wantsVectors,
    batchBytes: BATCH_BYTES,
    open: () => prepared.open(),
    release: () => lease.release(),
    save: (position) => prepared.save(position),
    async write(pages, signal) {
      const content = pages.find((page) => page.content !== null)?.content ?? null;
      // There is no collection that anything could be deleted from.
      if (content === null && !prepared.exists()) return;
      const hasVectors = content === null || (await prepared.prepare(content.space, wantsVectors));
      lacksVectors = wantsVectors && !hasVectors;
      await lease.renew();
      const points = pages.flatMap((page) => (page.content === null ? [] : pointsOf(page.content, hasVectors)));
      for (let at = 0; at < points.length; at += POINTS_PER_REQUEST) {
        signal.throwIfAborted();
        await send('PUT', '/points?wait=true', { points: points.slice(at, at + POINTS_PER_REQUEST) });
      }
      // After the new points, so that a page is never without any.
      await send('POST', '/points/batch?wait=true', { operations: pages.map(deleteOthers) });
    },
    async *stored() {
      if (!prepared.exists()) return;
      const query = { filter: NO_MARKER, with_payload: ['library_version_id', 'source_url'] };
      for await (const { payload } of scroll<{ library_version_id: number; source_url: string }>(query))
        yield { versionId: payload.library_version_id, url: payload.source_url };
    },
    notes: () =>
      lacksVectors
        ? [`The collection ${collection} has payloads and no vectors, because the library had none when it was created`]
        : [],
    async deleteByUrl(sourceUrl) {
      if (!prepared.exists() && !(await collectionExists(send))) return 0;
      const filter = { must: [{ key: 'source_url', match: { value: sourceUrl } }] };
      const points: string[] = [];
      for await (const { id } of scroll({ filter, with_payload: false })) points.push(id);
      if (points.length > 0) await send('POST', '/points/delete?wait=true', { points });
      return points.length;
    },
    close: () => lease.release(),
  };
}

/** Requests to one collection. Raises `sink.failed`. */
function createSend(client: QdrantClient, collection: string): Send {
  const path = `/collections/${encodeURIComponent(collection)}`;
  return async (method, below, body) => {
    try {
      return await client.write({ method, path: `${path}${below}`, body }, { timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof PinakesError)) throw error;
      const reason = String(error.details['reason']);
      throw pinakesError('sink.failed', { target: `collection ${collection}`, reason }, error);
    }
  };
}

async function collectionExists(send: Send): Promise<boolean> {
  return (await send<{ readonly exists: boolean }>('GET', '/exists')).exists;
}

interface OpenCollection {
  exists(): boolean;
  /** The saved position. Raises `sink.not-managed` for a collection that no sink created, and `sink.busy`. */
  open(): Promise<string | null>;
  /** Creates it where it is missing; returns whether it takes vectors. Raises `sink.embedding-mismatch` if it has those of another model. */
  prepare(space: EmbeddingSpace | null, wantsVectors: boolean): Promise<boolean>;
  /** Does nothing before the collection is there. */
  save(position: string): Promise<void>;
}

function openCollection(send: Send, collection: string, lease: QdrantLease): OpenCollection {
  let state: CollectionState | null = null;
  let hasIndexes = false;

  /** With its state: without it, the collection would count as not created by a sink. */
  async function create(space: EmbeddingSpace | null): Promise<CollectionState> {
    const created = { position: null, space: space?.fingerprint ?? null };
    const vectors = space === null ? {} : { size: space.dimensions, distance: 'Cosine' };
    await send('PUT', '', { vectors, metadata: { pinakes: created } });
    return created;
  }

  /** Another process may create it at the same time. */
  async function createOrFind(space: EmbeddingSpace | null): Promise<CollectionState> {
    try {
      return await create(space);
    } catch (error) {
      const found = (await collectionExists(send)) ? await readState() : null;
      if (found === null) throw error;
      return found;
    }
  }

  const readState = async (): Promise<CollectionState | null> =>
    (await send<CollectionInfo>('GET', '')).config.metadata?.pinakes ?? null;

  async function createIndexes(): Promise<void> {
    for (const [schema, fields] of Object.entries(INDEXES))
      for (const field of fields) await send('PUT', '/index?wait=true', { field_name: field, field_schema: schema });
    hasIndexes = true;
  }

  return {
    exists: () => state !== null,
    async open() {
      if (!(await collectionExists(send))) return null;
      state = await readState();
      if (state === null) throw pinakesError('sink.not-managed', { collection });
      await lease.hold();
      // Another process may have saved one until it was released.
      state = (await readState()) ?? state;
      return state.position;
    },
    async prepare(space, wantsVectors) {
      state ??= await createOrFind(space);
      await lease.hold();
      // Also of a collection whose creator was killed.
      if (!hasIndexes) await createIndexes();
      if (state.space === null) return false;
      const found = space?.fingerprint ?? 'no vectors';
      if (wantsVectors && found !== state.space)
        throw pinakesError('sink.embedding-mismatch', { collection, found, stored: state.space });
      return true;
    },
    async save(position) {
      if (state === null) return;
      await lease.renew();
      state = { ...state, position };
      await send('PATCH', '', { metadata: { pinakes: state } });
    },
  };
}

interface Scrolled<Payload> {
  readonly points: ReadonlyArray<{ readonly id: string; readonly payload: Payload }>;
  readonly next_page_offset: string | null;
}

function createScroll(send: Send) {
  return async function* scroll<Payload>(query: object): AsyncGenerator<Scrolled<Payload>['points'][number], void> {
    for (let offset: string | null = null; ;) {
      const body = { limit: POINTS_PER_SCROLL, with_vector: false, ...query, ...(offset !== null && { offset }) };
      const found: Scrolled<Payload> = await send('POST', '/points/scroll', body);
      yield* found.points;
      offset = found.next_page_offset;
      if (offset === null) return;
    }
  };
}

function pointsOf({ chunks, vectors }: SinkContent, hasVectors: boolean): object[] {
  return chunks.map(({ id, ...payload }) => ({
    id,
    vector: (hasVectors ? vectors.get(payload.chunk_id) : undefined) ?? {},
    payload,
  }));
}

/** The points that the page had and no longer has. */
function deleteOthers({ versionId, url, content }: PageKey & Pick<SinkPage, 'content'>): object {
  const must = [
    { key: 'library_version_id', match: { value: versionId } },
    { key: 'source_url', match: { value: url } },
  ];
  const ids = content?.chunks.map(({ id }) => id) ?? [];
  return { delete: { filter: { must, ...(ids.length > 0 && { must_not: [{ has_id: ids }] }) } } };
}
