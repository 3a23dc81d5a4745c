// node bench/fuzz-queries.ts LIBRARY [QUERIES] [DATABASE_URL]: asks a real library 10,000 made questions: operators of FTS5 and
// of tsquery, quotes, NUL, emoji, lone surrogates, common words by the hundred, texts of 100 kB. Every one must be answered, within
// its tokens and within SLOW_MS of processor time; the slowest is told. With a DATABASE_URL the library is a PostgreSQL store,
// whose own time is then not counted.

import { tokenize } from '../src/core/lexical/tokenize.ts';
import { createSearch } from '../src/search/search.ts';
import { openPostgresStore } from '../src/store/postgres/open-postgres-store.ts';
import { openSqliteReader } from '../src/store/sqlite/open-sqlite-store.ts';
import { percentile } from './eval/measures.ts';
import { writeResult } from './write-result.ts';

const [, , library = '', given = '10000', url] = process.argv;
const QUERIES = Number(given);
const settings = { startDelayMs: 1000, maxAttempts: 8 };
const owner = { pid: process.pid, command: 'bench', since: new Date().toISOString() };
const store =
  url === undefined
    ? openSqliteReader({ ...settings, directory: library, owner })
    : await openPostgresStore({ ...settings, url, poolSize: 2, onError: () => undefined });

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

let state = 42;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const some = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + Math.floor(random() * most) }, make);

const FORMS: ReadonlyArray<() => string> = [
  () => some(12, () => pick([...OPERATORS, ...SIGNS, ...COMMON])).join(pick([' ', ''])),
  () => some(40, () => pick(COMMON)).join(' '),
  () => String.fromCharCode(...some(200, () => Math.floor(random() * 0x1_0000))),
  () => some(60, () => Math.floor(random() * 1e6).toString(36)).join(pick([' ', '-', '.', '::', '_'])),
  () =>
    pick([...OPERATORS, ...SIGNS, ...COMMON])
      .repeat(1 + Math.floor(random() * 20_000))
      .slice(0, 100_000),
  () => `"${some(8, () => pick(COMMON)).join(' ')}" ${pick(OPERATORS)} ${pick(COMMON)}*`,
];

const search = createSearch(store);
const sources = (await store.sources.list()).map(({ name }) => name);
/** Ten times what the slowest fair question takes. */
const SLOW_MS = 1000;
const times: number[] = [];
const errors: string[] = [];
let slowest = { ms: 0, query: '' };
for (let i = 0; i < QUERIES; i += 1) {
  const query = (FORMS[i % FORMS.length] ?? (() => ''))();
  const scope = random() < 0.5 ? { source: pick(sources) } : {};
  const before = process.cpuUsage();
  try {
    const answer = await search({ ...scope, query, limit: 8, budget: 2000, offset: 0, explain: false });
    if (answer.tokens > 2000) errors.push(`an answer has ${answer.tokens} tokens`);
  } catch (error) {
    errors.push(String(error));
  }
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  times.push(ms);
  if (ms > slowest.ms) slowest = { ms, query };
}
const rounded = (share: number): number => Math.round(percentile(times, share) * 10) / 10;
writeResult(`fuzz-queries-${store.engine}`, {
  queries: QUERIES,
  sources: sources.length,
  errors: errors.length,
  slow: times.filter((ms) => ms > SLOW_MS).length,
  unit: 'ms of processor time for a question',
  p50: rounded(0.5),
  p95: rounded(0.95),
  max: rounded(1),
  slowest: { start: slowest.query.slice(0, 80), chars: slowest.query.length, words: tokenize(slowest.query).length },
});
await store.close();
for (const error of new Set(errors)) console.error(error);
if (errors.length > 0 || times.some((ms) => ms > SLOW_MS)) process.exitCode = 1;
