// node bench/search/sub-questions.ts --library DIR [--misses] [--write]
// Asks the questions with several parts whole, and split by hand into the sub-questions of test/data/quality/sub-questions.json: one search
// for each, merged within one budget so that a passage that answers a sub-question without one goes first.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { getWordTable } from '../../src/compose/word-table.ts';
import { answerPassages, sourceNamesById, type Passage } from '../../src/core/answer/answer-passages.ts';
import { answerMarkdown } from '../../src/core/answer/cited-markdown.ts';
import { estimateTokens } from '../../src/core/model/chunk.ts';
import { retrievePages, type RetrievalResult } from '../../src/core/rank/lexical-retrieval.ts';
import { indexReaderOf } from '../../test/support/index-reader.ts';
import { openLibraryReader } from '../support/read-library.ts';
import { writeResult } from '../support/write-result.ts';
import { hasEvidence, mean } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';

const { values: options } = parseArgs({
  options: {
    library: { type: 'string', default: '' },
    misses: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const QUALITY = join(import.meta.dirname, '../../test/data/quality');
const BUDGETS = [1000, 2000, 4000] as const;
const LIMIT = 50;

const store = await openLibraryReader(options.library);
const index = indexReaderOf(store);
const sources = await store.sources.list();
const words = getWordTable();
const split = z
  .record(z.string(), z.array(z.string()).min(2).max(6))
  .parse(JSON.parse(readFileSync(join(QUALITY, 'sub-questions.json'), 'utf8')));
const live = new Set((await store.runs.live()).map(({ source }) => source));
const stored = new Set(sources.filter(({ id }) => !live.has(id)).map(({ name }) => name));
const questions = readQuestions(join(QUALITY, 'dev.jsonl')).filter(({ id, site }) => id in split && stored.has(site));

const retrieved = new Map<string, Promise<RetrievalResult>>();

/** The same for every budget. */
function retrieve(site: string, query: string): Promise<RetrievalResult> {
  const key = `${site} ${query}`;
  const versions = sources.filter(({ name }) => name === site).flatMap((one) => one.versions.map(({ id }) => id));
  const found = retrieved.get(key) ?? retrievePages(index, query, { versions, names: sourceNamesById(sources), words });
  retrieved.set(key, found);
  return found;
}

async function search(site: string, query: string, budget: number): Promise<readonly Passage[]> {
  const found = await retrieve(site, query);
  return (await answerPassages(index, found, { sources, budget, limit: LIMIT, offset: 0 })).passages;
}

const keyOf = ({ url, lines }: Passage): string => `${url} ${lines.first}`;
const fits = (passages: readonly Passage[], budget: number): boolean =>
  estimateTokens(answerMarkdown(passages)) <= budget;

/** In rounds: each sub-question without a passage among its best ones in the answer adds its next one. */
function mergeByCoverage(lists: ReadonlyArray<readonly Passage[]>, budget: number): readonly Passage[] {
  const merged = new Map<string, Passage>();
  const longest = Math.max(...lists.map(({ length }) => length));
  for (let round = 0; round < longest; round += 1) {
    for (const list of lists) {
      const shown = list.slice(0, round + 1).filter((passage) => merged.has(keyOf(passage))).length;
      const next = shown > round ? undefined : list.find((passage) => !merged.has(keyOf(passage)));
      if (next !== undefined && fits([...merged.values(), next], budget)) merged.set(keyOf(next), next);
    }
  }
  return [...merged.values()];
}

/** Each search gets the same share of the budget. */
async function searchInShares(site: string, queries: readonly string[], budget: number): Promise<readonly Passage[]> {
  const lists = await Promise.all(queries.map((query) => search(site, query, Math.floor(budget / queries.length))));
  return [...new Map(lists.flat().map((passage) => [keyOf(passage), passage])).values()];
}

async function searchByCoverage(site: string, queries: readonly string[], budget: number): Promise<readonly Passage[]> {
  const lists = await Promise.all(queries.map((query) => search(site, query, budget)));
  return mergeByCoverage(lists, budget);
}

type Searcher = (question: Question, budget: number) => Promise<readonly Passage[]>;
const partsOf = ({ id }: Question): readonly string[] => split[id] ?? [];
const SEARCHERS: Readonly<Record<string, Searcher>> = {
  whole: ({ site, query }, budget) => search(site, query, budget),
  'parts by coverage': (question, budget) => searchByCoverage(question.site, partsOf(question), budget),
  'parts in shares': (question, budget) => searchInShares(question.site, partsOf(question), budget),
  'whole and parts by coverage': (question, budget) =>
    searchByCoverage(question.site, [question.query, ...partsOf(question)], budget),
  'whole and parts in shares': (question, budget) =>
    searchInShares(question.site, [question.query, ...partsOf(question)], budget),
};

const searches: Record<string, Record<string, number>> = {};
for (const [name, searcher] of Object.entries(SEARCHERS)) {
  const measurements: Record<string, number> = { n: questions.length };
  for (const budget of BUDGETS) {
    const verdicts: number[] = [];
    for (const question of questions) {
      const passages = await searcher(question, budget);
      const shown = passages.map(({ source, url, headings, text }) => ({
        site: source,
        url,
        text: `${headings.join(' ')} ${text}`,
      }));
      const has = hasEvidence(question, shown) === true;
      verdicts.push(Number(has));
      if (options.misses && !has) console.log(`${name} ${budget} ${question.id} ${question.query}`);
    }
    measurements[`evidence@${budget}`] = Number(mean(verdicts).toFixed(3));
  }
  searches[name] = measurements;
}
await store.close();
if (options.write) writeResult('sub-questions', { sites: stored.size, searches });
else console.log(JSON.stringify(searches, null, 1));
