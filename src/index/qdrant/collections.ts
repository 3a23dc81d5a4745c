// Reads and writes the two collections of a generation. Every write waits until it can be searched.

import type { Condition } from './filter-payload.ts';
import {
  chunkPointId,
  type ChunkPoint,
  type PagePoint,
  type PagePoints,
  type SparseVector,
  type VectorPoint,
} from './page-points.ts';
import type { IndexedSpace } from '../../ports/point-records.ts';
import {
  createCollections,
  createVectorCollection,
  exists,
  namesWithPrefix,
  switchAliases,
  WRITE,
  type CollectionNames,
} from './create-collections.ts';
import type { Nodes, RequestOptions } from './nodes.ts';

export interface Hit {
  readonly id: number;
  readonly score: number;
}

export interface SparseQuery {
  readonly vector: SparseVector;
  /** All of them hold. */
  readonly must: readonly Condition[];
  /** Only these points. */
  readonly ids?: readonly number[];
  readonly limit: number;
}

export interface DenseQuery {
  readonly vector: Float32Array;
  readonly must: readonly Condition[];
  readonly limit: number;
}

/** A page with the number of its chunks, which is all that it takes to name its points. */
export interface PageOfPoints {
  readonly number: number;
  readonly chunks: number;
}

export interface Collections {
  exist(): Promise<boolean>;
  /** Creates what is missing. */
  create(): Promise<void>;
  drop(): Promise<void>;
  /** Makes the aliases of the library name these collections. */
  publish(library: string): Promise<void>;
  /** The best pages by their score. */
  queryPages(query: SparseQuery, options: RequestOptions): Promise<readonly Hit[]>;
  /**
   * The weight of the query that each of these pages covers, as its score. A separate request: as a search among the best pages, it
   * makes the engine find these twice.
   */
  coveredWeights(vector: SparseVector, numbers: readonly number[], options: RequestOptions): Promise<readonly Hit[]>;
  /** Some pages that contain a term. */
  pagesWith(term: number, must: readonly Condition[], limit: number, options: RequestOptions): Promise<readonly Hit[]>;
  queryChunks(query: SparseQuery, options: RequestOptions): Promise<readonly Hit[]>;
  /** Points of vectors; the collection of a space is created when it gets its first. */
  putVectors(space: IndexedSpace, points: readonly VectorPoint[]): Promise<void>;
  queryVectors(space: IndexedSpace, query: DenseQuery, options: RequestOptions): Promise<readonly Hit[]>;
  /** Which of these points have a vector in the space. */
  vectorIds(space: IndexedSpace, ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** Drops the vectors of all other spaces, after `beforeDrop`; that is not called if there are none. */
  keepVectors(spaces: readonly IndexedSpace[], beforeDrop: () => Promise<void>): Promise<void>;
  upsert(pages: readonly PagePoints[]): Promise<void>;
  delete(pages: readonly PageOfPoints[]): Promise<void>;
  /** Sends a number that no page has. No query finds it. */
  putMark(number: number): Promise<void>;
  /** All points of pages whose number of chunks is not known. */
  deleteNumbers(numbers: readonly number[]): Promise<void>;
  /** Vectors of page points, by page. */
  pageVectors(numbers: readonly number[]): Promise<ReadonlyMap<number, PagePoint['vector']>>;
  /** Ids of points of one collection from an id on, in their order. */
  ids(of: 'pages' | 'chunks', from: number, limit: number): Promise<readonly number[]>;
}

export function openCollections(nodes: Nodes, name: string): Collections {
  const names: CollectionNames = { pages: `${name}-pages`, chunks: `${name}-chunks` };
  const pages = openCollection(nodes, names.pages);
  const chunks = openCollection(nodes, names.chunks);
  const vectors = openVectors(nodes, `${name}-vectors-`);
  return {
    exist: async () => (await exists(nodes, names.pages)) && (await exists(nodes, names.chunks)),
    create: () => createCollections(nodes, names),
    async drop() {
      await pages.drop();
      await chunks.drop();
      for (const collection of await vectors.existing()) await collection.drop();
    },
    putVectors: (space, points) => vectors.put(space, points),
    queryVectors: (space, query, options) => vectors.query(space, query, options),
    vectorIds: (space, ids) => vectors.ids(space, ids),
    keepVectors: (spaces, beforeDrop) => vectors.keep(spaces, beforeDrop),
    publish: (library) => switchAliases(nodes, library, names),
    queryPages: (query, options) => pages.query('score', query, options),
    coveredWeights: (vector, numbers, options) =>
      pages.query('terms', { vector, must: [], ids: numbers, limit: numbers.length }, options),
    pagesWith: (term, must, limit, options) =>
      pages.query('terms', { vector: { indices: [term], values: [1] }, must, limit }, options),
    queryChunks: (query, options) => chunks.query('impacts', query, options),
    // Chunks before their page: a page that is found has its chunks.
    async upsert(indexed) {
      await chunks.put(indexed.flatMap((page) => page.chunks));
      await pages.put(indexed.map(({ page }) => page));
    },
    async delete(removed) {
      await pages.delete(removed.map(({ number }) => number));
      const ids = removed.flatMap(chunkIds);
      await chunks.delete(ids);
      for (const collection of await vectors.existing()) await collection.delete(ids);
    },
    putMark: (number) => pages.put([{ id: number, vector: {}, payload: {} }]),
    async deleteNumbers(numbers) {
      await pages.delete(numbers);
      await chunks.deleteWhere('page', numbers);
      for (const collection of await vectors.existing()) await collection.deleteWhere('page', numbers);
    },
    async pageVectors(numbers) {
      const found = await pages.get<PagePoint>(numbers);
      return new Map(found.map(({ id, vector }) => [id, vector]));
    },
    ids: (of, from, limit) => (of === 'pages' ? pages : chunks).ids(from, limit),
  };
}

interface VectorCollections {
  put(space: IndexedSpace, points: readonly VectorPoint[]): Promise<void>;
  query(space: IndexedSpace, query: DenseQuery, options: RequestOptions): Promise<readonly Hit[]>;
  ids(space: IndexedSpace, ids: readonly number[]): Promise<ReadonlySet<number>>;
  keep(spaces: readonly IndexedSpace[], beforeDrop: () => Promise<void>): Promise<void>;
  existing(): Promise<readonly Collection[]>;
}

/** One collection for each space, so that another model needs no change of the others. */
function openVectors(nodes: Nodes, prefix: string): VectorCollections {
  const created = new Set<number>();
  const nameOf = ({ id }: IndexedSpace): string => `${prefix}${id}`;
  /** A space without a vector has no collection. */
  const hasSpace = async (space: IndexedSpace): Promise<boolean> =>
    created.has(space.id) || (await exists(nodes, nameOf(space)));
  return {
    async put(space, points) {
      if (points.length === 0) return;
      if (!created.has(space.id)) await createVectorCollection(nodes, nameOf(space), space.dimensions);
      created.add(space.id);
      await openCollection(nodes, nameOf(space)).put(points);
    },
    async query(space, query, options) {
      return (await hasSpace(space)) ? openCollection(nodes, nameOf(space)).nearest(query, options) : [];
    },
    async ids(space, ids) {
      const found = (await hasSpace(space)) ? await openCollection(nodes, nameOf(space)).get<Hit>(ids) : [];
      return new Set(found.map(({ id }) => id));
    },
    async keep(spaces, beforeDrop) {
      const wanted = new Set(spaces.map(nameOf));
      const dropped = (await namesWithPrefix(nodes, prefix)).filter((name) => !wanted.has(name));
      if (dropped.length > 0) await beforeDrop();
      for (const name of dropped) await openCollection(nodes, name).drop();
    },
    async existing() {
      return (await namesWithPrefix(nodes, prefix)).map((name) => openCollection(nodes, name));
    },
  };
}

function chunkIds({ number, chunks }: PageOfPoints): number[] {
  return Array.from({ length: chunks }, (_, ordinal) => chunkPointId(number, ordinal));
}

/** Without vectors. */
interface MarkPoint {
  readonly id: number;
  readonly vector: Readonly<Record<string, never>>;
  readonly payload: Readonly<Record<string, never>>;
}

interface Collection {
  /** By the vector of this name, best first. */
  query(using: string, query: SparseQuery, options: RequestOptions): Promise<readonly Hit[]>;
  nearest(query: DenseQuery, options: RequestOptions): Promise<readonly Hit[]>;
  put(points: ReadonlyArray<PagePoint | ChunkPoint | VectorPoint | MarkPoint>): Promise<void>;
  get<Point>(ids: readonly number[]): Promise<readonly Point[]>;
  delete(ids: readonly number[]): Promise<void>;
  deleteWhere(key: string, values: readonly number[]): Promise<void>;
  ids(from: number, limit: number): Promise<readonly number[]>;
  drop(): Promise<void>;
}

/** Points per request: some megabytes of JSON. */
const POINTS_PER_REQUEST = 400;
const IDS_PER_REQUEST = 5000;
/** Points that a search through the graph of vectors keeps in view. */
const MIN_EF = 256;

function openCollection(nodes: Nodes, name: string): Collection {
  const path = `/collections/${name}`;
  const read = <T>(what: string, body: unknown, options = WRITE): Promise<T> =>
    nodes.read<T>({ method: 'POST', path: `${path}/points${what}`, body }, options);
  const remove = async (body: unknown): Promise<void> =>
    void (await nodes.write({ method: 'POST', path: `${path}/points/delete?wait=true`, body }, WRITE));
  const search = async (query: object, must: readonly unknown[], options: RequestOptions): Promise<readonly Hit[]> => {
    const filter = must.length === 0 ? {} : { filter: { must } };
    const body = { ...query, ...filter, with_payload: false };
    return (await read<{ readonly points: readonly Hit[] }>('/query', body, options)).points;
  };
  return {
    query: (using, { vector, must, ids, limit }, options) =>
      search({ query: vector, using, limit }, ids === undefined ? must : [...must, { has_id: ids }], options),
    nearest({ vector, must, limit }, options) {
      const params = { hnsw_ef: Math.max(MIN_EF, limit * 2) };
      return search({ query: [...vector], params, limit }, must, options);
    },
    async put(all) {
      for (const points of inParts(all, POINTS_PER_REQUEST))
        await nodes.write({ method: 'PUT', path: `${path}/points?wait=true`, body: { points } }, WRITE);
    },
    async get<Point>(all: readonly number[]) {
      const found: Point[] = [];
      for (const ids of inParts(all, POINTS_PER_REQUEST))
        found.push(...(await read<readonly Point[]>('', { ids, with_payload: false, with_vector: true })));
      return found;
    },
    async delete(all) {
      for (const points of inParts(all, IDS_PER_REQUEST)) await remove({ points });
    },
    async deleteWhere(key, values) {
      for (const any of inParts(values, IDS_PER_REQUEST)) await remove({ filter: { must: [{ key, match: { any } }] } });
    },
    async ids(from, limit) {
      const body = { offset: from, limit, with_payload: false, with_vector: false };
      const { points } = await read<{ readonly points: readonly Hit[] }>('/scroll', body);
      return points.map(({ id }) => id);
    },
    drop: async () => void (await nodes.write({ method: 'DELETE', path }, WRITE)),
  };
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
