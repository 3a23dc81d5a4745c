// A node of a cluster that returns with an older copy of its disk: pages were indexed after the copy was made. Is it noticed, what do questions
// miss, and does `reindex` repair it?

import { setTimeout as wait } from 'node:timers/promises';
import type { QdrantIndex } from '../../../src/index/qdrant/qdrant-index.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import { indexEverything, openQdrantIndex, queryOf, settlePages, urlsOf } from '../../support/qdrant-library.ts';
import type { QdrantServer } from '../../support/qdrant-server.ts';
import { openTestSqlite } from '../../support/stores.ts';
import { makePages, type MadePage } from '../../support/zipf-pages.ts';
import { areReplicasActive, waitFor } from './cluster-faults.ts';

const PAGES = 140;
const REPLACED = 40;
const OLDER_NODE = 2;
/** Each word is queried so often through each node: one of two replicas answers first. */
const ROUNDS = 5;
/** In which the engine might notice, or repair it. */
const OBSERVED_MS = 20_000;

export interface OlderNodeResult {
  readonly pages: number;
  /** Indexed after the copy. */
  readonly replaced: number;
  /** From its start until every node says that all replicas are in use. */
  readonly replicasMs: number;
  readonly before: OlderNodeAnswers;
  readonly reindexMs: number;
  readonly after: OlderNodeAnswers;
}

interface OlderNodeAnswers {
  readonly questions: number;
  /** How many did not find their page, by the node that got them. */
  readonly missingByNode: readonly number[];
  readonly differences: number;
}

export async function returnOlderNode({ urls, control }: QdrantServer): Promise<OlderNodeResult> {
  const { store, close } = await openTestSqlite();
  const index = await openQdrantIndex(store, urls);
  const pages = makePages(PAGES);
  const source = await settlePages(store, pages);
  await indexEverything(index);
  const act = control!;
  await act('kill', OLDER_NODE);
  await act('keep', OLDER_NODE);
  await act('start', OLDER_NODE);
  await waitFor(() => areReplicasActive(urls));

  const replaced = pages.slice(0, REPLACED).map((page, at) => ({ ...page, texts: [...page.texts, wordOf(at)] }));
  await settlePages(store, replaced, source);
  await indexEverything(index);
  await waitFor(() => areReplicasActive(urls));
  await act('kill', OLDER_NODE);
  await act('revert', OLDER_NODE);
  const startedMs = performance.now();
  await act('start', OLDER_NODE);
  await waitFor(() => areReplicasActive(urls));
  const replicasMs = Math.round(performance.now() - startedMs);
  await wait(OBSERVED_MS);

  const nodes = await Promise.all(urls.map((url) => openQdrantIndex(store, [url])));
  const before = await queryNodes(index, nodes, { source, replaced });
  const reindexedMs = performance.now();
  for (const { id } of source.versions) await index.reindex(id);
  await indexEverything(index);
  const reindexMs = Math.round(performance.now() - reindexedMs);
  const after = await queryNodes(index, nodes, { source, replaced });
  await close();
  return { pages: PAGES, replaced: REPLACED, replicasMs, before, reindexMs, after };
}

function wordOf(page: number): string {
  return `returned${page}x`;
}

interface Requested {
  readonly source: Source;
  readonly replaced: readonly MadePage[];
}

async function queryNodes(
  index: QdrantIndex,
  nodes: readonly QdrantIndex[],
  { source, replaced }: Requested,
): Promise<OlderNodeAnswers> {
  const versions = source.versions.map(({ id }) => id);
  const missingByNode = nodes.map(() => 0);
  for (const [nth, node] of nodes.entries())
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [at, { url }] of replaced.entries()) {
        const found = urlsOf(await node.candidates(queryOf(wordOf(at), versions)));
        if (!found.includes(url)) missingByNode[nth]! += 1;
      }
  const differences = (await index.verify(Infinity)).length;
  return { questions: ROUNDS * replaced.length * nodes.length, missingByNode, differences };
}
