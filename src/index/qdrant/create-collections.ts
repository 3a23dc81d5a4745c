// Creates the two collections of a generation, and names them for other programs.

import { statusOf } from './node.ts';
import type { Nodes, RequestOptions } from './nodes.ts';

export const WRITE: RequestOptions = { timeoutMs: 60_000 };

/**
 * Points of one segment that a filter may leave before the inverted index is used: below it they are scored one by one. The engine
 * compares it with a segment, and these stop growing: at 5 million chunks they had 440,000 chunks or 240,000 pages. A chunk that is
 * scored alone takes as long as thirty that the index passes over.
 */
const SCANNED_CHUNKS = 10_000;
const SCANNED_PAGES = 5000;
/** No ranges are asked for, which halves the index. */
const INTEGER = { type: 'integer', lookup: true, range: false } as const;

type Config = Readonly<Record<string, unknown>>;

export interface CollectionNames {
  readonly pages: string;
  readonly chunks: string;
}

/** Does nothing if they exist. */
export async function createCollections(nodes: Nodes, { pages, chunks }: CollectionNames): Promise<void> {
  const layout = await layoutOf(nodes);
  const score = { index: { full_scan_threshold: SCANNED_PAGES } };
  const impacts = { index: { full_scan_threshold: SCANNED_CHUNKS } };
  await createCollection(nodes, pages, { ...layout, sparse_vectors: { score, terms: score } });
  await createCollection(nodes, chunks, { ...layout, sparse_vectors: { impacts } });
  await createIndex(nodes, pages, 'version', INTEGER);
  await createIndex(nodes, pages, 'starts', INTEGER);
  for (const field of ['kinds', 'pageKind', 'fileKind']) await createIndex(nodes, pages, field, 'keyword');
  await createIndex(nodes, chunks, 'page', INTEGER);
}

/** Does nothing if it exists. */
export async function createVectorCollection(nodes: Nodes, name: string, dimensions: number): Promise<void> {
  if (await exists(nodes, name)) return;
  // Vectors have length 1, so that the dot product is their cosine.
  const vectors = { size: dimensions, distance: 'Dot', on_disk: true };
  await createCollection(nodes, name, { ...(await layoutOf(nodes)), vectors });
  for (const field of ['version', 'starts', 'page']) await createIndex(nodes, name, field, INTEGER);
  for (const field of ['kinds', 'pageKind', 'fileKind']) await createIndex(nodes, name, field, 'keyword');
}

interface Named {
  readonly collections: ReadonlyArray<{ readonly name: string }>;
}

export async function namesWithPrefix(nodes: Nodes, prefix: string): Promise<readonly string[]> {
  const { collections } = await nodes.read<Named>({ method: 'GET', path: '/collections' }, WRITE);
  return collections.map(({ name }) => name).filter((name) => name.startsWith(prefix));
}

interface ClusterStatus {
  readonly status: 'enabled' | 'disabled';
  readonly peers?: Readonly<Record<string, unknown>>;
}

/**
 * On a cluster, two shards for each node, so that nodes can be added, and two replicas, so that one can be lost. A write is
 * acknowledged by one replica: with two, no page could be indexed while a node is down. A read is sent to both replicas, and the first
 * answer counts: otherwise a node that hangs makes those wait that ask it.
 */
async function layoutOf(nodes: Nodes): Promise<Config> {
  const cluster = await nodes.read<ClusterStatus>({ method: 'GET', path: '/cluster' }, WRITE);
  const peers = cluster.status === 'enabled' ? Object.keys(cluster.peers ?? {}).length : 1;
  const isCluster = peers > 1;
  return {
    shard_number: isCluster ? peers * 2 : 1,
    ...(isCluster ? { replication_factor: 2, write_consistency_factor: 1, read_fan_out_factor: 1 } : {}),
    on_disk_payload: true,
    // In kilobytes. Below 5 MB loading gets quadratic in 1.16.
    optimizers_config: { indexing_threshold: 10_000, max_segment_size: 150_000 },
  };
}

/** Readers of the nodes take turns: one that was away does not know a new collection yet, and another one is asked. */
const QUERIED_NODES = 3;

export async function exists(nodes: Nodes, name: string): Promise<boolean> {
  const request = { method: 'GET', path: `/collections/${name}/exists` } as const;
  for (let queried = 0; queried < QUERIED_NODES; queried += 1)
    if ((await nodes.read<{ readonly exists: boolean }>(request, WRITE)).exists) return true;
  return false;
}

async function createCollection(nodes: Nodes, name: string, config: Config): Promise<void> {
  if (await exists(nodes, name)) return;
  const { read_fan_out_factor: fanOut, ...created } = config;
  const path = `/collections/${name}`;
  await nodes.write({ method: 'PUT', path, body: created }, WRITE).catch((error: unknown) => {
    // Another process, or an attempt whose answer was lost, has created it.
    if (!(error instanceof Error) || statusOf(error.cause) !== 409) throw error;
  });
  // Only an existing collection takes it.
  if (fanOut !== undefined)
    await nodes.write({ method: 'PATCH', path, body: { params: { read_fan_out_factor: fanOut } } }, WRITE);
}

async function createIndex(
  nodes: Nodes,
  name: string,
  field: string,
  schema: typeof INTEGER | 'keyword',
): Promise<void> {
  const path = `/collections/${name}/index?wait=true`;
  await nodes.write({ method: 'PUT', path, body: { field_name: field, field_schema: schema } }, WRITE);
}

interface Aliases {
  readonly aliases: ReadonlyArray<{ readonly alias_name: string }>;
}

/** The aliases of the library name both collections at once: no search sees the pages of one generation and the chunks of another. */
export async function switchAliases(nodes: Nodes, library: string, names: CollectionNames): Promise<void> {
  const { aliases } = await nodes.read<Aliases>({ method: 'GET', path: '/aliases' }, WRITE);
  const existing = new Set(aliases.map(({ alias_name: alias }) => alias));
  const actions = (['pages', 'chunks'] as const).flatMap((of) => {
    const alias = `${library}-${of}`;
    const create = { create_alias: { alias_name: alias, collection_name: names[of] } };
    return existing.has(alias) ? [{ delete_alias: { alias_name: alias } }, create] : [create];
  });
  await nodes.write({ method: 'POST', path: '/collections/aliases', body: { actions } }, WRITE);
}
