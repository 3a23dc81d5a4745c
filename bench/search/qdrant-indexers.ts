// node bench/search/qdrant-indexers.ts [PAGES] [--write NAME]: pages that are indexed by one process and by four on PostgreSQL
// (PINAKES_TEST_POSTGRES_URL), with an engine that costs nothing: pages per second, CPU time per page of the processes, pages that were sent
// more than once, and rows that the database wrote for a page.

import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createQdrantIndex } from '../../src/index/qdrant/qdrant-index.ts';
import { createCountingEngine } from '../../test/support/counting-engine.ts';
import { settlePages } from '../../test/support/qdrant-library.ts';
import { runChild } from '../../test/support/run-child.ts';
import { createMigratedDatabase } from '../../test/support/stores.ts';
import { openDatabase } from '../../test/support/test-database.ts';
import { createRandom } from '../../test/support/random.ts';
import { writeResult } from '../support/write-result.ts';

const CHUNKS_PER_PAGE = 10;
const WORDS_PER_CHUNK = 60;
const VOCABULARY = 40_000;
const PAGES_PER_STEP = 50;

interface Indexed {
  readonly pages: readonly number[];
  readonly cpuMs: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** One indexer, until no page waits. */
async function indexAsChild(url: string): Promise<void> {
  const { store } = await openDatabase({ engine: 'postgres', url });
  const engine = createCountingEngine();
  const { points: records, changes, history } = store;
  const index = createQdrantIndex({ nodes: engine.nodes, records, changes, history, timeoutMs: 10_000 });
  await index.index(1);
  const cpu = process.cpuUsage();
  const startedAt = Date.now();
  let endedAt = startedAt;
  for (;;) {
    if ((await index.index(PAGES_PER_STEP)) > 0) endedAt = Date.now();
    else if ((await index.lag(1)).pages === 0) break;
    else await wait(100);
  }
  const { user, system } = process.cpuUsage(cpu);
  const indexed: Indexed = { pages: engine.pages, cpuMs: (user + system) / 1000, startedAt, endedAt };
  console.log(JSON.stringify(indexed));
  await store.close();
}

const random = createRandom(7);
/** Few words are frequent and many are rare, as in prose. */
const textOf = (): string =>
  Array.from({ length: WORDS_PER_CHUNK }, () => `w${Math.floor(VOCABULARY ** random())}`).join(' ');

async function rowsWritten(client: pg.Client): Promise<number> {
  // Sessions report what they did with a delay.
  await wait(2000);
  const { rows } = await client.query<{ n: string }>(
    `select sum(n_tup_ins + n_tup_upd + n_tup_del) as n from pg_stat_user_tables`,
  );
  return Number(rows[0]?.n ?? 0);
}

async function measure(indexers: number, pages: number): Promise<Record<string, number>> {
  const database = await createMigratedDatabase();
  const { store } = await openDatabase({ engine: 'postgres', url: database.url });
  const made = Array.from({ length: pages }, (_, nth) => ({
    url: `https://x.dev/${nth}`,
    texts: Array.from({ length: CHUNKS_PER_PAGE }, textOf),
  }));
  for (let at = 0; at < pages; at += 500) await settlePages(store, made.slice(at, at + 500));
  await store.close();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const before = await rowsWritten(client);
  const results: Indexed[] = [];
  const children = Array.from({ length: indexers }, () =>
    runChild(new URL(import.meta.url), database.url, (line) => results.push(JSON.parse(line) as Indexed)),
  );
  await Promise.all(children.map(({ ended }) => ended));
  const rows = (await rowsWritten(client)) - before;
  const { rows: sent } = await client.query<{ n: string; dead: string }>(
    `select count(*) filter (where state = 1) as n, count(*) filter (where state <> 1) as dead from point_pages`,
  );
  await client.end();
  await database.drop();
  const sentPages = results.flatMap((one) => one.pages).length;
  const seconds =
    (Math.max(...results.map((one) => one.endedAt)) - Math.min(...results.map((one) => one.startedAt))) / 1000;
  const cpuMs = results.reduce((sum, one) => sum + one.cpuMs, 0);
  return {
    indexers,
    pages: Number(sent[0]?.n),
    sentAgain: sentPages - Number(sent[0]?.n),
    deadNumbers: Number(sent[0]?.dead),
    pagesPerSecond: Math.round(pages / seconds),
    cpuMsPerPage: Math.round((100 * cpuMs) / pages) / 100,
    rowsPerPage: Math.round((10 * rows) / pages) / 10,
  };
}

if (process.argv[2]?.startsWith('"postgres')) await indexAsChild(JSON.parse(process.argv[2]) as string);
else {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { write: { type: 'string' } } });
  const pages = Number(positionals[0] ?? 1500);
  const result = { one: await measure(1, pages), four: await measure(4, pages) };
  if (values.write === undefined) console.log(JSON.stringify(result, null, 2));
  else writeResult(values.write, result);
}
