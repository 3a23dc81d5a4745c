// The index in memory passes the contract of the other engines, as far as it holds for one that is built at once.

import { afterEach, describe } from 'vitest';
import { createMemoryIndex, type MemoryPage } from '../../src/core/lexical/segment/memory-index.ts';
import type { IndexReader } from '../../src/core/lexical/query/index-reader.ts';
import type { VersionId } from '../../src/core/model/run.ts';
import type { Store } from '../../src/store/port.ts';
import { openTestSqlite, type TestStore } from '../support/stores.ts';
import { candidatesContract } from './search-index.contract.ts';

const opened: TestStore[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close();
});

describe('memory', () =>
  candidatesContract(async () => {
    const test = await openTestSqlite();
    opened.push(test);
    let built = createMemoryIndex([]);
    return {
      store: test.store,
      index: {
        frequencies: (versions, terms, signal) => built.frequencies(versions, terms, signal),
        candidates: (query, signal) => built.candidates(query, signal),
        suggest: (versions, word) => built.suggest(versions, word),
      },
      bring: async () => void (built = await buildFrom(test.store)),
    };
  }));

async function buildFrom(store: Store): Promise<IndexReader> {
  const sources = await store.sources.list();
  const versions = sources.flatMap(({ id: source, versions: all }) => all.map(({ id }) => ({ id, source })));
  return createMemoryIndex(
    await Promise.all(versions.map(async (version) => ({ ...version, pages: await pagesOf(store, version.id) }))),
  );
}

async function pagesOf(store: Store, version: VersionId): Promise<MemoryPage[]> {
  const { pages } = await store.pages.list(version, null, 1000);
  return Promise.all(
    pages.map(async ({ url, title, checkedAt }) => ({
      url,
      title: title ?? '',
      checkedAt,
      pageKind: null,
      chunks: await store.pages.chunksOf(version, url),
    })),
  );
}
