// Reads questions with the pages that answer them.

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

/** `/x.md`, `/x.html`, `/x/index.html` and `/x/` are the same page. */
export function pageKey(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, '');
  const bare = decodeURIComponent(path)
    .replace(/\.md$/, '')
    .replace(/\/index\.html?$/, '/')
    .replace(/\.x?html?$/, '');
  return bare.replace(/\/+$/, '') || '/';
}

/** The number in an id: 17 for `d-017`. */
export function numberOf(id: string): number {
  return Number(id.replaceAll(/\D/g, ''));
}

/** Weights are fitted on one half of the questions and reported on the other. */
export function halfOf(id: string): number {
  return numberOf(id) % 2;
}
