// npm run eval -- FILE --library DIR [--scope site|all] [--engine sqlite|postgres|core] [--mode lexical|hybrid]
//   [--vectors FILE] [--sites a,b] [--baseline FILE] [--write NAME] [--misses] [--losses]
// Asks every question of a file of the form of test/quality/dev.jsonl of a library whose sources are named like the sites,
// and measures the ranking of pages, the passages within a number of tokens, and the processor time of each question.
// With --baseline it fails where a mean falls below that file's by more than its tolerance.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { renderAnswer } from '../src/core/rank/render-answer.ts';
import { openPostgresStore } from '../src/store/postgres/open-postgres-store.ts';
import { openSqliteReader } from '../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../src/store/port.ts';
import { findPages } from '../src/search/find-pages.ts';
import { fuseFindings } from '../src/search/fuse-findings.ts';
import { answerFrom, namesOf } from '../src/search/search.ts';
import { confidence, hasEvidence, mean, percentile, rankingMeasures, type RankingMeasures } from './eval/measures.ts';
import { createPageFinder, lossKinds, lossOf, type Loss } from './eval/losses.ts';
import { openDenseLook } from './eval/dense-look.ts';
import { memoryRows } from './eval/memory-rows.ts';
import { readQuestions, type Question } from './read-questions.ts';
import { writeResult } from './write-result.ts';

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
const BUDGETS = [1000, 2000, 4000] as const;
const SHOWN_PAGES = 15;

async function openLibrary(): Promise<Store> {
  const settings = { startDelayMs: 1000, maxAttempts: 8 };
  if (given.engine === 'postgres') {
    return openPostgresStore({ ...settings, url: given.database ?? '', poolSize: 2, onError: () => undefined });
  }
  const owner = { pid: process.pid, command: 'eval', since: new Date().toISOString() };
  return openSqliteReader({ ...settings, directory: given.library ?? '', owner });
}

interface Measured extends RankingMeasures {
  readonly question: Question;
  readonly cpuMs: number;
  readonly tokens: number;
  /** For each budget, whether the evidence is in the answer; null where the question has none. */
  readonly evidence: ReadonlyArray<boolean | null>;
  readonly top: readonly string[];
  /** For each budget, why the evidence is not in the answer; null where it is, or where nobody asked why. */
  readonly losses: ReadonlyArray<Loss | null>;
}

const store = await openLibrary();
const rows = given.engine === 'core' ? { ...store.searchRows, ...(await memoryRows(store)) } : store.searchRows;
const sources = await store.sources.list();
const findPage = given.losses ? await createPageFinder(store) : null;

async function ask(question: Question): Promise<Measured> {
  const asked = sources.filter(({ name }) => given.scope === 'all' || name === question.site);
  const versions = asked.flatMap((source) => source.versions.map(({ id }) => id));
  const before = process.cpuUsage();
  const names = namesOf(sources);
  const found = await findPages(rows, question.query, { versions, names });
  const dense = (await denseLook?.(question.query, found, { versions, filter: {} })) ?? null;
  const findings = dense === null ? found : fuseFindings(found, dense, names);
  const answers = [await answerFrom(rows, findings, { sources, budget: 2000, limit: 50, offset: 0 })];
  const { user, system } = process.cpuUsage(before);
  for (const budget of BUDGETS)
    answers.push(await answerFrom(rows, findings, { sources, budget, limit: 50, offset: 0 }));
  const ranked = findings.pages.slice(0, SHOWN_PAGES).map(({ candidate }) => ({
    site: sources.find(({ id }) => id === candidate.best.source)?.name ?? '',
    url: candidate.url,
  }));
  const passagesOf = (at: number) =>
    (answers[at]?.pages ?? []).flatMap(({ source, url, passages }) =>
      passages.map(({ text, headings }) => ({ site: source, url, text: `${headings.join(' ')} ${text}` })),
    );
  const evidence = BUDGETS.map((_, at) => hasEvidence(question, passagesOf(at + 1)));
  const losses = evidence.map((found, at) =>
    found === false && findPage !== null ? lossOf(question, findings, answers[at + 1]?.pages ?? [], findPage) : null,
  );
  return {
    ...rankingMeasures(question, ranked),
    question,
    cpuMs: (user + system) / 1000,
    tokens: Math.ceil(renderAnswer(answers[0]?.pages ?? []).length / 4),
    evidence,
    losses: await Promise.all(losses),
    top: ranked.slice(0, 3).map(({ site, url }) => `${site} ${url}`),
  };
}

function summary(some: readonly Measured[]): Record<string, number> {
  const evidence = BUDGETS.map((budget, at) => {
    const known = some.flatMap((one) => (one.evidence[at] === null ? [] : [Number(one.evidence[at])]));
    return [`evidence@${budget}`, round(mean(known))] as const;
  });
  const means = (['ndcg', 'recall', 'mrr', 'hit1'] as const).map((name) => [
    name,
    round(mean(some.map((one) => one[name]))),
  ]);
  return { n: some.length, ...Object.fromEntries([...means, ...evidence]) };
}

function round(number: number): number {
  return Math.round(number * 10_000) / 10_000;
}

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
for (const question of questions.slice(0, 5)) await ask(question);
for (const question of questions) measured.push(await ask(question));

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
  ...(given.losses ? { losses: lossTable() } : {}),
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
