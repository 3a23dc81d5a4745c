// node bench/vector/vectors.ts LIBRARY QUESTIONS.jsonl VECTORS: vector search in a library that bench/vector/embed-library.ts filled. Recall of
// the ten nearest against comparing every row, for the whole library, for subsets of every size, and per source; and
// CPU time of a warm search, compared with a plain FTS5 query (`or` of the words, `order by bm25()`, limit 50)
// over the same chunks.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { quantize, scanBits, wordsPerVector } from '../../src/core/vector/bit-scan.ts';
import { cosineSimilarity } from '../../src/core/vector/cosine-similarity.ts';
import { fingerprintOf } from '../../src/core/vector/space.ts';
import type { VersionId } from '../../src/core/model/run.ts';
import { tokenize } from '../../src/core/lexical/tokenize/tokenize.ts';
import { createOnnxEmbedder } from '../../src/embed/onnx-embedder.ts';
import { openSqliteReader } from '../../src/store/sqlite/open-sqlite-store.ts';
import { minilmFolder } from '../../test/support/minilm-folder.ts';
import { readQuestions } from '../search/read-questions.ts';
import { withVectorCache } from '../support/vector-cache.ts';
import { writeResult } from '../support/write-result.ts';

const [, , directory, questionsFile, vectorsFile] = process.argv;
if (directory === undefined || questionsFile === undefined || vectorsFile === undefined)
  throw new Error('usage: node bench/vector/vectors.ts LIBRARY QUESTIONS.jsonl VECTORS');

const NEAREST = 10;
const CANDIDATES = 100;
const QUESTIONS = 100;
const SCAN = { coarse: 3000, fine: 400 };
const SHARES = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005];

const models = mkdtempSync(join(tmpdir(), 'pinakes-models-'));
const embedder = withVectorCache(createOnnxEmbedder({ ...(await minilmFolder(models)), threads: 1 }), vectorsFile);
const owner = { pid: process.pid, command: 'bench', since: new Date().toISOString() };
const store = await openSqliteReader({ startDelayMs: 0, maxAttempts: 8, directory, owner });
const space = await store.vectors.findSpace(fingerprintOf(embedder.space));
if (space === null) throw new Error('the library has no vectors of this model');

const database = new DatabaseSync(join(directory, 'pinakes.db'), { readOnly: true });
const rows = database
  .prepare(
    `select c.pk, c.version_id as version, v.vector from chunks c join vectors v on v.content_hash = c.content_hash and v.space_id = ? order by c.pk`,
  )
  .all(space.id) as unknown as Array<{ pk: number; version: number; vector: Uint8Array }>;
const vectors = rows.map(({ vector }) => new Float32Array(Uint8Array.from(vector).buffer));
const questions = readQuestions(questionsFile).slice(0, QUESTIONS);
const outcomes = await embedder.embed(
  questions.map(({ query }) => query),
  'query',
);
const queries = outcomes.flatMap((outcome) => (outcome.kind === 'embedded' ? [outcome.vector] : []));

/** The nearest rows among those that pass, by brute force. */
function exact(query: Float32Array, passes: (row: number) => boolean): number[] {
  const scored: Array<readonly [row: number, score: number]> = [];
  vectors.forEach((vector, row) => passes(row) && scored.push([row, cosineSimilarity(query, vector)]));
  return scored
    .sort((a, b) => b[1] - a[1])
    .slice(0, NEAREST)
    .map(([row]) => row);
}

function recallOf(found: ReadonlySet<number>, expected: readonly number[]): number {
  return expected.length === 0 ? 1 : expected.filter((row) => found.has(row)).length / expected.length;
}

const mean = (all: readonly number[]): number =>
  Number((all.reduce((sum, value) => sum + value, 0) / Math.max(1, all.length)).toFixed(4));
const percentile = (all: readonly number[], share: number): number =>
  Number((all.toSorted((a, b) => a - b)[Math.floor(share * (all.length - 1))] ?? 0).toFixed(2));

