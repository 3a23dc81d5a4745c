// The index in Qdrant under faults, at length: an indexer killed 200 times, a page replaced 500 times under two readers, a
// generation that is rebuilt under questions, and a cluster of three nodes whose nodes are killed and made to hang in turn.

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { killQdrantIndexer } from '../index/kill-qdrant-indexer.ts';
import { indexEverything, openQdrantIndex, queryOf, settlePages, urlsOf } from '../index/qdrant-library.ts';
import { replaceUnderReaders } from '../index/replace-under-readers.ts';
import { makePages, makeQuestions } from '../index/zipf-pages.ts';
import { startQdrant } from '../support/qdrant-server.ts';
import { indexAll } from '../support/run-fixture.ts';
import { openTestSqlite } from '../support/stores.ts';
import { writeResult } from './write-result.ts';

const KILLS = Number(process.env['PINAKES_KILLS'] ?? 200);
const REPLACEMENTS = Number(process.env['PINAKES_REPLACEMENTS'] ?? 500);
const NODE_FAULTS = Number(process.env['PINAKES_NODE_FAULTS'] ?? 20);
const server = startQdrant(3);
const results: Record<string, unknown> = {};
afterAll(() => {
  server?.close();
  if (server !== null) writeResult('qdrant', { nodes: server.urls.length, ...results });
});

describe.skipIf(server === null)('Qdrant', () => {
  test(`an indexer killed ${KILLS} times loses no page, and nothing is found twice`, async () => {
    const result = await killQdrantIndexer(server!.urls, { kills: KILLS, pages: 300 });
    results['killedIndexer'] = result;
    expect(result.differences).toEqual([]);
    expect(result.atWork).toBeGreaterThan(KILLS / 4);
  });

  test(`a page replaced ${REPLACEMENTS} times is in every answer of two readers`, async () => {
    const result = await replaceUnderReaders(server!.urls, REPLACEMENTS);
    results['replacedPage'] = result;
    expect(result.misses).toEqual([]);
    expect(result.differences).toEqual([]);
  });

  test.skipIf(server?.control === null)(
    `nodes killed and hung ${NODE_FAULTS} times, under indexing and 20 questions a second`,
    async () => {
      const { store, close } = await openTestSqlite();
      const index = await openQdrantIndex(store, server!.urls);
      // No more than are scored for a question: then both engines find the same pages.
      const source = await settlePages(store, makePages(140));
      await indexEverything(index);
      const versions = source.versions.map(({ id }) => id);
      const questions = makeQuestions(50);
      const ended = new AbortController();
      const failures: string[] = [];
      const waitedMs: number[] = [];
      const ask = async (question: string): Promise<void> => {
        const begun = performance.now();
        await index.candidates(queryOf(question, versions)).catch((error: unknown) => failures.push(String(error)));
        waitedMs.push(performance.now() - begun);
      };
      const asking = (async () => {
        for (let at = 0; !ended.signal.aborted; at += 1) {
          void ask(questions[at % questions.length]!);
          await wait(50);
        }
      })();
      const lags: number[] = [];
      for (let fault = 0; fault < NODE_FAULTS; fault += 1) {
        const node = fault % 3;
        const [down, up] = fault % 2 === 0 ? (['kill', 'start'] as const) : (['stop', 'continue'] as const);
        server!.control!(down, node);
        await settlePages(
          store,
          makePages(140)
            .slice(fault * 5, fault * 5 + 5)
            .map(({ url, texts }) => ({ url, texts: [...texts, `after fault ${fault}`] })),
          source,
        );
        await indexEverything(index).catch((error: unknown) => failures.push(`index: ${String(error)}`));
        server!.control!(up, node);
        const restored = performance.now();
        while ((await index.lag()).pages > 0) await indexEverything(index).catch(() => undefined);
        lags.push(performance.now() - restored);
        await wait(2000);
      }
      ended.abort();
      await asking;
      await indexAll(store);
      const differences = [...(await index.verify(Infinity))];
      const segments = createSegmentIndex(store.segments);
      for (const question of questions) {
        const query = queryOf(question, versions);
        if (urlsOf(await segments.candidates(query)).join(' ') !== urlsOf(await index.candidates(query)).join(' '))
          differences.push(`other pages for ${question}`);
      }
      const slowest = Math.max(...waitedMs);
      results['nodeFaults'] = {
        faults: NODE_FAULTS,
        questions: waitedMs.length,
        failures,
        slowestMs: Math.round(slowest),
        lagsMs: lags.map(Math.round),
        differences,
      };
      expect(differences).toEqual([]);
      expect(failures).toEqual([]);
      await close();
    },
  );
});
