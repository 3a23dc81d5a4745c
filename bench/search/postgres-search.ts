// PINAKES_TEST_POSTGRES_URL=… node bench/search/postgres-search.ts LIBRARY QUESTIONS.jsonl FTS.db [VECTORS]: copies a SQLite library
// into a separate database on PostgreSQL, which must run on this machine, and measures the CPU time of a query there,
// ours and the server's together, against the plain FTS5 query over the same chunks and tokens in the same run. FTS.db is
// created if it does not exist. With VECTORS, the file of bench/vector/embed-library.ts, it also measures hybrid search,
// without embedding the query, and the recall of the ten nearest chunks in subsets of every size.
//
// Every query runs twice, alternating between all variants, so that a busy machine affects all of them. The first time is
// right after the copy: the planner has no statistics, and autovacuum is off. Then comes an `analyze`, and the second time
// counts.

import pg from 'pg';
import { indexReaderOf } from '../../test/support/index-reader.ts';
import { tokenize } from '../../src/core/lexical/tokenize/tokenize.ts';
import { retrievePages } from '../../src/core/rank/lexical-retrieval.ts';
import { fuseResults } from '../../src/search/fuse-results.ts';
import { answerPassages, sourceNamesById } from '../../src/core/answer/answer-passages.ts';
import { migratePostgres } from '../../src/store/postgres/migrate-postgres.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import { createPostgresEngine } from '../../src/store/postgres/postgres-engine.ts';
import { createDatabase } from '../../test/support/stores.ts';
import { openDenseRetriever } from './eval/dense-retrieval.ts';
import { percentile } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';
import { processesCpuMs } from '../support/backend-cpu.ts';
import { copyLibrary, VECTOR_TABLES, LEXICAL_TABLES } from '../support/copy-library.ts';
import { recallByShare } from '../support/vector-recall.ts';
import { openPlainFts } from '../support/plain-fts.ts';
import { writeResult } from '../support/write-result.ts';

const [, , library, questionsFile, ftsFile, vectorsFile] = process.argv;
if (library === undefined || questionsFile === undefined || ftsFile === undefined)
  throw new Error('usage: node bench/search/postgres-search.ts LIBRARY QUESTIONS.jsonl FTS.db [VECTORS]');

const log = (what: string): void => console.error(`${Math.round(performance.now() / 1000)} s: ${what}`);

const database = await createDatabase();
const admin = new pg.Client({ connectionString: database.url });
await admin.connect();
// Parallel workers of a statement would not be counted.
await admin.query(`alter database ${new URL(database.url).pathname.slice(1)} set max_parallel_workers_per_gather = 0`);
const settings = { url: database.url, poolSize: 2, onError: () => undefined };
const driver = createPgDriver(settings);
await migratePostgres(driver);
await disableAutovacuum();
const engine = createPostgresEngine(driver);
const onTable = (table: string): void => log(`${table} copied`);
await copyLibrary(library, engine, { sites: null, tables: [...LEXICAL_TABLES, 'spaces'], onTable });
const store = await openPostgresStore({ ...settings, startDelayMs: 0, maxAttempts: 8 });
const [space] = await store.vectors.spaces();
if (vectorsFile !== undefined) await copySpace();
await driver.close();

const fts = openPlainFts(library, ftsFile);
const sources = await store.sources.list();
const names = sourceNamesById(sources);
const sites = new Set(sources.map(({ name }) => name));
const questions = readQuestions(questionsFile).filter(({ site }) => sites.has(site));
const queries = questions.map(({ query }) => query);
const denseRetriever = vectorsFile === undefined ? null : await openDenseRetriever(store, vectorsFile, queries);

/** Without autovacuum, the planner's statistics do not depend on when it last ran. */
async function disableAutovacuum(): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  for (const { name } of rows) await admin.query(`alter table ${name} set (autovacuum_enabled = false)`);
}

async function copySpace(): Promise<void> {
  if (space === undefined) throw new Error('the library has no vectors');
  await store.vectors.openSpace(space.fingerprint, space.dimensions, {});
  await disableAutovacuum();
  await copyLibrary(library ?? '', engine, { sites: null, tables: VECTOR_TABLES, onTable });
  // Moves what was copied into the table of the space, over which the index is then built.
  await store.vectors.openSpace(space.fingerprint, space.dimensions, {});
  await store.vectors.maintainIndex(space.id);
  log('vectors indexed');
}

