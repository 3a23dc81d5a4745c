// npm run eval -- FILE --library DIR [--scope site|all] [--engine sqlite|postgres|core] [--mode lexical|hybrid]
//   [--vectors FILE] [--sites a,b] [--baseline FILE] [--write NAME] [--misses] [--losses]
// Asks every question of a file of the form of test/quality/dev.jsonl of a library whose sources are named like the sites,
// and measures the ranking of pages, the passages within a number of tokens, and the processor time of each question.
// With --baseline it fails where a mean falls below that file's by more than its tolerance.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { openSqliteReader } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/port.ts';
import { askQuestion, BUDGETS, round, summary, type Measured } from './eval/evaluate-question.ts';
import { confidence, percentile } from './eval/measures.ts';
import { createPageFinder, lossKinds } from './eval/losses.ts';
import { rankLossTable } from './eval/rank-losses.ts';
import { openDenseLook } from './eval/dense-retrieval.ts';
import { memoryRows } from './eval/memory-index.ts';
import { readQuestions, type Question } from './read-questions.ts';
import { writeResult } from '../support/write-result.ts';

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    library: { type: 'string' },
    database: { type: 'string' },
    scope: { type: 'string', default: 'site' },
    engine: { type: 'string', default: 'sqlite' },
    mode: { type: 'string', default: 'lexical' },
    sites: { type: 'string' },
    half: { type: 'string' },
    baseline: { type: 'string' },
    write: { type: 'string' },
    vectors: { type: 'string' },
    misses: { type: 'boolean', default: false },
    losses: { type: 'boolean', default: false },
  },
});
const [file] = positionals;
if (file === undefined) throw new Error('usage: npm run eval -- FILE --library DIR [--scope site|all] …');

async function openLibrary(): Promise<Store> {
  const settings = { startDelayMs: 1000, maxAttempts: 8 };
  if (given.engine === 'postgres') {
    return openPostgresStore({ ...settings, url: given.database ?? '', poolSize: 2, onError: () => undefined });
  }
  const owner = { pid: process.pid, command: 'eval', since: new Date().toISOString() };
  return openSqliteReader({ ...settings, directory: given.library ?? '', owner });
}

const store = await openLibrary();
const rows = given.engine === 'core' ? { ...store.searchRows, ...(await memoryRows(store)) } : store.searchRows;
const sources = await store.sources.list();
const findPage = given.losses ? await createPageFinder(store) : null;

function grouped(by: (question: Question) => string): Record<string, Record<string, number>> {
  const groups = Map.groupBy(measured, (one) => by(one.question));
  return Object.fromEntries(
    [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, some]) => [name, summary(some)]),
  );
}

/** How many answers lost their passage, by the first thing that went wrong, for each budget. */
function lossTable(): Record<string, Record<string, number>> {
  const rowsOf = lossKinds.map((kind) => {
    const counts = BUDGETS.map((budget, at) => {
      const lost = measured.filter(({ losses }) => losses[at]?.kind === kind);
      return [String(budget), lost.length] as const;
    });
    return [kind, Object.fromEntries(counts)] as const;
  });
  return Object.fromEntries(rowsOf);
}

const Baseline = z.object({ tolerance: z.number(), means: z.record(z.string(), z.number()) });

function compare(baselineFile: string, means: Record<string, number>): void {
  const baseline = Baseline.parse(JSON.parse(readFileSync(baselineFile, 'utf8')));
  for (const [name, before] of Object.entries(baseline.means)) {
    const now = means[name] ?? 0;
    const fell = now < before - baseline.tolerance;
    process.stdout.write(`${fell ? 'FELL' : 'ok  '} ${name} ${before} → ${now}\n`);
    if (fell) process.exitCode = 1;
  }
}

const wanted = given.sites?.split(',') ?? sources.map(({ name }) => name);
const half = given.half === undefined ? null : Number(given.half);
const questions = readQuestions(file)
  .filter((question) => wanted.includes(question.site))
  .filter((question) => half === null || Number(question.id.replaceAll(/\D/g, '')) % 2 === half);
const denseLook =
  given.mode === 'hybrid'
    ? await openDenseLook(
        store,
        given.vectors ?? '',
        questions.map(({ query }) => query),
      )
    : null;
const measured: Measured[] = [];
const asking = { rows, sources, scope: given.scope === 'all' ? 'all' : 'site', denseLook, findPage } as const;
for (const question of questions.slice(0, 5)) await askQuestion(question, asking);
for (const question of questions) measured.push(await askQuestion(question, asking));

const latencies = measured.map(({ cpuMs }) => cpuMs);
const all = summary(measured);
const result = {
  file,
  engine: given.engine,
  scope: given.scope,
  mode: given.mode,
  sites: wanted.length,
  all,
  confidence: confidence(measured.map(({ ndcg }) => ndcg)).map(round),
  cpuMs: {
    p50: round(percentile(latencies, 0.5)),
    p95: round(percentile(latencies, 0.95)),
    max: round(Math.max(...latencies)),
  },
  tokens: {
    p50: percentile(
      measured.map(({ tokens }) => tokens),
      0.5,
    ),
    max: Math.max(...measured.map(({ tokens }) => tokens)),
  },
  byKind: grouped(({ kind }) => kind),
  bySite: grouped(({ site }) => site),
  ...(given.losses ? { losses: lossTable(), ranking: rankLossTable(measured.map(({ rankLoss }) => rankLoss)) } : {}),
};
process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
if (given.misses) {
  for (const one of measured.filter(({ ndcg, evidence }) => ndcg < 0.5 || evidence[1] === false)) {
    process.stdout.write(
      `${one.ndcg.toFixed(2)} ${one.evidence.map(String).join()} ${one.question.site} ${one.question.kind} ${one.question.query} | ${one.question.gold
        .filter(({ rel }) => rel === 2)
        .map((gold) => gold.url_path)
        .join(
          ' ',
        )} | ${one.top.join(' ')} | ${one.losses.map((loss) => (loss === null ? '' : `${loss.kind} ${loss.rank ?? ''}`)).join('; ')}\n`,
    );
  }
}
if (given.write !== undefined) writeResult(given.write, result);
if (given.baseline !== undefined) compare(given.baseline, all);
await store.close();
