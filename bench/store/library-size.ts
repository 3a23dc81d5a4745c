// node bench/store/library-size.ts sqlite|postgres [SHARE]: what lists, polls, scrapes and a search of one source cost in a
// library of 500 sources, 500,000 pages, 2 million chunks, 2,500 segments, 8 million events and 100,000 vectors, and in one with the
// same sources and runs and a tenth of everything else. The searched source has the same pages in both. SHARE shrinks both, to
// try the script. Both are built first and then called in turn. PostgreSQL is the one that PINAKES_TEST_POSTGRES_URL names; a database is created there and dropped.
//
// Each figure is of the whole action with its queries: CPU time of the calling process and elapsed time (medians of several
// calls), and for PostgreSQL the CPU time of the server (mean). On a server with SQLite these actions run on the query thread,
// so the main thread spends less than this.

import { rmSync, statSync } from 'node:fs';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { join } from 'node:path';
import type { ActionDeps } from '../../src/actions/action.ts';
import { crawlStatus } from '../../src/actions/crawl-status.ts';
import { showStats } from '../../src/actions/show-stats.ts';
import { listSources } from '../../src/actions/list-sources.ts';
import { outlineSource } from '../../src/actions/outline-source.ts';
import { readLibraryState } from '../../src/library/library-state.ts';
import { createSearch } from '../../src/search/search.ts';
import type { Store } from '../../src/store/port.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import {
  createRunFixture,
  createSettlement,
  indexAll,
  indexedOutcome,
  WORKER,
} from '../../test/support/run-fixture.ts';
import { createDatabase, postgresUrl, TEST_SETTINGS, thisOwner } from '../../test/support/stores.ts';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { readPostmasterPid, serverCpuMs } from '../support/backend-cpu.ts';
import { cpuMs } from '../support/processor-time.ts';
import {
  CHUNKS_PER_PAGE,
  fillLibrary,
  openBulkPostgres,
  openBulkSqlite,
  SOURCES,
  type BulkDatabase,
  type LibrarySize,
} from '../support/synthetic-library.ts';
import { writeResult } from '../support/write-result.ts';

const ENGINE = process.argv[2] === 'postgres' ? 'postgres' : 'sqlite';
const SHARE = Number(process.argv[3] ?? 1);
const ROUNDS = 6;
const CALLS_PER_ROUND = 10;
const WARM_UP = 20;
const SEARCHED_PAGES = 200;
const MAX_RATIO = 1.5;
const MAX_CPU_MS = 50;

const LARGE: LibrarySize = {
  pages: 500_000 * SHARE,
  segmentsPerSource: 5,
  events: 8_000_000 * SHARE,
  vectors: 100_000 * SHARE,
};
/** Each source has at least one segment. */
const SMALL: LibrarySize = {
  pages: LARGE.pages / 10,
  segmentsPerSource: 1,
  events: LARGE.events / 10,
  vectors: LARGE.vectors / 10,
};

interface Library {
  readonly open: () => Promise<Store>;
  readonly bulk: () => Promise<BulkDatabase>;
  readonly megabytes: () => number | null;
  readonly remove: () => Promise<void>;
}

async function newLibrary(): Promise<Library> {
  if (ENGINE === 'postgres') {
    const { url, drop } = await createDatabase();
    const options = { ...TEST_SETTINGS, url, poolSize: 4, onError: () => undefined };
    return {
      open: () => openPostgresStore(options),
      bulk: () => openBulkPostgres(url),
      megabytes: () => null,
      remove: drop,
    };
  }
  const directory = temporaryDirectory();
  return {
    open: async () => openSqliteStore({ ...TEST_SETTINGS, directory, owner: thisOwner }),
    bulk: async () => openBulkSqlite(directory),
    megabytes: () => Math.round(statSync(join(directory, 'pinakes.db')).size / 1e6),
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  };
}

interface Cost {
  readonly cpuMs: number;
  readonly serverCpuMs: number;
  readonly ms: number;
}

const postmaster = ENGINE === 'postgres' ? await readPostmasterPid(postgresUrl()) : null;

function databaseCpuMs(): number {
  return postmaster === null ? 0 : serverCpuMs(postmaster);
}

type Costs = Readonly<Record<string, Cost>>;

const deps = (store: Store): ActionDeps => {
  const index = createSegmentIndex(store.segments);
  return { store, index, search: createSearch(store, index) } as ActionDeps;
};

const PATHS: Readonly<Record<string, (store: Store, searched: string) => Promise<unknown>>> = {
  list: (store) => listSources.run({ limit: 1000 }, deps(store)),
  status: (store) => crawlStatus.run({ brief: false, limit: 10 }, deps(store)),
  'status of a run': (store) => crawlStatus.run({ run: 's0', brief: false, limit: 10 }, deps(store)),
  '/metrics': (store) => readLibraryState(store, createSegmentIndex(store.segments), null),
  '/api/library/stats': (store) => showStats.run({}, deps(store)),
  outline: (store) => outlineSource.run({ source: 's1', budget: 3000 }, deps(store)),
  'search of one source': (store, source) =>
    createSearch(
      store,
      createSegmentIndex(store.segments),
    )({
      query: 'zebra crossing settings',
      source,
      limit: 8,
      budget: 2000,
      offset: 0,
      explain: false,
    }),
};

