// node bench/search/tune-ranking.ts FILE --library DIR [--write]
// Learns the weights of core/rank on one half of the questions (even or odd numbers) and evaluates them on the other, both variants,
// for one source and for all sources together, next to the shipped weights on the same halves. A step is taken only
// if it gains more than chance would. The report says what to ship; nothing is changed.

import { parseArgs } from 'node:util';
import { indexReaderOf } from '../../test/support/index-reader.ts';
import { weightedSum } from '../../src/core/rank/rank-pages.ts';
import { rankWeights, signalNames, type Signals } from '../../src/core/rank/rank-weights.table.ts';
import { retrievePages } from '../../src/core/rank/lexical-retrieval.ts';
import { sourceNamesById } from '../../src/core/answer/answer-passages.ts';
import { openLibraryReader } from '../support/read-library.ts';
import { round } from './eval/evaluate-question.ts';
import { mean, rankingMeasures, type RankedUrl } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';
import { writeResult } from '../support/write-result.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { library: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const [file] = positionals;
if (file === undefined || options.library === undefined) {
  throw new Error('usage: node bench/search/tune-ranking.ts FILE --library DIR [--write]');
}
const store = await openLibraryReader(options.library);
const sources = await store.sources.list();

interface RankedQuestion {
  readonly question: Question;
  readonly half: number;
  readonly candidates: ReadonlyArray<RankedUrl & { readonly signals: Signals }>;
}

const scopes = ['site', 'all'] as const;
type Scope = (typeof scopes)[number];

async function rankQuestion(question: Question, scope: Scope): Promise<RankedQuestion> {
  const chosen = sources.filter(({ name }) => scope === 'all' || name === question.site);
  const versions = chosen.flatMap((source) => source.versions.map(({ id }) => id));
  const { pages } = await retrievePages(indexReaderOf(store), question.query, {
    versions,
    names: sourceNamesById(sources),
  });
  const candidates = pages.map(({ candidate, signals }) => ({ site: candidate.source, url: candidate.url, signals }));
  return { question, half: Number(question.id.replaceAll(/\D/g, '')) % 2, candidates };
}

const ranked: Record<Scope, RankedQuestion[]> = { site: [], all: [] };
const questions = readQuestions(file).filter(({ site }) => sources.some(({ name }) => name === site));
for (const scope of scopes) {
  for (const question of questions) ranked[scope].push(await rankQuestion(question, scope));
}
await store.close();

/** Mean nDCG@10 of one half, or of both where `half` is null. */
function quality(weights: Signals, scope: Scope, half: number | null): number {
  const some = ranked[scope].filter((one) => half === null || one.half === half);
  return mean(
    some.map(({ question, candidates }) => {
      const scored = candidates.map(({ site, url, signals }) => ({ site, url, score: weightedSum(signals, weights) }));
      scored.sort((left, right) => right.score - left.score);
      return rankingMeasures(question, scored.slice(0, FIRST)).ndcg;
    }),
  );
}

/** More than ten, because duplicates and neutral pages do not count. */
const FIRST = 15;
const STEPS = [-0.5, -0.25, 0.25, 0.5];
const MIN_STEP = 0.2;
const MIN_GAIN = 0.0006;
const ROUNDS = 4;

/** Coordinate ascent: one weight after the other, in steps, as long as both scopes together gain. */
function learn(half: number | null): Signals {
  const scoreOf = (weights: Signals): number => mean(scopes.map((scope) => quality(weights, scope, half)));
  let best: Signals = rankWeights;
  let score = scoreOf(best);
  for (let pass = 0; pass < ROUNDS; pass += 1) {
    const before = score;
    for (const name of signalNames) {
      for (const step of STEPS) {
        const tried = { ...best, [name]: best[name] + step * Math.max(MIN_STEP, Math.abs(best[name])) };
        const now = scoreOf(tried);
        if (now <= score + MIN_GAIN) continue;
        best = tried;
        score = now;
      }
    }
    if (score === before) break;
  }
  return best;
}

function report(weights: Signals): Record<string, number> {
  const measurements = scopes.flatMap((scope) =>
    [0, 1, null].map((half) => [`${scope} ${half ?? 'both'}`, round(quality(weights, scope, half))] as const),
  );
  return Object.fromEntries(measurements);
}

const learnt = [learn(0), learn(1)] as const;
const result = {
  questions: ranked.site.length,
  shipped: report(rankWeights),
  learntOnEven: report(learnt[0]),
  learntOnOdd: report(learnt[1]),
  heldOut: Object.fromEntries(
    scopes.map((scope) => [scope, round(mean([quality(learnt[0], scope, 1), quality(learnt[1], scope, 0)]))]),
  ),
  weights: learnt,
};
process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
if (options.write) writeResult('tune-ranking', result);
