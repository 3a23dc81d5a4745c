// Reads questions with the pages that answer them, and scores a ranking of pages.

import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Question = z.object({
  id: z.string(),
  site: z.string(),
  query: z.string(),
  kind: z.string(),
  gold: z.array(z.object({ url_path: z.string(), rel: z.int(), aliases: z.array(z.string()).default([]) })),
  neutral: z.array(z.string()).default([]),
  evidence: z.array(z.object({ url_path: z.string(), quote: z.string() })).default([]),
});
export type Question = z.infer<typeof Question>;

export function readQuestions(file: string): Question[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => Question.parse(JSON.parse(line)));
}

/** nDCG of the first ten distinct pages, gain 2^rel - 1. Duplicates of a page count as the page; neutral pages are ignored. */
export function scoreRanking(question: Question, urls: readonly string[], cut = 10): number {
  const gold = new Map<string, number>();
  const canonical = new Map<string, string>();
  for (const { url_path: path, rel, aliases } of question.gold) {
    gold.set(pageKey(path), Math.max(rel, gold.get(pageKey(path)) ?? 0));
    for (const alias of aliases) canonical.set(pageKey(alias), pageKey(path));
  }
  const neutral = new Set(question.neutral.map(pageKey));
  const ranked = new Set<string>();
  for (const key of urls.map(pageKey)) if (!neutral.has(key)) ranked.add(canonical.get(key) ?? key);
  const gains = [...ranked].slice(0, cut).map((key) => gold.get(key) ?? 0);
  const ideal = [...gold.values()].sort((left, right) => right - left).slice(0, cut);
  return discounted(gains) / discounted(ideal);
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((total, gain, at) => total + (2 ** gain - 1) / Math.log2(at + 2), 0);
}

/** `/x.md`, `/x.html`, `/x/index.html` and `/x/` are the same page. */
export function pageKey(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, '');
  const bare = decodeURIComponent(path)
    .replace(/\.md$/, '')
    .replace(/\/index\.html?$/, '/')
    .replace(/\.x?html?$/, '');
  return bare.replace(/\/+$/, '') || '/';
}
