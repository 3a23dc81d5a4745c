// PINAKES_TEST_POSTGRES_URL=… node bench/search/postgres-search.ts LIBRARY QUESTIONS.jsonl FTS.db [VECTORS]: a SQLite library is copied
// into a database of its own on PostgreSQL, which must run on this machine. Measured there: processor time of a question,
// ours and the server's together, against the plain FTS5 query over the same chunks and tokens in the same run. FTS.db is
// made where it is not there yet. With VECTORS, the file of bench/vector/embed-library.ts, also by words and vectors together,
// without the question's own vector, and the recall of the ten nearest chunks in parts of every size.
//
// Every question is asked twice, in all ways one after the other, so that a busy machine is busy for all. The first time is
// just after the copy: the planner knows nothing of the tables, and autovacuum is told to leave them. Then comes an
// `analyze`, and the second time counts.

import pg from 'pg';
import { tokenize } from '../../src/core/lexical/tokenize/tokenize.ts';
import { findPages } from '../../src/search/lexical-retrieval.ts';
import { fuseFindings } from '../../src/search/fuse-results.ts';
import { answerFrom, namesOf } from '../../src/search/search.ts';
import { migratePostgres } from '../../src/store/postgres/migrate-postgres.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import { createPostgresEngine } from '../../src/store/postgres/postgres-engine.ts';
import { createDatabase } from '../../test/support/stores.ts';
import { openDenseLook } from './eval/dense-retrieval.ts';
import { percentile } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';
import { processesCpuMs } from '../support/backend-cpu.ts';
import { fillSpace } from '../support/bulk-load-vectors.ts';
import { copyLibrary, VECTOR_TABLES, WORD_TABLES } from '../support/copy-library.ts';
import { recallByShare } from '../support/vector-recall.ts';
import { openPlainFts } from '../support/plain-fts.ts';
import { writeResult } from '../support/write-result.ts';

const [, , library, questionsFile, ftsFile, vectorsFile] = process.argv;
if (library === undefined || questionsFile === undefined || ftsFile === undefined)
  throw new Error('usage: node bench/search/postgres-search.ts LIBRARY QUESTIONS.jsonl FTS.db [VECTORS]');

const say = (what: string): void => console.error(`${Math.round(performance.now() / 1000)} s: ${what}`);

const database = await createDatabase();
const admin = new pg.Client({ connectionString: database.url });
await admin.connect();
// More processes for one statement would escape the count.
await admin.query(`alter database ${new URL(database.url).pathname.slice(1)} set max_parallel_workers_per_gather = 0`);
const settings = { url: database.url, poolSize: 2, onError: () => undefined };
const driver = createPgDriver(settings);
await migratePostgres(driver);
await leaveToUs();
const engine = createPostgresEngine(driver);
const onTable = (table: string): void => say(`${table} copied`);
await copyLibrary(library, engine, { sites: null, tables: [...WORD_TABLES, 'spaces'], onTable });
const store = await openPostgresStore({ ...settings, startDelayMs: 0, maxAttempts: 8 });
const [space] = await store.vectors.spaces();
if (vectorsFile !== undefined) await copySpace();
await driver.close();

const fts = openPlainFts(library, ftsFile);
const sources = await store.sources.list();
const names = namesOf(sources);
const sites = new Set(sources.map(({ name }) => name));
const questions = readQuestions(questionsFile).filter(({ site }) => sites.has(site));
const queries = questions.map(({ query }) => query);
const denseLook = vectorsFile === undefined ? null : await openDenseLook(store, vectorsFile, queries);

/** Without autovacuum, what the planner knows does not depend on when it came by. */
async function leaveToUs(): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  for (const { name } of rows) await admin.query(`alter table ${name} set (autovacuum_enabled = false)`);
}

