// The contract of a search engine for Qdrant, with as many nodes as there are, and with several indexers.

import { afterEach, expect, test } from 'vitest';
import type { QdrantIndex } from '../../../src/index/qdrant/qdrant-index.ts';
import type { Store } from '../../../src/store/port.ts';
import { searchIndexContract } from '../../contract/search-index.contract.ts';
import { openTestSqlite, type TestStore } from '../../support/stores.ts';
import { frequenciesOf, indexEverything, openQdrantIndex, queryOf, settlePages } from '../../support/qdrant-library.ts';

export function qdrantContract(urls: () => readonly string[]): void {
  const opened: TestStore[] = [];
  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close();
  });
  const openStore = async (): Promise<Store> => {
    const sqlite = await openTestSqlite();
    opened.push(sqlite);
    return sqlite.store;
  };
  const openIndex = (store: Store): Promise<QdrantIndex> => openQdrantIndex(store, urls(), { keepReplacedMs: 0 });
  searchIndexContract(async () => {
    const store = await openStore();
    return { store, index: await openIndex(store) };
  });

  test('several indexers at once index every page once', async () => {
    const store = await openStore();
    const pages = Array.from({ length: 12 }, (_, nth) => ({ url: `https://x.dev/${nth}`, texts: ['zebras', 'more'] }));
    const source = await settlePages(store, pages);
    const versions = source.versions.map(({ id }) => id);
    const indexers = [await openIndex(store), await openIndex(store), await openIndex(store)];
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(indexers.map(indexEverything));
      const found = await indexers[0]!.candidates(queryOf('zebras', versions));
      expect(found).toHaveLength(12);
      expect(await frequenciesOf(indexers[0]!, queryOf('zebras', versions))).toEqual({
        chunks: 24,
        docFrequencies: [12],
      });
      expect(await indexers[0]!.verify(Infinity)).toEqual([]);
      for (const version of versions) await indexers[round]!.reindex(version);
    }
  });
}
