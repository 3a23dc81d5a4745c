// node bench/search/candidates.ts LIBRARY QUESTIONS.jsonl [--cache-mb MB] [--write NAME]: CPU time of candidate generation by
// the built-in search engine, without reading any text: over all versions and over one, with an empty cache (cold) and a full one (warm),
// and with filters. Each question is asked once per round.

import { parseArgs } from 'node:util';
import { queryTerms, weighTerms } from '../../src/core/lexical/query/parsed-query.ts';
import type { SearchFilter } from '../../src/core/lexical/query/search-filter.ts';
import type { VersionId } from '../../src/core/model/run.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { openLibraryReader } from '../support/read-library.ts';
import { writeResult } from '../support/write-result.ts';
import { percentile } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'string' }, 'cache-mb': { type: 'string' } },
});
const [library, questionsFile] = positionals;
if (library === undefined || questionsFile === undefined)
  throw new Error('usage: node bench/search/candidates.ts LIBRARY QUESTIONS.jsonl [--cache-mb MB] [--write NAME]');

const store = await openLibraryReader(library);
const sources = await store.sources.list();
const bySite = new Map(sources.map(({ name, versions }) => [name, versions.map(({ id }) => id)]));
const all = [...bySite.values()].flat();
const questions = readQuestions(questionsFile).filter(({ site }) => bySite.has(site));
const cachedIndex = createSegmentIndex(
  store.segments,
  values['cache-mb'] === undefined ? undefined : Number(values['cache-mb']),
);
/** As the reranking asks for them. */
const LIMITS = { pages: 60, chunksPerPage: 32 };

async function round(
  versionsOf: (question: Question) => readonly VersionId[],
  { filter, few = questions, isCold = false }: RoundOptions = {},
): Promise<Times> {
  const ms: number[] = [];
  for (const question of few) {
    const index = isCold ? createSegmentIndex(store.segments) : cachedIndex;
    const terms = queryTerms(question.query, 0.2);
    const before = process.cpuUsage();
    const versions = versionsOf(question);
    const frequencies = await index.frequencies(
      versions,
      terms.map(({ term }) => term),
    );
    await index.candidates({ versions, terms: weighTerms(terms, frequencies), filter, ...LIMITS });
    const { user, system } = process.cpuUsage(before);
    ms.push((user + system) / 1000);
  }
  return { p50: percentile(ms, 0.5), p95: percentile(ms, 0.95) };
}

interface RoundOptions {
  readonly filter?: SearchFilter;
  readonly few?: readonly Question[];
  /** With an empty cache for each question. */
  readonly isCold?: boolean;
}

interface Times {
  readonly p50: number;
  readonly p95: number;
}

const everything = (): readonly VersionId[] => all;
const oneSite = ({ site }: Question): readonly VersionId[] => (bySite.get(site) ?? []).slice(0, 1);
/** Filters are measured on a part of the questions, against the same part without a filter. */
const some = questions.filter((_, nth) => nth % 10 === 0);
await round(everything);
const warm = await round(everything);
const cold = await round(everything, { isCold: true });
await round(oneSite);
const one = await round(oneSite);
const oneCold = await round(oneSite, { isCold: true });
const unfiltered = await round(everything, { few: some });
const rssBefore = process.memoryUsage().rss;
const filters = {
  code: { passageKinds: ['code'] },
  path: { pathPrefix: '/library' },
  pageKind: { pageKinds: ['article'] },
  heading: { headingPrefix: 'conn' },
  symbol: { symbolPrefix: 'conn' },
} satisfies Record<string, SearchFilter>;
/** The question that comes first with a filter, for which nothing of it is in memory; and questions once it is. */
const filtered: Record<string, { readonly first: number; readonly repeated: Times }> = {};
for (const [name, filter] of Object.entries(filters)) {
  const { p50: first } = await round(everything, { filter, few: some.slice(0, 1) });
  await round(everything, { filter, few: some });
  filtered[name] = { first, repeated: await round(everything, { filter, few: some }) };
}
const filteredMb = Math.round((process.memoryUsage().rss - rssBefore) / 1e6);
const { chunks } = await cachedIndex.frequencies(all, []);
const result = {
  questions: questions.length,
  versions: all.length,
  chunks,
  cold,
  warm,
  one,
  oneCold,
  unfiltered,
  filtered,
  filteredMb,
};
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
if (values.write !== undefined) writeResult(values.write, result);
await store.close();
