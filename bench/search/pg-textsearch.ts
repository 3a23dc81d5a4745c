// node bench/search/pg-textsearch.ts LIBRARY QUESTIONS.jsonl SITE,SITE…: some sources of a SQLite library in PGlite, which is PostgreSQL
// inside this process. The same queries run against pg_textsearch's BM25 index over the same tokens, against our own
// segments in the same PGlite, and as a plain FTS5 query in SQLite. Measures the CPU time of each, and of building each index.

import { join } from 'node:path';
import { indexReaderOf } from '../../test/support/index-reader.ts';
import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import { pg_textsearch } from '@electric-sql/pglite-pg_textsearch';
import { tokenize } from '../../src/core/lexical/tokenize/tokenize.ts';
import { retrievePages } from '../../src/core/rank/lexical-retrieval.ts';
import { answerPassages, sourceNamesById } from '../../src/core/answer/answer-passages.ts';
import { migratePostgres } from '../../src/store/postgres/migrate-postgres.ts';
import { openStoreOver } from '../../src/store/postgres/open-postgres-store.ts';
import { createPostgresEngine } from '../../src/store/postgres/postgres-engine.ts';
import { pgliteDriver } from '../../test/support/stores.ts';
import { percentile } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';
import { copyLibrary, LEXICAL_TABLES } from '../support/copy-library.ts';
import { writeResult } from '../support/write-result.ts';

const [, , library, questionsFile, siteList] = process.argv;
if (library === undefined || questionsFile === undefined || siteList === undefined)
  throw new Error('usage: node bench/search/pg-textsearch.ts LIBRARY QUESTIONS.jsonl SITE,SITE…');
const sites = siteList.split(',');
const BATCH_SIZE = 500;

async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

interface ChunkTexts {
  readonly pk: number;
  readonly tokens: string;
}

function readChunks(): ChunkTexts[] {
  const from = new DatabaseSync(join(library ?? '', 'pinakes.db'), { readOnly: true });
  const rows = from
    .prepare(
      `select c.pk, p.title || ' ' || c.headings || ' ' || c.text as text from chunks c
       join pages p on p.version_id = c.version_id and p.url_key = c.url_key
       join versions v on v.id = c.version_id join sources s on s.id = v.source_id
       where s.name in (${sites.map(() => '?').join(', ')})`,
    )
    .all(...sites) as unknown as Array<{ pk: number; text: string }>;
  from.close();
  return rows.map(({ pk, text }) => ({ pk, tokens: tokenize(text).join(' ') }));
}

const chunks = readChunks();
const questions = readQuestions(questionsFile).filter(({ site }) => sites.includes(site));
const wordsOf = ({ query }: Question): string[] => [...new Set(tokenize(query))];

const fts = new DatabaseSync(':memory:');
fts.exec(`create virtual table words using fts5 (body, content = '', tokenize = 'unicode61')`);
const ftsBuildMs = await cpuMs(() => {
  fts.exec('begin');
  const insert = fts.prepare('insert into words (rowid, body) values (?, ?)');
  for (const { pk, tokens } of chunks) insert.run(pk, tokens);
  fts.exec('commit');
});
const plain = fts.prepare('select rowid from words where words match ? order by bm25(words) limit 50');

const database = await PGlite.create({ extensions: { pg_textsearch } });
await database.exec('create extension pg_textsearch; create table words (id bigint primary key, body text not null)');
const rowsMs = await cpuMs(async () => {
  for (let at = 0; at < chunks.length; at += BATCH_SIZE) {
    const batch = chunks.slice(at, at + BATCH_SIZE);
    await database.query('insert into words select * from unnest($1::bigint[], $2::text[])', [
      batch.map(({ pk }) => pk),
      batch.map(({ tokens }) => tokens),
    ]);
  }
});
const bm25BuildMs = await cpuMs(() =>
  database.exec(`create index words_bm25 on words using bm25 (body) with (text_config = 'simple')`),
);

const driver = { ...pgliteDriver(database), close: async () => undefined };
await migratePostgres(driver);
await copyLibrary(library, createPostgresEngine(driver), { sites, tables: LEXICAL_TABLES });
await database.exec('analyze');
const store = await openStoreOver(driver, { startDelayMs: 0, maxAttempts: 8 });
const sources = await store.sources.list();
const names = sourceNamesById(sources);
const versions = sources.flatMap((source) => source.versions.map(({ id }) => id));

/** Every query runs twice; the second time counts. */
async function measure(runQuery: (question: Question) => unknown): Promise<{ p50: number; p95: number; max: number }> {
  for (const question of questions) await runQuery(question);
  const times: number[] = [];
  for (const question of questions) times.push(await cpuMs(() => runQuery(question)));
  const rounded = (share: number): number => Math.round(percentile(times, share) * 10) / 10;
  return { p50: rounded(0.5), p95: rounded(0.95), max: rounded(1) };
}

const plainFts5 = await measure((question) => {
  plain.all(
    wordsOf(question)
      .map((word) => `"${word}"`)
      .join(' OR '),
  );
});
const bm25 = await measure((question) =>
  database.query(`select id from words order by body <@> to_bm25query($1, 'words_bm25') limit 50`, [
    wordsOf(question).join(' '),
  ]),
);
const candidates = await measure(({ query }) => retrievePages(indexReaderOf(store), query, { versions, names }));
const answers = await measure(async ({ query }) => {
  const results = await retrievePages(indexReaderOf(store), query, { versions, names });
  await answerPassages(store.chunks, results, { sources, budget: 2000, limit: 8, offset: 0 });
});
const ratio = ({ p95 }: { p95: number }): number => Math.round((p95 / plainFts5.p95) * 1000) / 1000;
writeResult('pg-textsearch', {
  chunks: chunks.length,
  questions: questions.length,
  unit: 'ms of CPU time for a question, in one process',
  plainFts5,
  pgTextsearchIds: { ...bm25, p95OfPlain: ratio(bm25) },
  segmentsRankedPages: { ...candidates, p95OfPlain: ratio(candidates) },
  segmentsWholeAnswer: { ...answers, p95OfPlain: ratio(answers) },
  buildCpuSeconds: {
    fts5: Math.round(ftsBuildMs / 100) / 10,
    pgTextsearchRows: Math.round(rowsMs / 100) / 10,
    pgTextsearchIndex: Math.round(bm25BuildMs / 100) / 10,
  },
});
await store.close();
await database.close();
