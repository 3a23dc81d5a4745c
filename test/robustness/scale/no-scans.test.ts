// What a user, a poll or a scrape asks reads no table that grows with the library, except by the keys of what it shows.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import type { ActionDeps } from '../../../src/actions/action.ts';
import { crawlStatus } from '../../../src/actions/crawl-status.ts';
import { showGrowth } from '../../../src/actions/show-growth.ts';
import { showUrl } from '../../../src/actions/show-url.ts';
import { showStats } from '../../../src/actions/show-stats.ts';
import { listHosts } from '../../../src/actions/list-hosts.ts';
import { listSamples } from '../../../src/actions/list-samples.ts';
import { listSources } from '../../../src/actions/list-sources.ts';
import { outlineSource } from '../../../src/actions/outline-source.ts';
import { readLibraryState } from '../../../src/library/library-state.ts';
import { createSearch } from '../../../src/search/search.ts';
import type { Store } from '../../../src/store/port.ts';
import type { ChangedDuplicates } from '../../../src/store/port/pages.ts';
import { restrictStore } from '../../../src/store/restricted/restrict-store.ts';
import { fillStore } from '../../support/fill-store.ts';
import { openPlannedPostgres, openPlannedSqlite, type PlannedStore } from '../../support/query-plans.ts';

const SEARCH = { query: 'text of many pages', source: 'docs', limit: 8, budget: 2000, offset: 0, explain: false };

/** What each of these needs of its dependencies is the store. */
const depsOf = (store: Store): ActionDeps => {
  const index = createSegmentIndex(store.segments);
  return { store, index, search: createSearch(store, index) } as ActionDeps;
};

const PATHS: ReadonlyArray<readonly [name: string, work: (store: Store) => Promise<unknown>]> = [
  ['list', (store) => listSources.run({ limit: 10 }, depsOf(store))],
  ['status', (store) => crawlStatus.run({ brief: false, limit: 10 }, depsOf(store))],
  ['status of a run', (store) => crawlStatus.run({ run: 'docs', brief: false, limit: 10 }, depsOf(store))],
  ['status of a live run', (store) => crawlStatus.run({ run: 'live', brief: false, limit: 10 }, depsOf(store))],
  ['samples', (store) => listSamples.run({ run: 'docs' }, depsOf(store))],
  ['hosts', (store) => listHosts.run({ run: 'live', limit: 10 }, depsOf(store))],
  ['the size by day', (store) => showGrowth.run({ days: 30 }, depsOf(store))],
  ['details of a URL', (store) => showUrl.run({ url: 'https://x.dev/a' }, depsOf(store))],
  ['/metrics', (store) => readLibraryState(store, createSegmentIndex(store.segments), null)],
  ['/api/library/stats', (store) => showStats.run({}, depsOf(store))],
  ['outline', (store) => outlineSource.run({ source: 'docs', budget: 3000 }, depsOf(store))],
  [
    'outline below a path',
    (store) => outlineSource.run({ source: 'docs', path: 'https://x.dev/a', budget: 3000 }, depsOf(store)),
  ],
  [
    'the token of a request',
    async ({ tokens }) => [await tokens.isAny(), await tokens.byHashes(['a', 'b']), await tokens.byName('a')],
  ],
  ['a page of tokens', (store) => store.tokens.list({ after: 'a', limit: 10 })],
  [
    'a search with the right to some sources',
    (store) => createSearch(restrictStore(store, ['d*']), createSegmentIndex(store.segments))(SEARCH),
  ],
  ['a search of one source', (store) => createSearch(store, createSegmentIndex(store.segments))(SEARCH)],
];

describe.each([
  ['sqlite', openPlannedSqlite],
  ['postgres', openPlannedPostgres],
])('%s', (_, open) => {
  let planned: PlannedStore;
  beforeAll(async () => {
    planned = await open();
    await fillStore(planned.store);
  });
  afterAll(() => planned.close());

  test.each(PATHS)('%s reads no growing table without an index condition (finding B8)', async (__, work) => {
    expect(await planned.scansOf(work)).toEqual([]);
  });

  test('a status that is polled counts nothing', async () => {
    const status = await crawlStatus.run({ run: 'live', brief: true, limit: 10 }, depsOf(planned.store));
    expect(status).toMatchObject({
      runs: [{ source: 'live' }],
      source: null,
      reasons: [],
      urls: [],
      markdownVerdict: null,
    });
  });

  test('the end of a run seeks versions and reasons, and pages in pieces (finding P13)', async () => {
    const { versions } = (await planned.store.sources.byName('docs'))!;
    const version = versions[0]!.id;
    const [run] = await planned.store.runs.list(1, (await planned.store.sources.byName('docs'))!.id);
    const scans = await planned.scansOf(async (store) => {
      expect(await store.pages.pipelineVersions(version)).toEqual(['test/1']);
      expect(await store.frontier.reasons(run!.id, 'skipped', 3)).toEqual([
        { reason: 'login', count: 1, example: 'https://x.dev/login' },
      ]);
      const found: string[] = [];
      let pieces = 0;
      for (let after: string | null = null; ; pieces += 1) {
        const piece: ChangedDuplicates | null = await store.pages.changedGroups(version, after, 2);
        found.push(...(piece?.pages ?? []).map(({ url }) => url));
        after = piece?.after ?? null;
        if (after === null) break;
      }
      expect(found).toContain('https://x.dev/copy');
      expect(pieces).toBeGreaterThan(2);
    });
    expect(scans).toEqual([]);
  });
});
