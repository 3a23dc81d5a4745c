// Whether confidence tells the questions that a library answers from those that it cannot: the same questions, asked with the
// pages that answer them removed, and of sources that do not treat them.

import { sourceNamesById } from '../../../src/core/answer/answer-passages.ts';
import {
  confidenceFeatures,
  confidenceOf,
  isWeak,
  type ConfidenceFeatures,
} from '../../../src/core/rank/confidence.ts';
import { retrievePages } from '../../../src/core/rank/lexical-retrieval.ts';
import { numberOf, pageKey, type Question } from '../read-questions.ts';
import { round, type EvalContext } from './evaluate-question.ts';

/** `present`: as it is; `deleted`: without the pages that answer it; `otherSource`: of other sources. */
export type Case = 'present' | 'deleted' | 'otherSource';

export interface AnswerableResult {
  readonly question: Question;
  readonly kind: Case;
  readonly features: ConfidenceFeatures;
  readonly confidence: number;
}

export async function searchAnswerable(question: Question, context: EvalContext): Promise<AnswerableResult[]> {
  const searched = await scoresOf(question, context, ownSources(question, context));
  const otherSource = await scoresOf(question, context, otherSources(question, context));
  const left = searched.filter(({ isGold }) => !isGold);
  return [
    toResult(question, 'present', searched),
    toResult(question, 'deleted', left),
    toResult(question, 'otherSource', otherSource),
  ];
}

interface ScoredPage {
  readonly score: number;
  readonly isGold: boolean;
}

async function scoresOf(
  { query, site, gold }: Question,
  { index, sources, words = null }: EvalContext,
  chosen: EvalContext['sources'],
): Promise<ScoredPage[]> {
  const versions = chosen.flatMap((source) => source.versions.map(({ id }) => id));
  const found = await retrievePages(index, query, { versions, names: sourceNamesById(sources), words });
  const answering = new Set(gold.flatMap(({ url_path: path, aliases }) => [path, ...aliases].map(pageKey)));
  return found.pages.map(({ score, candidate }) => {
    return { score, isGold: candidate.source === site && answering.has(pageKey(candidate.url)) };
  });
}

function toResult(question: Question, kind: Case, pages: readonly ScoredPage[]): AnswerableResult {
  const scores = pages.map(({ score }) => score);
  return { question, kind, features: confidenceFeatures(scores), confidence: confidenceOf(scores) };
}

function ownSources({ site }: Question, { sources, scope }: EvalContext): EvalContext['sources'] {
  return sources.filter(({ name }) => scope === 'all' || name === site);
}

/** All other sources, or one of them, which depends on the question. */
function otherSources({ id, site }: Question, { sources, scope }: EvalContext): EvalContext['sources'] {
  const others = sources.filter(({ name }) => name !== site).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (scope === 'all') return others;
  const chosen = others[(7 * numberOf(id)) % Math.max(1, others.length)];
  return chosen === undefined ? [] : [chosen];
}

export type Estimate = (result: AnswerableResult) => number;

/** Compares the unanswerable questions of a kind with the answerable ones. */
export function answerableMetrics(
  results: readonly AnswerableResult[],
  kind: Exclude<Case, 'present'>,
  estimate: Estimate,
): { readonly auc: number; readonly flaggedAt5Percent: number } {
  const present = results
    .filter((one) => one.kind === 'present')
    .map(estimate)
    .toSorted((a, b) => a - b);
  const absent = results.filter((one) => one.kind === kind).map(estimate);
  const threshold = present[Math.floor(present.length / 20)] ?? 0;
  const wins = absent.reduce((sum, low) => sum + present.reduce((won, high) => won + winOf(high, low), 0), 0);
  return {
    auc: round(wins / (present.length * absent.length)),
    flaggedAt5Percent: round(absent.filter((value) => value < threshold).length / absent.length),
  };
}

function winOf(high: number, low: number): number {
  return high > low ? 1 : high === low ? 0.5 : 0;
}

export function weakShare(results: readonly AnswerableResult[], kind: Case): number {
  const ofKind = results.filter((one) => one.kind === kind);
  return round(ofKind.filter(({ confidence }) => isWeak(confidence)).length / ofKind.length);
}

const STEPS = 4000;
const RATE = 0.1;
/** How much a question of each kind counts in a fit. */
const CASE_WEIGHTS: Readonly<Record<Case, number>> = { present: 1, deleted: 0.7, otherSource: 0.3 };

/** Logistic regression of whether a question is answerable. */
export function fitEstimate(results: readonly AnswerableResult[]): Estimate {
  let [score, lead, bias] = [0, 0, 0];
  const logit = ({ features }: AnswerableResult): number => score * features.score + lead * features.lead + bias;
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = { score: 0, lead: 0, bias: 0 };
    for (const one of results) {
      const error = CASE_WEIGHTS[one.kind] * (Number(one.kind === 'present') - 1 / (1 + Math.exp(-logit(one))));
      gradient.score += error * one.features.score;
      gradient.lead += error * one.features.lead;
      gradient.bias += error;
    }
    score += (RATE * gradient.score) / results.length;
    lead += (RATE * gradient.lead) / results.length;
    bias += (RATE * gradient.bias) / results.length;
  }
  return logit;
}
