// A collection of a Qdrant server with a point for each chunk. The payload is the record of the chunk, flat, with indexes on what callers filter by.
// The position is in the metadata of the collection, which Qdrant has since 1.16.

import { pinakesError, PinakesError } from '../core/model/errors.ts';
import type { PageKey, Sink, SinkContent, SinkPage, VectorSpace } from './sink.ts';

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

export interface QdrantSink extends Sink {
  /** Deletes every point of a page, in all sources and versions; returns how many. */
  deleteByUrl(sourceUrl: string): Promise<number>;
}

const TIMEOUT_MS = 60_000;
const BATCH_BYTES = 4 * 1024 * 1024;
const POINTS_PER_REQUEST = 200;
const POINTS_PER_SCROLL = 1000;

const KEYWORD_INDEXES = [
  'source_url',
  'file_path_relative',
  'filename',
  'modification_date',
  'tags',
  'library_source',
  'library_version',
];
const INTEGER_INDEXES = ['chunk_index', 'library_version_id'];

interface CollectionState {
  readonly position: string | null;
  /** Fingerprint of its vectors; null if it has none. */
  readonly space: string | null;
}

interface CollectionInfo {
  readonly config: {
    readonly params: { readonly vectors?: { readonly size?: number } };
    readonly metadata?: { readonly pinakes?: CollectionState };
  };
}

export function createQdrantSink(client: QdrantClient, options: QdrantSinkOptions): QdrantSink {
  const { collection, vectors: wantsVectors = true } = options;
  const path = `/collections/${encodeURIComponent(collection)}`;
  let state: CollectionState | null = null;
  let lacksSpace = false;
  let hasIndexes = false;

  async function send<T>(method: 'GET' | 'PUT' | 'POST' | 'PATCH', below: string, body?: unknown): Promise<T> {
    try {
      return await client.write<T>({ method, path: `${path}${below}`, body }, { timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof PinakesError)) throw error;
      throw pinakesError(
        'sink.failed',
        { target: `collection ${collection}`, why: String(error.details['why']) },
        error,
      );
    }
  }

  const scroll = createScroll(send);

  async function saveState(next: CollectionState): Promise<void> {
    await send('PATCH', '', { metadata: { pinakes: next } });
    state = next;
  }

  /** The collection is created with its state: without it, it would be that of somebody else. */
  async function create(space: VectorSpace | null): Promise<void> {
    const created = { position: null, space: space?.fingerprint ?? null };
    const vectors = space === null ? {} : { size: space.dimensions, distance: 'Cosine' };
    await send('PUT', '', { vectors, metadata: { pinakes: created } });
    state = created;
  }

  async function createIndexes(): Promise<void> {
    for (const field of KEYWORD_INDEXES)
      await send('PUT', '/index?wait=true', { field_name: field, field_schema: 'keyword' });
    for (const field of INTEGER_INDEXES)
      await send('PUT', '/index?wait=true', { field_name: field, field_schema: 'integer' });
    hasIndexes = true;
  }

  /** Raises `sink.space` if the vectors of the page cannot be compared with those of the collection. */
  async function prepare(pages: readonly SinkPage[]): Promise<void> {
    const content = pages.find((page) => page.content !== null)?.content ?? null;
    if (state === null) await create(content?.space ?? null);
    // Also of a collection whose creator was killed.
    if (!hasIndexes) await createIndexes();
    if (content === null || !wantsVectors) return;
    const found = content.space?.fingerprint ?? null;
    const stored = state?.space ?? null;
    lacksSpace = stored === null;
    if (stored !== null && found !== stored)
      throw pinakesError('sink.space', { collection, found: found ?? 'no vectors', stored });
  }

  return {
    wantsVectors,
    batchBytes: BATCH_BYTES,
    async open() {
      const { exists } = await send<{ readonly exists: boolean }>('GET', '/exists');
      if (!exists) return null;
      const { config } = await send<CollectionInfo>('GET', '');
      const found = config.metadata?.pinakes;
      if (found === undefined) throw pinakesError('sink.foreign', { collection });
      state = found;
      return found.position;
    },
    async write(pages, signal) {
      await prepare(pages);
      const points = pages.flatMap(({ content }) => (content === null ? [] : pointsOf(content, !lacksSpace)));
      for (let at = 0; at < points.length; at += POINTS_PER_REQUEST) {
        signal.throwIfAborted();
        await send('PUT', '/points?wait=true', { points: points.slice(at, at + POINTS_PER_REQUEST) });
      }
      // After the new points, so that a page is never without any.
      await send('POST', '/points/batch?wait=true', { operations: pages.map(deleteOthers) });
    },
    async save(position) {
      // Nothing was written yet, so its vectors are not known.
      if (state !== null) await saveState({ ...state, position });
    },
    async *stored() {
      if (state === null) return;
      const fields = ['library_version_id', 'source_url'];
      for await (const { payload } of scroll<{ library_version_id: number; source_url: string }>({
        with_payload: fields,
      }))
        yield { versionId: payload.library_version_id, url: payload.source_url };
    },
    notes: () =>
      wantsVectors && lacksSpace
        ? [`The collection ${collection} has payloads and no vectors, because the library had none when it was created`]
        : [],
    async deleteByUrl(sourceUrl) {
      const filter = { must: [{ key: 'source_url', match: { value: sourceUrl } }] };
      const points: string[] = [];
      for await (const { id } of scroll({ filter, with_payload: false })) points.push(id);
      if (points.length > 0) await send('POST', '/points/delete?wait=true', { points });
      return points.length;
    },
    close: async () => undefined,
  };
}

interface Scrolled<Payload> {
  readonly points: ReadonlyArray<{ readonly id: string; readonly payload: Payload }>;
  readonly next_page_offset: string | null;
}

type Send = <T>(method: 'POST', below: string, body?: unknown) => Promise<T>;

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
