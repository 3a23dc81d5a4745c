// The index in Qdrant under faults, at length: an indexer killed 200 times, a page replaced 500 times under two readers, a
// generation that is rebuilt under questions, and a cluster of three nodes that fail in turn.

import { afterAll, describe, expect, test } from 'vitest';
import { failNodes, type ClusterFault } from '../feature/index/cluster-faults.ts';
import { killQdrantIndexer } from '../feature/index/kill-qdrant-indexer.ts';
import { qdrantContract } from '../feature/index/qdrant.contract.ts';
import { indexEverything, openQdrantIndex, settlePages } from '../support/qdrant-library.ts';
import { rebuildUnderQuestions } from '../feature/index/rebuild-under-questions.ts';
import { replaceUnderReaders } from '../feature/index/replace-under-readers.ts';
import { makePages } from '../support/zipf-pages.ts';
import { startQdrant } from '../support/qdrant-server.ts';
import { openTestSqlite } from '../support/stores.ts';
import { writeResult } from '../support/write-result.ts';
import { needing } from '../support/needs.ts';

const KILLS = Number(process.env['PINAKES_KILLS'] ?? 200);
const REPLACEMENTS = Number(process.env['PINAKES_REPLACEMENTS'] ?? 500);
const REBUILT_PAGES = Number(process.env['PINAKES_REBUILT_PAGES'] ?? 1000);
const NODE_FAULTS = Number(process.env['PINAKES_NODE_FAULTS'] ?? 20);
const server = startQdrant({ nodes: 3, areApart: process.getuid?.() === 0 });
const results: Record<string, unknown> = {};
afterAll(() => {
  server?.close();
  if (server !== null) writeResult('qdrant', { nodes: server.urls.length, ...results }, true);
});

describe('Qdrant', needing('Qdrant', server !== null), () => {
  describe('as a search index', () => qdrantContract(() => server!.urls));

  test(`an indexer killed ${KILLS} times loses no page, and nothing is found twice`, async () => {
    const result = await killQdrantIndexer(server!.urls, { kills: KILLS, pages: 300 });
    results['killedIndexer'] = result;
    expect(result.differences).toEqual([]);
    expect(result.atWork).toBeGreaterThan(KILLS / 4);
  });

  test(`a page replaced ${REPLACEMENTS} times is in every answer of two readers`, async () => {
    const { store, close } = await openTestSqlite();
    const result = await replaceUnderReaders(store, await openQdrantIndex(store, server!.urls), REPLACEMENTS);
    await close();
    results['replacedPage'] = result;
    expect(result.misses).toEqual([]);
    expect(result.differences).toEqual([]);
  });

  test(`an index of ${REBUILT_PAGES} pages answers every query while it is rebuilt`, async () => {
    const { store, sql, close } = await openTestSqlite();
    const index = await openQdrantIndex(store, server!.urls);
    const source = await settlePages(store, makePages(REBUILT_PAGES));
    await indexEverything(index);
    await sql(`update point_generations set fingerprint = 'of a former form'`);
    const result = await rebuildUnderQuestions(store, index, source.versions[0]!.id, 20);
    const differences = await index.verify(Infinity);
    results['rebuiltIndex'] = { ...result, pages: REBUILT_PAGES, differences };
    expect([...result.failures, ...differences]).toEqual([]);
    await close();
  });

  test(
    `nodes fail ${NODE_FAULTS} times, under indexing and 20 questions a second`,
    needing('a Qdrant that the tests start', server?.control !== null),
    async () => {
      const result = await failNodes(server!, faultsOf(NODE_FAULTS, server!.areApart));
      results['nodeFaults'] = result;
      expect(result.differences).toEqual([]);
      expect(result.faults.flatMap(({ failures, losses }) => [...failures, ...losses])).toEqual([]);
      expect(result.faults.flatMap(({ caughtUpMs }) => (caughtUpMs > 30_000 ? [caughtUpMs] : []))).toEqual([]);
    },
  );
});

/** Kills of each node in turn; then each node hangs, is cut off from the others, and has no room left on its disk. */
function faultsOf(count: number, areApart: boolean): Array<readonly [fault: ClusterFault, node: number]> {
  const kills = Array.from({ length: count }, (_, at) => ['kill', at % 3] as const);
  if (!areApart) console.warn('No partition and no full disk: nodes can be set apart by root only.');
  const others: ClusterFault[] = ['hang', ...(areApart ? (['partition', 'full disk'] as const) : [])];
  const nodes = Array.from({ length: Math.min(3, Math.ceil(count / 6)) }, (_, node) => node);
  return [...kills, ...nodes.flatMap((node) => others.map((fault) => [fault, node] as const))];
}
