// node bench/search/fuzz-queries.ts LIBRARY [QUERIES] [postgres SITE,SITE,…]: runs 10,000 hostile queries against a real library:
// operators of FTS5 and of tsquery, quotes, NUL, emoji, lone surrogates, common words by the hundred, texts of 100 kB. Every one
// must be answered, within its token budget and within SLOW_MS of CPU time; the slowest is reported. With `postgres`, these
// sources of the library are copied into a separate database at PINAKES_TEST_POSTGRES_URL and searched there, and wall-clock time
// is measured, because the work is done in the server.

import { tokenize } from '../../src/core/lexical/tokenize/tokenize.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { createSearch } from '../../src/search/search.ts';
import { migratePostgres } from '../../src/store/postgres/migrate-postgres.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';
import { createPostgresEngine } from '../../src/store/postgres/postgres-engine.ts';
import type { Store } from '../../src/store/port.ts';
import { openSqliteReader } from '../../src/store/sqlite/open-sqlite-store.ts';
import { createDatabase } from '../../test/support/stores.ts';
import { percentile } from './eval/measures.ts';
import { copyLibrary, LEXICAL_TABLES } from '../support/copy-library.ts';
import { writeResult } from '../support/write-result.ts';
import { createRandom } from '../../test/support/random.ts';

const [, , library = '', count = '10000', where = 'sqlite', sites = ''] = process.argv;
const QUERIES = Number(count);
const settings = { startDelayMs: 1000, maxAttempts: 8 };
const owner = { pid: process.pid, command: 'bench', since: new Date().toISOString() };
const database = where === 'postgres' ? await createDatabase() : null;

async function openCopy(url: string): Promise<Store> {
  const pool = { url, poolSize: 2, onError: () => undefined };
  const driver = createPgDriver(pool);
  await migratePostgres(driver);
  await copyLibrary(library, createPostgresEngine(driver), { sites: sites.split(','), tables: LEXICAL_TABLES });
  await driver.close();
  return openPostgresStore({ ...settings, ...pool });
}

const store =
  database === null ? await openSqliteReader({ ...settings, directory: library, owner }) : await openCopy(database.url);

const OPERATORS =
  `" ' * ^ ( ) : - + & | ! <-> <2> NEAR(a b, 2) AND OR NOT title: a:* {x} ;-- $1 \\ % _ ::tsquery || @@`.split(' ');
const SIGNS = ['\0', '🦓', '👩‍👩‍👧', '\u202e', '\ud800', '全文検索', 'é', 'ﬁ', '\u0301'.repeat(50), '\t\n\r'];
const COMMON = [
  'the',
  'a',
  'to',
  'of',
  'set',
  'value',
  'type',
  'return',
  'function',
  'default',
  'file',
  'error',
  'name',
];

const random = createRandom(42);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const repeat = <T>(max: number, make: () => T): T[] => Array.from({ length: 1 + Math.floor(random() * max) }, make);

const GENERATORS: ReadonlyArray<() => string> = [
  () => repeat(12, () => pick([...OPERATORS, ...SIGNS, ...COMMON])).join(pick([' ', ''])),
  () => repeat(40, () => pick(COMMON)).join(' '),
  () => String.fromCharCode(...repeat(200, () => Math.floor(random() * 0x1_0000))),
  () => repeat(60, () => Math.floor(random() * 1e6).toString(36)).join(pick([' ', '-', '.', '::', '_'])),
  () =>
    pick([...OPERATORS, ...SIGNS, ...COMMON])
      .repeat(1 + Math.floor(random() * 20_000))
      .slice(0, 100_000),
  () => `"${repeat(8, () => pick(COMMON)).join(' ')}" ${pick(OPERATORS)} ${pick(COMMON)}*`,
];

const search = createSearch(store, createSegmentIndex(store.segments));
const sources = (await store.sources.list()).map(({ name }) => name);
/** Ten times what the slowest ordinary query takes. */
const SLOW_MS = 1000;
const times: number[] = [];
const errors: string[] = [];
let slowest = { ms: 0, query: '' };
for (let i = 0; i < QUERIES; i += 1) {
  const query = (GENERATORS[i % GENERATORS.length] ?? (() => ''))();
  const scope = random() < 0.5 ? { source: pick(sources) } : {};
  const started = performance.now();
  const before = process.cpuUsage();
  try {
    const answer = await search({ ...scope, query, limit: 8, budget: 2000, offset: 0, explain: false });
    if (answer.tokens > 2000) errors.push(`an answer has ${answer.tokens} tokens`);
  } catch (error) {
    errors.push(String(error));
  }
  const { user, system } = process.cpuUsage(before);
  const ms = database === null ? (user + system) / 1000 : performance.now() - started;
  times.push(ms);
  if (ms > slowest.ms) slowest = { ms, query };
}
const rounded = (share: number): number => Math.round(percentile(times, share) * 10) / 10;
writeResult(`fuzz-queries-${store.engine}`, {
  queries: QUERIES,
  sources: sources.length,
  errors: errors.length,
  slow: times.filter((ms) => ms > SLOW_MS).length,
  unit: database === null ? 'ms of CPU time for a question' : 'ms for a question',
  p50: rounded(0.5),
  p95: rounded(0.95),
  max: rounded(1),
  slowest: { start: slowest.query.slice(0, 80), chars: slowest.query.length, words: tokenize(slowest.query).length },
});
await store.close();
await database?.drop();
for (const error of new Set(errors)) console.error(error);
if (errors.length > 0 || times.some((ms) => ms > SLOW_MS)) process.exitCode = 1;
