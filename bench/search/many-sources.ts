// node bench/search/many-sources.ts [SOURCES] [--write NAME]: what a search of one named source and a page of `list_sources` cost in a
// library with 20 sources, and in one with many. Twenty sources have pages; CPU time, since a search reads from memory.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ActionDeps } from '../../src/actions/action.ts';
import { listSources } from '../../src/actions/list-sources.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { createSearch } from '../../src/search/search.ts';
import type { Store } from '../../src/store/port.ts';
import { createSqlStore } from '../../src/store/sql/create-sql-store.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate-sqlite.ts';
import { sqliteParts } from '../../src/store/sqlite/open-sqlite-store.ts';
import { openSqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts';
import { createWriteLock } from '../../src/store/sqlite/write-lock.ts';
import { settlePages } from '../../test/support/qdrant-library.ts';
import { createRandom } from '../../test/support/random.ts';
import { TEST_SETTINGS } from '../../test/support/stores.ts';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { writeResult } from '../support/write-result.ts';

const FILLED = 20;
const PAGES = 10;
const QUESTIONS = 80;

const random = createRandom(11);
const textOf = (): string => Array.from({ length: 200 }, () => `w${Math.floor(4000 ** random())}`).join(' ');

interface Library {
  readonly store: Store;
  readonly directory: string;
  readonly names: readonly string[];
}

async function fill(sources: number): Promise<Library> {
  const directory = join(temporaryDirectory(), String(sources));
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'pinakes.db');
  migrateSqlite(file);
  const engine = openSqliteEngine(file, { now: Date.now, writeLock: createWriteLock(), servesRequests: false });
  const store = createSqlStore(engine, sqliteParts(engine), TEST_SETTINGS);
  const names: string[] = [];
  for (let nth = 0; nth < FILLED; nth += 1) {
    const made = Array.from({ length: PAGES }, (_, page) => ({
      url: `https://x.dev/${nth}/${page}`,
      texts: [textOf()],
    }));
    names.push((await settlePages(store, made)).name);
  }
  while ((await store.segments.index(100)) > 0);
  await engine.transaction(async (tx) => {
    for (let nth = FILLED; nth < sources; nth += 1) {
      const [row] = await tx.all<{ id: number }>(
        `insert into sources (name, kind, start_url, settings, created_at) values ($1, 'web', 'https://y.dev/', '{}', now_ms()) returning id`,
        [`other-${nth}`],
      );
      await tx.all(
        `insert into versions (source_id, label, site_profile, created_at) values ($1, '', '{}', now_ms())`,
        [row!.id],
      );
    }
  });
  return { store, directory, names };
}

interface Costs {
  readonly search: number;
  readonly list: number;
}

/** CPU milliseconds: the median of the questions. */
async function medianCpuMs(times: number, work: (nth: number) => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let nth = 0; nth < times; nth += 1) {
    const before = process.cpuUsage();
    await work(nth);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  return costs.toSorted((a, b) => a - b)[Math.floor(times / 2)]!;
}

async function measure({ store, names }: Library): Promise<Costs> {
  const index = createSegmentIndex(store.segments);
  const search = createSearch(store, index);
  const runQuery = (nth: number): Promise<unknown> => {
    const query = `w${nth % 50} w${nth % 70}`;
    return search({ query, source: names[nth % FILLED]!, limit: 8, budget: 2000, offset: 0, explain: false });
  };
  const list = (): Promise<unknown> => listSources.run({ limit: 20 }, { store, index } as ActionDeps);
  await medianCpuMs(QUESTIONS, runQuery);
  await list();
  return { search: await medianCpuMs(QUESTIONS, runQuery), list: await medianCpuMs(20, list) };
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { write: { type: 'string' } } });
const sources = Number(positionals[0] ?? 20_000);
const libraries = [await fill(FILLED), await fill(sources)] as const;
const rounds: Array<{ readonly few: Costs; readonly many: Costs }> = [];
for (let round = 0; round < 3; round += 1)
  rounds.push({ few: await measure(libraries[0]), many: await measure(libraries[1]) });
const median = (of: (round: (typeof rounds)[number]) => number): number =>
  Math.round(1000 * rounds.map(of).toSorted((a, b) => a - b)[1]!) / 1000;
const result = {
  sources,
  searchMs: { of20: median(({ few }) => few.search), ofMany: median(({ many }) => many.search) },
  searchRatio: median(({ few, many }) => many.search / few.search),
  listMs: { of20: median(({ few }) => few.list), ofMany: median(({ many }) => many.list) },
};
for (const { store, directory } of libraries) {
  await store.close();
  rmSync(directory, { recursive: true });
}
if (values.write === undefined) console.log(JSON.stringify(result, null, 2));
else writeResult(values.write, result);
