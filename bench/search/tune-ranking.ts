// node bench/search/tune-ranking.ts FILE --library DIR [--write]
// Learns the weights of core/rank on one half of the questions (even or odd numbers) and reads them on the other, both ways,
// for one source and for all sources together. Beside it stand the shipped weights on the same halves. A step is taken only
// where it gains more than chance would give. The report says what to ship; nothing is changed.

import { parseArgs } from 'node:util';
import { rankWeights } from '../../src/core/rank/rank-weights.table.ts';
import { weighed, type RankWeights } from '../../src/core/rank/rank-pages.ts';
import { signalNames, type Signals } from '../../src/core/rank/signals.ts';
import { findPages } from '../../src/search/lexical-retrieval.ts';
import { namesOf } from '../../src/search/search.ts';
import { openSqliteReader } from '../../src/store/sqlite/open-sqlite-store.ts';
import { round } from './eval/evaluate-question.ts';
import { mean, rankingMeasures, type RankedUrl } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';
import { writeResult } from '../support/write-result.ts';

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { library: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const [file] = positionals;
if (file === undefined || given.library === undefined) {
  throw new Error('usage: node bench/search/tune-ranking.ts FILE --library DIR [--write]');
}
const owner = { pid: process.pid, command: 'tune', since: new Date().toISOString() };
const store = openSqliteReader({ startDelayMs: 1000, maxAttempts: 8, directory: given.library, owner });
const sources = await store.sources.list();

interface Looked {
  readonly question: Question;
  readonly half: number;
  readonly candidates: ReadonlyArray<RankedUrl & { readonly signals: Signals }>;
}

const scopes = ['site', 'all'] as const;
type Scope = (typeof scopes)[number];

async function look(question: Question, scope: Scope): Promise<Looked> {
  const asked = sources.filter(({ name }) => scope === 'all' || name === question.site);
  const versions = asked.flatMap((source) => source.versions.map(({ id }) => id));
  const { pages } = await findPages(store.searchRows, question.query, { versions, names: namesOf(sources) });
  const candidates = pages.map(({ candidate, signals }) => ({ site: candidate.source, url: candidate.url, signals }));
  return { question, half: Number(question.id.replaceAll(/\D/g, '')) % 2, candidates };
}

const looked: Record<Scope, Looked[]> = { site: [], all: [] };
const questions = readQuestions(file).filter(({ site }) => sources.some(({ name }) => name === site));
for (const scope of scopes) {
  for (const question of questions) looked[scope].push(await look(question, scope));
}
await store.close();

/** Mean nDCG@10 of one half, or of both where `half` is null. */
function quality(weights: RankWeights, scope: Scope, half: number | null): number {
  const some = looked[scope].filter((one) => half === null || one.half === half);
  return mean(
    some.map(({ question, candidates }) => {
      const scored = candidates.map(({ site, url, signals }) => ({ site, url, score: weighed(signals, weights) }));
      scored.sort((left, right) => right.score - left.score);
      return rankingMeasures(question, scored.slice(0, FIRST)).ndcg;
    }),
  );
}

/** More than ten: copies and neutral pages do not count. */
const FIRST = 15;
const STEPS = [-0.5, -0.25, 0.25, 0.5];
const LEAST_STEP = 0.2;
const LEAST_GAIN = 0.0006;
const ROUNDS = 4;

/** One weight after the other, by steps, as long as both scopes together gain. */
function learn(half: number | null): RankWeights {
  const worthOf = (weights: RankWeights): number => mean(scopes.map((scope) => quality(weights, scope, half)));
  let best: RankWeights = rankWeights;
  let worth = worthOf(best);
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const before = worth;
    for (const name of signalNames) {
      for (const step of STEPS) {
        const tried = { ...best, [name]: best[name] + step * Math.max(LEAST_STEP, Math.abs(best[name])) };
        const now = worthOf(tried);
        if (now <= worth + LEAST_GAIN) continue;
        best = tried;
        worth = now;
      }
    }
    if (worth === before) break;
  }
  return best;
}

function report(weights: RankWeights): Record<string, number> {
  const figures = scopes.flatMap((scope) =>
    [0, 1, null].map((half) => [`${scope} ${half ?? 'both'}`, round(quality(weights, scope, half))] as const),
  );
  return Object.fromEntries(figures);
}

const learnt = [learn(0), learn(1)] as const;
const result = {
  questions: looked.site.length,
  shipped: report(rankWeights),
  learntOnEven: report(learnt[0]),
  learntOnOdd: report(learnt[1]),
  heldOut: Object.fromEntries(
    scopes.map((scope) => [scope, round(mean([quality(learnt[0], scope, 1), quality(learnt[1], scope, 0)]))]),
  ),
  weights: learnt,
};
process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
if (given.write) writeResult('tune-ranking', result);
