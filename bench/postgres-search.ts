// PINAKES_TEST_POSTGRES_URL=… node bench/postgres-search.ts LIBRARY QUESTIONS.jsonl VECTORS: a SQLite library with vectors is
// copied into a database of its own on PostgreSQL, which must run on this machine. Measured there: the recall of the ten
// nearest chunks against comparing every row, for parts of the library of every size, and the processor time of a question,
// ours and the server's together, by words and by words and vectors, beside a plain FTS5 query in SQLite over the same chunks.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { similarity } from '../src/core/vector/similarity.ts';
import { tokenize } from '../src/core/lexical/tokenize.ts';
import type { VersionId } from '../src/core/model/run.ts';
import { findPages } from '../src/search/find-pages.ts';
import { fuseFindings } from '../src/search/fuse-findings.ts';
import { answerFrom, namesOf } from '../src/search/search.ts';
import { migratePostgres } from '../src/store/postgres/migrate-postgres.ts';
import { openPostgresStore } from '../src/store/postgres/open-postgres-store.ts';
import { createPgDriver } from '../src/store/postgres/pg-driver.ts';
import { createPostgresEngine } from '../src/store/postgres/postgres-engine.ts';
import { createDatabase } from '../test/support/stores.ts';
import { openDenseLook } from './eval/dense-look.ts';
import { percentile } from './eval/measures.ts';
import { readQuestions } from './read-questions.ts';
import { serverCpuMs } from './support/backend-cpu.ts';
import { copyLibrary } from './support/copy-library.ts';
import { keptVectorOf } from './support/kept-vectors.ts';
import { writeResult } from './write-result.ts';

const [, , library, questionsFile, vectorsFile] = process.argv;
if (library === undefined || questionsFile === undefined || vectorsFile === undefined)
  throw new Error('usage: node bench/postgres-search.ts LIBRARY QUESTIONS.jsonl VECTORS');

const NEAREST = 10;
const ASKED = 100;
const SHARES = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005];

const database = await createDatabase();
const settings = { url: database.url, poolSize: 2, onError: () => undefined };
const driver = createPgDriver(settings);
await migratePostgres(driver);
const engine = createPostgresEngine(driver);
await copyLibrary(library, engine, { sites: null, vectors: true });
await driver.close();
const store = await openPostgresStore({ ...settings, startDelayMs: 0, maxAttempts: 8 });
const admin = new pg.Client({ connectionString: database.url });
await admin.connect();
await admin.query('analyze');
const { rows: places } = await admin.query<{ directory: string }>(
  `select current_setting('data_directory') as directory`,
);
const postmaster = Number(readFileSync(join(places[0]?.directory ?? '', 'postmaster.pid'), 'utf8').split('\n')[0]);

const sources = await store.sources.list();
const names = namesOf(sources);
const sites = new Set(sources.map(({ name }) => name));
const questions = readQuestions(questionsFile)
  .filter(({ site }) => sites.has(site))
  .slice(0, ASKED);
const denseLook = await openDenseLook(
  store,
  vectorsFile,
  questions.map(({ query }) => query),
);
const [space] = await store.vectors.spaces();
if (space === undefined) throw new Error('the library has no vectors');
const indexing = performance.now();
await store.vectors.openSpace(space.fingerprint, space.dimensions, {});
const indexSeconds = Math.round((performance.now() - indexing) / 1000);

const from = new DatabaseSync(join(library, 'pinakes.db'), { readOnly: true });
const rows = from
  .prepare(
    `select c.pk, c.version_id as version, v.vector from chunks c join vectors v on v.content_hash = c.content_hash and v.space_id = ? order by c.pk`,
  )
  .all(space.id) as unknown as Array<{ pk: number; version: VersionId; vector: Uint8Array }>;
const vectors = rows.map(({ vector }) => new Float32Array(Uint8Array.from(vector).buffer));
const vectorOf = keptVectorOf(vectorsFile, space.dimensions);

/** Whole sources that hold about that share of the chunks together. */
function versionsOf(share: number): VersionId[] {
  const sizes = new Map<VersionId, number>();
  for (const { version } of rows) sizes.set(version, (sizes.get(version) ?? 0) + 1);
  let left = share * rows.length * 1.02;
  const chosen = [...sizes]
    .sort((a, b) => b[1] - a[1])
    .filter(([, size]) => size <= left && (left -= size) >= 0)
    .map(([version]) => version);
  return chosen.length > 0 ? chosen : [[...sizes].sort((a, b) => a[1] - b[1])[0]?.[0] ?? rows[0]!.version];
}

