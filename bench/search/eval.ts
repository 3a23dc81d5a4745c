// npm run eval -- FILE --library DIR [--scope site|all] [--engine sqlite|postgres|core] [--mode lexical|hybrid]
//   [--frequencies exact|sampled] [--vectors FILE] [--sites a,b] [--baseline FILE] [--write NAME] [--misses] [--losses] [--fill] [--no-words]
// Runs the questions of FILE (in the form of test/data/quality/dev.jsonl) against a library whose sources are named like the sites,
// and measures the ranking of pages, the evidence within a token budget, and the CPU time of each query.
// With --frequencies sampled the weights of terms come from samples, as with an external index. With --baseline it fails if a mean falls below that file's by more than its tolerance.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { indexReaderOf } from '../../test/support/index-reader.ts';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { openLibraryReader } from '../support/read-library.ts';
import type { Store } from '../../src/store/port.ts';
import { evaluateQuestion, BUDGETS, round, summary, type QuestionResult } from './eval/evaluate-question.ts';
import { confidence, percentile } from './eval/measures.ts';
import { createPageFinder, lossKinds } from './eval/losses.ts';
import { rankLossTable } from './eval/rank-losses.ts';
import { openDenseRetriever } from './eval/dense-retrieval.ts';
import { withSampledFrequencies } from './eval/sampled-frequencies.ts';
import { loadMemoryIndex } from './eval/memory-index.ts';
import { halfOf, readQuestions, type Question } from './read-questions.ts';
import { getWordTable } from '../../src/compose/word-table.ts';
import { writeResult } from '../support/write-result.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
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
    frequencies: { type: 'string', default: 'exact' },
    vectors: { type: 'string' },
    misses: { type: 'boolean', default: false },
    losses: { type: 'boolean', default: false },
    fill: { type: 'boolean', default: false },
    words: { type: 'boolean', default: true },
  },
});
const [file] = positionals;
if (file === undefined) throw new Error('usage: npm run eval -- FILE --library DIR [--scope site|all] …');

async function openEvalStore(): Promise<Store> {
  if (options.engine !== 'postgres') return openLibraryReader(options.library ?? '');
  const settings = { startDelayMs: 1000, maxAttempts: 8, poolSize: 2 };
  return openPostgresStore({ ...settings, url: options.database ?? '', onError: () => undefined });
}

const store = await openEvalStore();
const exact = options.engine === 'core' ? await loadMemoryIndex(store) : indexReaderOf(store);
const index = options.frequencies === 'sampled' ? await withSampledFrequencies(exact, store.points) : exact;
const sources = await store.sources.list();
const findPage = options.losses ? await createPageFinder(store) : null;

function grouped(by: (question: Question) => string): Record<string, Record<string, number>> {
  const groups = Map.groupBy(measured, (one) => by(one.question));
  return Object.fromEntries(
    [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, some]) => [name, summary(some)]),
  );
}

/** How many answers miss their evidence, by the first thing that went wrong, per budget. */
function lossTable(): Record<string, Record<string, number>> {
  const rows = lossKinds.map((kind) => {
    const counts = BUDGETS.map((budget, at) => {
      const lost = measured.filter(({ losses }) => losses[at]?.kind === kind);
      return [String(budget), lost.length] as const;
    });
    return [kind, Object.fromEntries(counts)] as const;
  });
  return Object.fromEntries(rows);
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

const chosenSites = options.sites?.split(',') ?? sources.map(({ name }) => name);
const half = options.half === undefined ? null : Number(options.half);
const questions = readQuestions(file)
  .filter((question) => chosenSites.includes(question.site))
  .filter((question) => half === null || halfOf(question.id) === half);
const denseRetriever =
  options.mode === 'hybrid'
    ? await openDenseRetriever(
        store,
        options.vectors ?? '',
        questions.map(({ query }) => query),
      )
    : null;
const measured: QuestionResult[] = [];
const context = {
  index,
  sources,
  scope: options.scope === 'all' ? 'all' : 'site',
  denseRetriever: denseRetriever,
  findPage,
  words: options.words && options.mode !== 'hybrid' ? getWordTable() : null,
  fill: options.fill,
} as const;
for (const question of questions.slice(0, 5)) await evaluateQuestion(question, context);
for (const question of questions) measured.push(await evaluateQuestion(question, context));

const latencies = measured.map(({ cpuMs }) => cpuMs);
const all = summary(measured);
const result = {
  file: basename(file),
  engine: options.engine,
  scope: options.scope,
  mode: options.mode,
  sites: chosenSites.length,
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
  byHalf: grouped(({ id }) => `half ${halfOf(id)}`),
  byKind: grouped(({ kind }) => kind),
  bySite: grouped(({ site }) => site),
  ...(options.losses ? { losses: lossTable(), ranking: rankLossTable(measured.map(({ rankLoss }) => rankLoss)) } : {}),
};
process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
if (options.misses) {
  for (const one of measured.filter(({ ndcg, evidence }) => ndcg < 0.5 || evidence[2] === false)) {
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
if (options.write !== undefined) writeResult(options.write, result);
if (options.baseline !== undefined) compare(options.baseline, all);
await store.close();
