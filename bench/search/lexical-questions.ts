// node bench/search/lexical-questions.ts PAGES.db QUESTIONS.jsonl [TARGET_CHARS]: nDCG@10 of core/lexical over pages, each question
// within its own site. PAGES.db has a table pages(site, url, title, body, heads), heads being a JSON list of texts or of [level, text, anchor].
// With TARGET_CHARS the pages are chunked first, and a page ranks as its best chunk.

import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { bundleLimits } from '../../src/core/chunk/chunker.ts';
import { textChunker } from '../../src/core/chunk/text-chunker.ts';
import { buildIndex } from '../../src/core/lexical/standalone/build-index.ts';
import { defaultWeights } from '../../src/core/lexical/segment/fields.ts';
import type { IndexEntry } from '../../src/core/lexical/standalone/lexical-index.ts';
import { searchIndex } from '../../src/core/lexical/standalone/search-index.ts';
import type { Document } from '../../src/core/model/document.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { readQuestions, scoreRanking } from './read-questions.ts';
import { writeResult } from '../support/write-result.ts';

const [, , pagesFile, questionsFile, targetChars] = process.argv;
if (pagesFile === undefined || questionsFile === undefined) {
  throw new Error('usage: node bench/search/lexical-questions.ts PAGES.db QUESTIONS.jsonl [TARGET_CHARS]');
}

const WHOLE = 1e9;
const Page = z.object({ url: z.string(), title: z.string(), body: z.string(), heads: z.string() });
const Heads = z.array(z.union([z.string(), z.array(z.unknown())])).catch([]);
const database = new DatabaseSync(pagesFile, { readOnly: true });
const questions = readQuestions(questionsFile);
const target = Number(targetChars ?? WHOLE);
const limits = { ...bundleLimits, targetChars: target, capChars: target * 2, maxChunks: WHOLE };

function entriesOf({ url, title, body, heads }: z.infer<typeof Page>): IndexEntry[] {
  const document: Document = {
    url: pageUrl(url, 'http://site.test/'),
    format: 'text',
    title,
    description: null,
    language: null,
    codeLanguage: null,
    canonical: null,
    text: body,
    outline: [],
    links: [],
  };
  const headings = Heads.parse(JSON.parse(heads)).map((head) => (typeof head === 'string' ? head : String(head[1])));
  return textChunker.chunk(document, limits).chunks.map((chunk) => ({
    path: url,
    title,
    chunk: target === WHOLE ? { ...chunk, headings } : chunk,
  }));
}

const scores: Array<{ readonly site: string; readonly kind: string; readonly ndcg: number }> = [];
for (const site of new Set(questions.map((question) => question.site))) {
  const rows = database.prepare('select url, title, body, heads from pages where site = ?').all(site);
  const index = buildIndex(rows.flatMap((row) => entriesOf(Page.parse(row))));
  for (const question of questions.filter((one) => one.site === site)) {
    const hits = searchIndex(index, question.query, { limit: target === WHOLE ? 30 : 200 });
    const ndcg = scoreRanking(
      question,
      hits.map(({ entry }) => entry.path),
    );
    scores.push({ site, kind: question.kind, ndcg });
  }
}

function meanBy(key: 'site' | 'kind'): Record<string, number> {
  const names = [...new Set(scores.map((score) => score[key]))].sort();
  return Object.fromEntries(names.map((name) => [name, mean(scores.filter((score) => score[key] === name))]));
}

function mean(results: typeof scores): number {
  return Number((results.reduce((total, { ndcg }) => total + ndcg, 0) / results.length).toFixed(4));
}

writeResult(targetChars === undefined ? 'lexical-questions' : `lexical-questions-${targetChars}`, {
  questions: scores.length,
  ndcgAt10: mean(scores),
  byKind: meanBy('kind'),
  bySite: meanBy('site'),
  weights: defaultWeights,
});