async function runQuery({ query, site }: Question, scope: 'site' | 'all', withVectors: boolean): Promise<void> {
  const chosen = sources.filter(({ name }) => scope === 'all' || name === site);
  const versions = chosen.flatMap((source) => source.versions.map(({ id }) => id));
  const found = await retrievePages(indexReaderOf(store), query, { versions, names });
  const dense = withVectors ? ((await denseRetriever?.(query, found, { versions, filter: {} })) ?? null) : null;
  if (withVectors && dense === null) throw new Error('too few texts of the library have vectors');
  const results = dense === null ? found : fuseResults(found, dense, names);
  await answerPassages(store.chunks, results, { sources, budget: 2000, limit: 8, offset: 0 });
}

const variants = {
  plain: ({ query }: Question) => fts.search(tokenize(query)),
  lexical: (question: Question) => runQuery(question, 'all', false),
  lexicalOneSource: (question: Question) => runQuery(question, 'site', false),
  hybrid: (question: Question) => runQuery(question, 'all', true),
  hybridOneSource: (question: Question) => runQuery(question, 'site', true),
};
type Variant = keyof typeof variants;
const measured = (Object.keys(variants) as Variant[]).filter(
  (variant) => denseRetriever !== null || !variant.startsWith('hybrid'),
);

interface Spent {
  readonly client: number;
  readonly server: number;
}

async function sessionsOfStore(): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'pinakes'`,
  );
  return rows.map(({ pid }) => pid);
}

async function timed(work: () => void | Promise<void>): Promise<Spent> {
  const sessions = await sessionsOfStore();
  const before = { client: process.cpuUsage(), server: processesCpuMs(sessions) };
  await work();
  const { user, system } = process.cpuUsage(before.client);
  // A session that ended in the meantime was idle: the pool closes it.
  const server = [...processesCpuMs(sessions)].map(([pid, ms]) => ms - (before.server.get(pid) ?? ms));
  return { client: (user + system) / 1000, server: server.reduce((sum, ms) => sum + ms, 0) };
}

async function measure(): Promise<ReadonlyMap<Variant, readonly Spent[]>> {
  const spent = new Map(measured.map((variant): [Variant, Spent[]] => [variant, []]));
  for (const question of questions)
    for (const variant of measured) spent.get(variant)?.push(await timed(() => variants[variant](question)));
  return spent;
}

const rounded = (number: number, digits = 1): number => Number(number.toFixed(digits));
const spread = (numbers: readonly number[]) => ({
  p50: rounded(percentile(numbers, 0.5)),
  p95: rounded(percentile(numbers, 0.95)),
  max: rounded(percentile(numbers, 1)),
});
const sums = (spent: readonly Spent[] = []): number[] => spent.map(({ client, server }) => client + server);

const first = await measure();
log('chosen once');
await admin.query('analyze');
const second = await measure();
log('chosen twice');
const plainP95 = percentile(sums(second.get('plain')), 0.95);
const measurements = measured.map((variant) => {
  const spent = second.get(variant) ?? [];
  if (variant === 'plain') return ['plainFts5', spread(sums(spent))];
  const whole = spread(sums(spent));
  const p95OfPlain = rounded(percentile(sums(spent), 0.95) / plainP95, 3);
  const server = spread(spent.map((one) => one.server));
  const serverJustFilled = spread((first.get(variant) ?? []).map((one) => one.server));
  return [variant, { ...whole, p95OfPlain, server, serverJustFilled }];
});
const recall =
  space === undefined || vectorsFile === undefined
    ? {}
    : { recallOfTen: await recallByShare({ library, store, space, vectorsFile, queries: queries.slice(0, 100) }) };
writeResult(denseRetriever === null ? 'postgres-search' : 'postgres-hybrid', {
  chunks: fts.chunks,
  questions: questions.length,
  unit: 'ms of CPU time for a question: this process and the server together; `server` is its part of it',
  ...Object.fromEntries(measurements),
  ...recall,
});
await admin.end();
await store.close();
await database.drop();
