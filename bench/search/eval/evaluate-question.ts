// Asks one question of a library as the product does, and measures the ranking of pages and the passages of the answer.

import { renderAnswer } from '../../../src/core/answer/answer-page.ts';
import type { DenseLook } from '../../../src/search/dense-retrieval.ts';
import { findPages } from '../../../src/search/lexical-retrieval.ts';
import { fuseFindings } from '../../../src/search/fuse-results.ts';
import { answerFrom, namesOf } from '../../../src/search/search.ts';
import type { SearchRows, Source } from '../../../src/store/port.ts';
import type { Question } from '../read-questions.ts';
import { lossOf, type Loss, type PageFinder } from './losses.ts';
import { rankLossOf, type RankLoss } from './rank-losses.ts';
import { hasEvidence, mean, rankingMeasures, type RankingMeasures } from './measures.ts';

export const BUDGETS = [1000, 2000, 4000] as const;
const SHOWN_PAGES = 15;
const USUAL_BUDGET = 2000;

export interface Measured extends RankingMeasures {
  readonly question: Question;
  readonly cpuMs: number;
  readonly tokens: number;
  /** For each budget, whether the evidence is in the answer; null where the question has none. */
  readonly evidence: ReadonlyArray<boolean | null>;
  readonly top: readonly string[];
  /** For each budget, why the evidence is not in the answer; null where it is, or where nobody asked why. */
  readonly losses: ReadonlyArray<Loss | null>;
  readonly rankLoss: RankLoss;
}

export interface Asking {
  readonly rows: SearchRows;
  /** Named like the sites of the questions. */
  readonly sources: readonly Source[];
  readonly scope: 'site' | 'all';
  readonly denseLook?: DenseLook | null;
  /** Given where losses shall be explained. */
  readonly findPage?: PageFinder | null;
}

export async function askQuestion(question: Question, asking: Asking): Promise<Measured> {
  const { rows, sources, scope, denseLook = null, findPage = null } = asking;
  const asked = sources.filter(({ name }) => scope === 'all' || name === question.site);
  const versions = asked.flatMap((source) => source.versions.map(({ id }) => id));
  const names = namesOf(sources);
  const answer = (budget: number) => answerFrom(rows, findings, { sources, budget, limit: 50, offset: 0 });
  const before = process.cpuUsage();
  const found = await findPages(rows, question.query, { versions, names });
  const dense = (await denseLook?.(question.query, found, { versions, filter: {} })) ?? null;
  const findings = dense === null ? found : fuseFindings(found, dense, names);
  const usual = await answer(USUAL_BUDGET);
  const { user, system } = process.cpuUsage(before);
  const answers = await Promise.all(BUDGETS.map(answer));
  const evidence = answers.map(({ pages }) =>
    hasEvidence(
      question,
      pages.flatMap(({ source, url, passages }) =>
        passages.map(({ text, headings }) => ({ site: source, url, text: `${headings.join(' ')} ${text}` })),
      ),
    ),
  );
  const losses = evidence.map(async (has, at) =>
    has === false && findPage !== null ? lossOf(question, findings, answers[at]?.pages ?? [], findPage) : null,
  );
  const ranked = findings.pages.slice(0, SHOWN_PAGES).map(({ candidate }) => ({
    site: sources.find(({ id }) => id === candidate.best.source)?.name ?? '',
    url: candidate.url,
  }));
  return {
    ...rankingMeasures(question, ranked),
    question,
    cpuMs: (user + system) / 1000,
    tokens: Math.ceil(renderAnswer(usual.pages).length / 4),
    evidence,
    losses: await Promise.all(losses),
    rankLoss: rankLossOf(question, findings.pages),
    top: ranked.slice(0, 3).map(({ site, url }) => `${site} ${url}`),
  };
}

/** Means over some questions. */
export function summary(some: readonly Measured[]): Record<string, number> {
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

export function round(number: number): number {
  return Math.round(number * 10_000) / 10_000;
}
