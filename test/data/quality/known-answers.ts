// Digests of answers, to see whether a change that should not change any answer did.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Question } from '../../../bench/search/read-questions.ts';
import type { Search } from '../../../src/search/search.ts';

const FILE = join(import.meta.dirname, 'known-answers.json');

export type Digests = Readonly<Record<string, string>>;

/** Each question is asked of all sources, and of its own site where the library has it. */
export async function answerDigests(search: Search, questions: readonly Question[], sites: readonly string[]): Promise<Digests> {
  const digests: Record<string, string> = {};
  for (const { id, query, site } of questions) {
    const request = { query, limit: 8, budget: 2000, offset: 0, explain: true };
    digests[`${id} all`] = digest(await search(request));
    if (sites.includes(site)) digests[`${id} site`] = digest(await search({ ...request, source: site }));
  }
  return digests;
}

export function knownAnswers(current: Digests): Digests {
  const { about, answers } = JSON.parse(readFileSync(FILE, 'utf8')) as { about: string; answers: Digests };
  if (process.env['PINAKES_WRITE_ANSWERS'] !== '1') return answers;
  writeFileSync(FILE, `${JSON.stringify({ about, answers: current }, null, 1)}\n`);
  return current;
}

function digest(answer: unknown): string {
  return createHash('sha256').update(JSON.stringify(comparable(answer))).digest('hex').slice(0, 16);
}

/** Keys sorted; when a page was checked does not count. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, key === 'checkedAt' ? '' : comparable(member)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
