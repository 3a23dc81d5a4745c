// Measures the ranking of one question, and computes means over many with confidence intervals.

import { pageKey, type Question } from '../read-questions.ts';

export interface RankingMeasures {
  readonly ndcg: number;
  readonly recall: number;
  readonly mrr: number;
  readonly hit1: number;
}

export interface RankedUrl {
  readonly site: string;
  readonly url: string;
}

/** Measures the first ten distinct pages. Duplicates count as the page; neutral pages are ignored; other sites are wrong. */
export function rankingMeasures(question: Question, ranked: readonly RankedUrl[], cut = 10): RankingMeasures {
  const rels = relevances(question, ranked).slice(0, cut);
  const gold = goldOf(question).gold;
  const ideal = [...gold.values()].sort((left, right) => right - left).slice(0, cut);
  const answering = [...gold.values()].filter((rel) => rel === 2).length;
  const first = rels.indexOf(2);
  return {
    ndcg: discounted(rels) / discounted(ideal),
    recall: rels.filter((rel) => rel === 2).length / Math.max(1, answering),
    mrr: first === -1 ? 0 : 1 / (first + 1),
    hit1: Number(first === 0),
  };
}

function goldOf(question: Question): { gold: Map<string, number>; canonical: Map<string, string> } {
  const gold = new Map<string, number>();
  const canonical = new Map<string, string>();
  for (const { url_path: path, rel, aliases } of question.gold) {
    gold.set(pageKey(path), Math.max(rel, gold.get(pageKey(path)) ?? 0));
    for (const alias of aliases) canonical.set(pageKey(alias), pageKey(path));
  }
  return { gold, canonical };
}

function relevances(question: Question, ranked: readonly RankedUrl[]): number[] {
  const { gold, canonical } = goldOf(question);
  const neutral = new Set(question.neutral.map(pageKey));
  const seen = new Map<string, number>();
  for (const { site, url } of ranked) {
    const key = pageKey(url);
    if (site !== question.site) seen.set(`${site} ${key}`, 0);
    else if (!neutral.has(key)) {
      const page = canonical.get(key) ?? key;
      seen.set(`${site} ${page}`, gold.get(page) ?? 0);
    }
  }
  return [...seen.values()];
}

function discounted(rels: readonly number[]): number {
  return rels.reduce((total, rel, at) => total + (2 ** rel - 1) / Math.log2(at + 2), 0);
}

/** Whether one of the question's quotes is in the answer, under the right page. Null if the question has none. */
export function hasEvidence(
  question: Question,
  passages: ReadonlyArray<{ readonly site: string; readonly url: string; readonly text: string }>,
): boolean | null {
  if (question.evidence.length === 0) return null;
  const { canonical } = goldOf(question);
  const canonicalOf = (key: string): string => canonical.get(key) ?? key;
  const texts = new Map<string, string>();
  for (const { site, url, text } of passages) {
    if (site !== question.site) continue;
    const key = canonicalOf(pageKey(url));
    texts.set(key, `${texts.get(key) ?? ''}${lettersOf(text)}`);
  }
  return question.evidence.some(({ url_path: path, quote }) =>
    texts.get(canonicalOf(pageKey(path)))?.includes(lettersOf(quote)),
  );
}

/** Quotes are compared by their letters and digits, in lower case. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

export function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((total, number) => total + number, 0) / numbers.length;
}

export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

const DRAWS = 1000;

/** The 95 % confidence interval of the mean, by bootstrapping with a fixed seed. */
export function confidence(numbers: readonly number[]): [number, number] {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const means = Array.from({ length: DRAWS }, () =>
    mean(numbers.map(() => numbers[Math.floor(random() * numbers.length)] ?? 0)),
  );
  return [percentile(means, 0.025), percentile(means, 0.975)];
}
