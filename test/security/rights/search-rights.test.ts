// A search with the right to some sources answers as a search of a library with these sources alone, and costs no more.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayUseSource } from '../../../src/core/model/source-rights.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import { createSearch, type SearchAnswer } from '../../../src/search/search.ts';
import type { Store } from '../../../src/store/port.ts';
import { restrictStore } from '../../../src/store/restricted/restrict-store.ts';
import { settlePages } from '../../support/qdrant-library.ts';
import { indexAll } from '../../support/run-fixture.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../../support/stores.ts';

const NAMES = ['alpha', 'alpine', 'beta', 'npm:pool', 'npm:pond', 'team-docs'];
const PATTERNS = [...NAMES, '*', 'al*', 'npm:*', '*docs', '*p*', 'none'];

const request = (query: string, source?: string[]) => ({
  query,
  ...(source && { source }),
  limit: 20,
  budget: 4000,
  offset: 0,
  explain: false,
});

describe.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
])('%s', (_, open) => {
  let opened: TestStore;
  let store: Store;

  beforeAll(async () => {
    opened = await open();
    ({ store } = opened);
    for (const name of NAMES) {
      const host = name.replaceAll(/\W/g, '-');
      const definition = { name, kind: 'web', startUrl: `https://${host}.dev/`, settings: {} } as const;
      const pages = ['one', 'two'].map((path) => ({
        url: `https://${host}.dev/${path}`,
        title: `${name} ${path}`,
        texts: [`connections of the pool in ${host}: secret${host.replaceAll('-', '')} ${path}`],
      }));
      await settlePages(store, pages, await store.sources.add(definition, ''));
    }
    await indexAll(store);
  }, 120_000);
  afterAll(() => opened.close());

  const search = async (rights: readonly string[] | null, query: string, source?: string[]): Promise<SearchAnswer> =>
    createSearch(restrictStore(store, rights), createSegmentIndex(store.segments))(request(query, source));

  test('random rights: the same answer as a search that names the visible sources', async () => {
    const rights = fc.uniqueArray(fc.constantFrom(...PATTERNS), { maxLength: 3 });
    const query = fc.constantFrom(
      'connections pool',
      'secretalpha',
      'secretnpmpool one',
      'conections',
      'nothing at all',
    );
    await fc.assert(
      fc.asyncProperty(rights, query, async (patterns, text) => {
        const visible = NAMES.filter((name) => mayUseSource(patterns, name));
        const answer = await search(patterns, text);
        expect(answer.searched.toSorted()).toEqual(visible.toSorted());
        for (const { source } of answer.passages) expect(visible).toContain(source);
        // A search cannot name no source.
        const named = visible.length === 0 ? answer : await search(null, text, visible);
        expect({ ...answer, searched: [] }).toEqual({ ...named, searched: [] });
        if (visible.length === 0) expect(answer.passages).toEqual([]);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  test('a hidden source that a search names is unknown, and is not suggested', async () => {
    const errorOf = (name: string): Promise<string> => search(['al*'], 'pool', [name]).then(() => '', String);
    expect((await errorOf('beta')).replaceAll('beta', 'bexa')).toBe(await errorOf('bexa'));
    expect(await errorOf('npm:poll')).not.toContain('npm:pool');
    expect(await errorOf('alpha2')).toContain('alpha');
  });

  test('words that only a hidden source has correct nothing', async () => {
    const { corrections, suggestions } = await search(['alpha'], 'secretbeto');
    expect(JSON.stringify([corrections, suggestions])).not.toContain('beta');
  });
});