function recallByShare(): Record<string, number> {
  const { dimensions } = embedder.space;
  const words = new Uint32Array(rows.length * wordsPerVector(dimensions));
  vectors.forEach((vector, row) => quantize(vector, words, row * wordsPerVector(dimensions)));
  return Object.fromEntries(
    SHARES.map((share) => {
      // Multiplied by a large prime, so that a subset holds chunks of every page and source.
      const admitted = Uint8Array.from(rows, ({ pk }) =>
        Number((Math.imul(pk, 2_654_435_761) >>> 0) / 2 ** 32 < share),
      );
      const recalls = queries.map((query) => {
        const found = scanBits({ words, rows: rows.length, dimensions }, query, admitted, SCAN);
        return recallOf(
          new Set(found),
          exact(query, (row) => admitted[row] === 1),
        );
      });
      return [String(share), mean(recalls)];
    }),
  );
}

async function recallBySource(): Promise<Record<string, { share: number; recall: number }>> {
  const sources = await store.sources.list();
  const rowOf = new Map(rows.map(({ pk }, row) => [pk, row]));
  const pkOf = database.prepare(`select pk from chunks where version_id = ? and chunk_id = ?`);
  const measurements: Record<string, { share: number; recall: number }> = {};
  for (const { name, versions } of sources) {
    const ids = new Set<number>(versions.map(({ id }) => id));
    const recalls: number[] = [];
    for (const vector of queries.slice(0, 20)) {
      const nearestChunks = await store.vectors.nearest({
        space: space!.id,
        vector,
        versions: [...ids] as VersionId[],
        filter: {},
        limit: NEAREST,
      });
      const pks = nearestChunks.map(
        ({ chunk }) => (pkOf.get(chunk.page.version, Buffer.from(chunk.id, 'hex')) as { pk: number }).pk,
      );
      const found = new Set(pks.map((pk) => rowOf.get(pk) ?? -1));
      recalls.push(
        recallOf(
          found,
          exact(vector, (row) => ids.has(rows[row]?.version ?? 0)),
        ),
      );
    }
    const share = rows.filter(({ version }) => ids.has(version)).length / rows.length;
    measurements[name] = { share: Number(share.toFixed(4)), recall: mean(recalls) };
  }
  return measurements;
}

async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function plainSearch(): (query: string) => void {
  const plain = new DatabaseSync(':memory:');
  plain.exec(`create virtual table f using fts5 (body, content = '', tokenize = 'unicode61'); begin`);
  const insert = plain.prepare(`insert into f (rowid, body) values (?, ?)`);
  for (const row of database.prepare(`select pk, headings || ' ' || text as body from chunks`).iterate())
    insert.run(row['pk'] as number, tokenize(String(row['body'])).join(' '));
  plain.exec('commit');
  const selectMatches = plain.prepare(`select rowid from f where f match ? order by bm25(f) limit 50`);
  return (query) => {
    const words = tokenize(query).map((token) => `"${token.replaceAll('"', '')}"`);
    selectMatches.all(words.join(' OR '));
  };
}

const versions = (await store.sources.list()).flatMap((source) => source.versions.map(({ id }) => id));
const nearest = (vector: Float32Array) =>
  store.vectors.nearest({ space: space.id, vector, versions, filter: {}, limit: CANDIDATES });
const loadMs = await cpuMs(() => nearest(queries[0] ?? new Float32Array(0)));
const plain = plainSearch();
for (const query of queries.slice(0, 10)) await nearest(query);
const times: number[] = [];
const plainTimes: number[] = [];
for (const [at, query] of queries.entries()) {
  times.push(await cpuMs(() => nearest(query)));
  plainTimes.push(await cpuMs(() => plain(questions[at]?.query ?? '')));
}
const spread = (all: readonly number[]) => ({ p50: percentile(all, 0.5), p95: percentile(all, 0.95) });
writeResult('vectors', {
  chunks: rows.length,
  chunksWithoutVector: (database.prepare('select count(*) as n from chunks').get() as { n: number }).n - rows.length,
  questions: queries.length,
  recallByShare: recallByShare(),
  recallBySource: await recallBySource(),
  loadCpuMs: Math.round(loadMs),
  nearestCpuMs: spread(times),
  plainFts5CpuMs: spread(plainTimes),
  p95Ratio: Number((percentile(times, 0.95) / percentile(plainTimes, 0.95)).toFixed(3)),
});
await embedder.close();
await store.close();
rmSync(models, { recursive: true });