interface BuiltLibrary extends Pick<Library, 'remove'> {
  readonly store: Store;
  readonly searched: string;
  readonly megabytes: number | null;
  readonly buildSeconds: number;
}

async function build(size: LibrarySize): Promise<BuiltLibrary> {
  const library = await newLibrary();
  try {
    const started = performance.now();
    await (await library.open()).close();
    const bulk = await library.bulk();
    await fillLibrary(bulk, size);
    await bulk.close();
    const store = await library.open();
    const searched = await addSearchedSource(store);
    const buildSeconds = Math.round((performance.now() - started) / 1000);
    return { store, searched, megabytes: library.megabytes(), buildSeconds, remove: library.remove };
  } catch (error) {
    await library.remove();
    throw error;
  }
}

async function addSearchedSource(store: Store): Promise<string> {
  const urls = Array.from({ length: SEARCHED_PAGES }, (_, nth) => `https://searched.dev/${nth}`);
  const { source, lease } = await createRunFixture(store, urls);
  const claims = await store.frontier.claim({ worker: WORKER, limit: urls.length, leaseMs: 600_000, aheadMs: 600_000 });
  if (claims.length < urls.length) throw new Error(`${claims.length} of ${urls.length} URLs were claimed`);
  const texts = (url: string): string[] =>
    Array.from({ length: CHUNKS_PER_PAGE }, (_, nth) => `zebra crossing of ${url}, part ${nth}, with its settings`);
  await store.frontier.settle(
    claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, ...texts(claim.url)))),
  );
  await indexAll(store);
  await store.runs.finish(lease, 'completed', null);
  return source.name;
}

/** Measures both libraries alternately, so that other load on the machine affects both. */
async function costsOf(works: ReadonlyArray<() => Promise<unknown>>): Promise<Cost[]> {
  for (const work of works) for (let call = 0; call < WARM_UP; call += 1) await work();
  const calls = works.map((): Array<Omit<Cost, 'serverCpuMs'>> => []);
  const server = works.map(() => 0);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, work] of works.entries()) {
      const before = databaseCpuMs();
      for (let call = 0; call < CALLS_PER_ROUND; call += 1) {
        const [cpu, started] = [cpuMs(), performance.now()];
        JSON.stringify(await work());
        calls[at]?.push({ cpuMs: cpuMs() - cpu, ms: performance.now() - started });
      }
      server[at] = (server[at] ?? 0) + databaseCpuMs() - before;
    }
  return calls.map((costs, at) => ({
    cpuMs: median(costs.map((cost) => cost.cpuMs)),
    serverCpuMs: round2((server[at] ?? 0) / (ROUNDS * CALLS_PER_ROUND)),
    ms: median(costs.map((cost) => cost.ms)),
  }));
}

function median(values: readonly number[]): number {
  return Math.round((values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0) * 100) / 100;
}

async function measure(libraries: readonly BuiltLibrary[]): Promise<Costs[]> {
  const costs = libraries.map((): Record<string, Cost> => ({}));
  for (const [name, work] of Object.entries(PATHS)) {
    const each = await costsOf(
      libraries.map(
        ({ store, searched }) =>
          () =>
            work(store, searched),
      ),
    );
    for (const [at, cost] of each.entries()) Object.assign(costs[at] ?? {}, { [name]: cost });
  }
  return costs;
}

const libraries = [await build(SMALL), await build(LARGE)] as const;
const [smallCosts = {}, largeCosts = {}] = await measure(libraries);
for (const { store, remove } of libraries) {
  await store.close();
  await remove();
}
const reportOf = ({ megabytes, buildSeconds }: BuiltLibrary, costs: Costs): object => ({
  costs,
  megabytes,
  buildSeconds,
});
const ratios = Object.fromEntries(
  Object.entries(largeCosts).map(([name, cost]) => {
    const before = smallCosts[name] ?? cost;
    const cpu = (cost.cpuMs + cost.serverCpuMs) / (before.cpuMs + before.serverCpuMs);
    return [name, { cpu: round2(cpu), elapsed: round2(cost.ms / before.ms) }];
  }),
);
function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
const isWithin = Object.entries(largeCosts).every(
  ([name, { cpuMs: cpu }]) => cpu <= MAX_CPU_MS && (ratios[name]?.cpu ?? 0) <= MAX_RATIO,
);
const result = {
  engine: ENGINE,
  sources: SOURCES,
  sizes: { small: SMALL, large: LARGE },
  small: reportOf(libraries[0], smallCosts),
  large: reportOf(libraries[1], largeCosts),
  ratios,
  bars: { ratio: MAX_RATIO, cpuMs: MAX_CPU_MS },
  isWithin,
};
if (SHARE === 1) writeResult(`library-size-${ENGINE}`, result);
else console.log(JSON.stringify(result, null, 2));
process.exitCode = isWithin ? 0 : 1;
