// Runs one question against a library as the product does, and measures the ranking of pages and the passages of the answer.

import type { DenseRetriever } from '../../../src/search/dense-retrieval.ts';
import { retrievePages } from '../../../src/core/rank/lexical-retrieval.ts';
import { fuseResults } from '../../../src/search/fuse-results.ts';
import { answerPassages, sourceNamesById, type Passage } from '../../../src/core/answer/answer-passages.ts';
import type { IndexReader } from '../../../src/core/lexical/query/index-reader.ts';
import type { Source } from '../../../src/store/port/sources.ts';
import type { WordTable } from '../../../src/core/vector/word-vectors.ts';
import type { Question } from '../read-questions.ts';
import { lossOf, type Loss, type PageFinder } from './losses.ts';
import { rankLossOf, type RankLoss } from './rank-losses.ts';
import { hasEvidence, mean, rankingMeasures, type RankingMeasures } from './measures.ts';

export const BUDGETS = [500, 1000, 2000, 4000, 8000] as const;
const SHOWN_PAGES = 15;
const TYPICAL_BUDGET = 2000;

export interface QuestionResult extends RankingMeasures {
  readonly question: Question;
  readonly cpuMs: number;
  readonly tokens: number;
  /** Per budget, whether the evidence is in the answer; null if the question has none. */
  readonly evidence: ReadonlyArray<boolean | null>;
  /** Whether it is in the first passage of an answer of the usual size. */
  readonly firstEvidence: boolean | null;
  readonly top: readonly string[];
  /** Per budget, why the evidence is not in the answer; null if it is, or if losses are not explained. */
  readonly losses: ReadonlyArray<Loss | null>;
  readonly rankLoss: RankLoss;
}

export interface EvalContext {
  readonly index: IndexReader;
  /** Named like the sites of the questions. */
  readonly sources: readonly Source[];
  readonly scope: 'site' | 'all';
  readonly denseRetriever?: DenseRetriever | null;
  /** Ranks by word vectors too; null or absent, by words alone. */
  readonly words?: WordTable | null;
  /** Uses up every budget, however unlikely it is that more adds anything. */
  readonly fill?: boolean;
  /** Present if losses are to be explained. */
  readonly findPage?: PageFinder | null;
}

export async function evaluateQuestion(question: Question, context: EvalContext): Promise<QuestionResult> {
  const { index, sources, scope, denseRetriever = null, findPage = null, words = null, fill = false } = context;
  const chosen = sources.filter(({ name }) => scope === 'all' || name === question.site);
  const versions = chosen.flatMap((source) => source.versions.map(({ id }) => id));
  const names = sourceNamesById(sources);
  const answer = (budget: number) => answerPassages(index, results, { sources, budget, limit: 50, offset: 0, fill });
  const before = process.cpuUsage();
  const found = await retrievePages(index, question.query, { versions, names, words });
  const dense = (await denseRetriever?.(question.query, found, { versions, filter: {} })) ?? null;
  const results = dense === null ? found : fuseResults(found, dense, names);
  const typical = await answer(TYPICAL_BUDGET);
  const { user, system } = process.cpuUsage(before);
  const answers = await Promise.all(BUDGETS.map(answer));
  const evidence = answers.map(({ passages }) => hasEvidence(question, passages.map(shownText)));
  const losses = evidence.map(async (has, at) =>
    has === false && findPage !== null ? lossOf(question, results, answers[at]?.passages ?? [], findPage) : null,
  );
  const ranked = results.pages.slice(0, SHOWN_PAGES).map(({ candidate }) => ({
    site: sources.find(({ id }) => id === candidate.best.source)?.name ?? '',
    url: candidate.url,
  }));
  return {
    ...rankingMeasures(question, ranked),
    question,
    cpuMs: (user + system) / 1000,
    tokens: typical.tokens,
    evidence,
    firstEvidence: hasEvidence(question, typical.passages.slice(0, 1).map(shownText)),
    losses: await Promise.all(losses),
    rankLoss: rankLossOf(question, results.pages),
    top: ranked.slice(0, 3).map(({ site, url }) => `${site} ${url}`),
  };
}

function shownText({ source, url, headings, text }: Passage): { site: string; url: string; text: string } {
  return { site: source, url, text: `${headings.join(' ')} ${text}` };
}

/** Whether an answer has its evidence at one budget and lacks it at a larger one. */
function losesEvidence({ evidence }: QuestionResult): boolean {
  return evidence.some((has, at) => has === true && evidence.slice(at).includes(false));
}

/** Means over some questions. */
export function summary(results: readonly QuestionResult[]): Record<string, number> {
  const share = (verdicts: ReadonlyArray<boolean | null | undefined>): number =>
    round(mean(verdicts.flatMap((has) => (has === null || has === undefined ? [] : [Number(has)]))));
  const evidence = [
    ['evidence@first', share(results.map(({ firstEvidence }) => firstEvidence))] as const,
    ...BUDGETS.map((budget, at) => [`evidence@${budget}`, share(results.map((one) => one.evidence[at]))] as const),
    ['evidenceLost', results.filter(losesEvidence).length] as const,
  ];
  const means = (['ndcg', 'recall', 'mrr', 'hit1'] as const).map((name) => [
    name,
    round(mean(results.map((one) => one[name]))),
  ]);
  return { n: results.length, ...Object.fromEntries([...means, ...evidence]) };
}

export function round(number: number): number {
  return Math.round(number * 10_000) / 10_000;
}
