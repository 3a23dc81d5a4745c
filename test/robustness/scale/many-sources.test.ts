// A library of many sources: no request reads all of them, once the process has.

import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionDeps } from '../../../src/actions/action.ts';
import { crawlStatus } from '../../../src/actions/crawl-status.ts';
import { listSources } from '../../../src/actions/list-sources.ts';
import { searchDocs } from '../../../src/actions/search-docs.ts';
import { loadRunViews } from '../../../src/actions/support/run-view.ts';
import { resolveVersion } from '../../../src/actions/support/resolve.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import { readLibraryState } from '../../../src/library/library-state.ts';
import { createSearch } from '../../../src/search/search.ts';
import type { Store } from '../../../src/store/port.ts';
import { createSqlStore } from '../../../src/store/sql/create-sql-store.ts';
import type { Engine, Executor } from '../../../src/store/sql/engine/engine.ts';
import { migrateSqlite } from '../../../src/store/sqlite/migrate-sqlite.ts';
import { sqliteParts } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { openSqliteEngine } from '../../../src/store/sqlite/sqlite-engine.ts';
import { createWriteLock } from '../../../src/store/sqlite/write-lock.ts';
import { TEST_SETTINGS } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const SOURCES = 500;
const MAX_ROWS = 60;

const directory = temporaryDirectory();
let engine: Engine;
let store: Store;
let rows = 0;

function counting(executor: Executor): Executor {
  const counted = async <Row>(read: Promise<Row[]>): Promise<Row[]> => {
    rows += (await read).length;
    return read;
  };
  return {
    ...executor,
    all: (sql, values) => counted(executor.all(sql, values)),
    each: (statement, values, scalars) => counted(executor.each(statement, values, scalars)),
  };
}

beforeAll(async () => {
  const file = join(directory, 'pinakes.db');
  migrateSqlite(file);
  const opened = openSqliteEngine(file, { now: Date.now, writeLock: createWriteLock(), servesRequests: false });
  engine = { ...opened, reader: counting(opened.reader) };
  store = createSqlStore(engine, sqliteParts(opened), TEST_SETTINGS);
  await engine.transaction(async (tx) => {
    for (let nth = 1; nth <= SOURCES; nth += 1) {
      await tx.all(
        `insert into sources (name, kind, start_url, settings, created_at, due_at) values ($1, 'web', 'https://x.dev/', '{}', now_ms(), now_ms() + 60000)`,
        [`s${nth}`],
      );
      await tx.all(
        `insert into versions (source_id, label, site_profile, created_at) values ($1, '1.0', '{}', now_ms())`,
        [nth],
      );
    }
  });
  const [version] = (await store.sources.byName('s7'))!.versions;
  await store.runs.start(version!.id, 'incremental', {});
});

afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

const depsOf = (): ActionDeps => {
  const index = createSegmentIndex(store.segments);
  const states = { system: { services: { embedding: () => ({ state: 'off', reason: null }) } } };
  return { store, index, search: createSearch(store, index), ...states } as never;
};
const search = { limit: 8, budget: 2000, offset: 0, explain: false, prefer: [] };

const REQUESTS: ReadonlyArray<readonly [name: string, request: () => Promise<unknown>]> = [
  ['a search of one source', () => searchDocs.run({ ...search, query: 'a question', source: 's7' }, depsOf())],
  ['a search of all', () => searchDocs.run({ ...search, query: 'a question' }, depsOf())],
  ['a page of sources', () => listSources.run({ limit: 5, cursor: 's3' }, depsOf())],
  ['sources by a part of the name', () => listSources.run({ limit: 1000, name: '499' }, depsOf())],
  ['a version by its name', () => resolveVersion(store, 's400@1.0', undefined)],
  ['the status', () => crawlStatus.run({ brief: false, limit: 10 }, depsOf())],
  ['the status of a run', () => crawlStatus.run({ run: 's7', brief: false, limit: 10 }, depsOf())],
  ['a frame of events', async () => loadRunViews(store, await store.runs.live())],
  ['the metrics', () => readLibraryState(store, createSegmentIndex(store.segments), null)],
];

test.each(REQUESTS)('%s reads few rows, also after a source was changed (finding D12)', async (_, request) => {
  await store.sources.list();
  const source = (await store.sources.byName('s9'))!;
  await store.sources.change(source.id, { name: 's9', settings: {}, due: null, isAllowedDuringRun: true });
  rows = 0;
  await request();
  expect(rows).toBeLessThan(MAX_ROWS);
});

test('pages of sources are all sources, by name', async () => {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listSources.run({ limit: 150, cursor }, depsOf());
    expect(page.total).toBe(SOURCES);
    names.push(...page.sources.map(({ source }) => source));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(names).toHaveLength(SOURCES);
  expect(names).toEqual([...new Set(names)].toSorted());
});