async function copySpace(): Promise<void> {
  if (space === undefined) throw new Error('the library has no vectors');
  await store.vectors.openSpace(space.fingerprint, space.dimensions, {});
  await leaveToUs();
  await copyLibrary(library ?? '', engine, { sites: null, tables: VECTOR_TABLES, onTable });
  await fillSpace(admin, space.id);
  say('vectors indexed');
}

async function ask({ query, site }: Question, scope: 'site' | 'all', withVectors: boolean): Promise<void> {
  const asked = sources.filter(({ name }) => scope === 'all' || name === site);
  const versions = asked.flatMap((source) => source.versions.map(({ id }) => id));
  const found = await findPages(store.searchRows, query, { versions, names });
  const dense = withVectors ? ((await denseLook?.(query, found, { versions, filter: {} })) ?? null) : null;
  if (withVectors && dense === null) throw new Error('too few texts of the library have vectors');
  const findings = dense === null ? found : fuseFindings(found, dense, names);
  await answerFrom(store.searchRows, findings, { sources, budget: 2000, limit: 8, offset: 0 });
}

const ways = {
  plain: ({ query }: Question) => fts.ask(tokenize(query)),
  lexical: (question: Question) => ask(question, 'all', false),
  lexicalOneSource: (question: Question) => ask(question, 'site', false),
  hybrid: (question: Question) => ask(question, 'all', true),
  hybridOneSource: (question: Question) => ask(question, 'site', true),
};
type Way = keyof typeof ways;
const measured = (Object.keys(ways) as Way[]).filter((way) => denseLook !== null || !way.startsWith('hybrid'));

interface Spent {
  readonly own: number;
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
  const before = { own: process.cpuUsage(), server: processesCpuMs(sessions) };
  await work();
  const { user, system } = process.cpuUsage(before.own);
  // A session that ended meanwhile was an idle one: the pool closes it.
  const server = [...processesCpuMs(sessions)].map(([pid, ms]) => ms - (before.server.get(pid) ?? ms));
  return { own: (user + system) / 1000, server: server.reduce((sum, ms) => sum + ms, 0) };
}

async function measure(): Promise<ReadonlyMap<Way, readonly Spent[]>> {
  const spent = new Map(measured.map((way): [Way, Spent[]] => [way, []]));
  for (const question of questions)
    for (const way of measured) spent.get(way)?.push(await timed(() => ways[way](question)));
  return spent;
}

const rounded = (number: number, digits = 1): number => Number(number.toFixed(digits));
const spread = (numbers: readonly number[]) => ({
  p50: rounded(percentile(numbers, 0.5)),
  p95: rounded(percentile(numbers, 0.95)),
  max: rounded(percentile(numbers, 1)),
});
const sums = (spent: readonly Spent[] = []): number[] => spent.map(({ own, server }) => own + server);

const first = await measure();
say('asked once');
await admin.query('analyze');
const second = await measure();
say('asked twice');
const plainP95 = percentile(sums(second.get('plain')), 0.95);
const figures = measured.map((way) => {
  const spent = second.get(way) ?? [];
  if (way === 'plain') return ['plainFts5', spread(sums(spent))];
  const whole = spread(sums(spent));
  const p95OfPlain = rounded(percentile(sums(spent), 0.95) / plainP95, 3);
  const server = spread(spent.map((one) => one.server));
  const serverJustFilled = spread((first.get(way) ?? []).map((one) => one.server));
  return [way, { ...whole, p95OfPlain, server, serverJustFilled }];
});
const recall =
  space === undefined || vectorsFile === undefined
    ? {}
    : { recallOfTen: await recallByShare({ library, store, space, vectorsFile, queries: queries.slice(0, 100) }) };
writeResult(denseLook === null ? 'postgres-search' : 'postgres-hybrid', {
  chunks: fts.chunks,
  questions: questions.length,
  unit: 'ms of processor time for a question: this process and the server together; `server` is its part of it',
  ...Object.fromEntries(figures),
  ...recall,
});
await admin.end();
await store.close();
await database.drop();