async function recallOf(share: number): Promise<{ readonly chunks: number; readonly recall: number }> {
  const versions = versionsOf(share);
  const admitted = new Set(versions);
  const recalls: number[] = [];
  for (const { query } of questions) {
    const vector = vectorOf(query);
    const scored: number[] = [];
    vectors.forEach((other, row) => admitted.has(rows[row]!.version) && scored.push(similarity(vector, other)));
    // Texts that are equally near may stand for each other, so nearness is compared and not names.
    const least = scored.sort((a, b) => b - a)[NEAREST - 1] ?? -1;
    const near = await store.vectors.nearest({ space: space!.id, vector, versions, filter: {}, limit: NEAREST * 10 });
    recalls.push(Math.min(1, near.filter((one) => one.similarity >= least - 1e-5).length / NEAREST));
  }
  const chunks = rows.filter(({ version }) => admitted.has(version)).length;
  return { chunks, recall: Number((recalls.reduce((sum, one) => sum + one, 0) / recalls.length).toFixed(4)) };
}

function plainSearch(): (query: string) => void {
  const plain = new DatabaseSync(':memory:');
  plain.exec(`create virtual table f using fts5 (title, headings, body, content = '', tokenize = 'unicode61'); begin`);
  const insert = plain.prepare(`insert into f (rowid, title, headings, body) values (?, ?, ?, ?)`);
  const chunks = from.prepare(`select c.pk, p.title, c.headings, c.text from chunks c
    join pages p on p.version_id = c.version_id and p.url_key = c.url_key`);
  for (const row of chunks.iterate()) {
    const texts = [row['title'], row['headings'], row['text']].map((text) => tokenize(String(text)).join(' '));
    insert.run(row['pk'] as number, ...texts);
  }
  plain.exec('commit');
  const find = plain.prepare(`select rowid from f where f match ? order by bm25(f) limit 50`);
  return (query) => {
    find.all([...new Set(tokenize(query))].map((token) => `"${token}"`).join(' OR '));
  };
}

type Asked = (query: string, site: string) => void | Promise<void>;

/** The server counts in hundredths of a second, so it is measured over all questions; ours for each. */
async function measure(asked: Asked): Promise<Record<string, number>> {
  for (const { query, site } of questions) await asked(query, site);
  const own: number[] = [];
  const wall: number[] = [];
  const before = serverCpuMs(postmaster);
  for (const { query, site } of questions) {
    const started = performance.now();
    const used = process.cpuUsage();
    await asked(query, site);
    const { user, system } = process.cpuUsage(used);
    own.push((user + system) / 1000);
    wall.push(performance.now() - started);
  }
  const rounded = (number: number): number => Math.round(number * 10) / 10;
  return {
    processP50: rounded(percentile(own, 0.5)),
    processP95: rounded(percentile(own, 0.95)),
    serverMean: rounded((serverCpuMs(postmaster) - before) / questions.length),
    wallP50: rounded(percentile(wall, 0.5)),
    wallP95: rounded(percentile(wall, 0.95)),
  };
}

async function ask(query: string, site: string | null, withVectors: boolean): Promise<void> {
  const asked = sources.filter(({ name }) => site === null || name === site);
  const versions = asked.flatMap((source) => source.versions.map(({ id }) => id));
  const found = await findPages(store.searchRows, query, { versions, names });
  const dense = withVectors ? await denseLook(query, found, { versions, filter: {} }) : null;
  if (withVectors && dense === null) throw new Error('too few texts of the library have vectors');
  const findings = dense === null ? found : fuseFindings(found, dense, names);
  await answerFrom(store.searchRows, findings, { sources, budget: 2000, limit: 8, offset: 0 });
}

const recallByShare: Record<string, { chunks: number; recall: number }> = {};
for (const share of SHARES) recallByShare[String(share)] = await recallOf(share);
const askPlain = plainSearch();
const plain = await measure((query) => askPlain(query));
const lexical = await measure((query) => ask(query, null, false));
const lexicalOfOne = await measure((query, site) => ask(query, site, false));
const hybrid = await measure((query) => ask(query, null, true));
const ratio = ({ wallP95 = 0 }: Record<string, number>): number =>
  Math.round((wallP95 / (plain['wallP95'] ?? 1)) * 1000) / 1000;
writeResult('postgres-search', {
  chunks: rows.length,
  questions: questions.length,
  indexSeconds,
  recallOfTen: recallByShare,
  unit: 'ms for a question: processor time of this process, mean processor time of the server, and time on the clock',
  plainFts5: plain,
  lexical: { ...lexical, wallP95OfPlain: ratio(lexical) },
  lexicalOneSource: { ...lexicalOfOne, wallP95OfPlain: ratio(lexicalOfOne) },
  hybrid: { ...hybrid, wallP95OfPlain: ratio(hybrid) },
});
from.close();
await admin.end();
await store.close();
await database.drop();
