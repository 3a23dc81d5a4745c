// node bench/search/search-latency.ts LIBRARY QUESTIONS.jsonl FTS.db [VECTORS]: CPU time of a query, ours against the plain
// FTS5 query over the same chunks and the same tokens (an OR of the words, ordered by bm25(), limit 50), in one run. FTS.db
// is created if it does not exist. With VECTORS, the file of bench/vector/embed-library.ts, search is hybrid;
// queries are embedded in advance. The plain query has every word of the question; the one "without stop words" has
// those that our search looks up.

import { queryTerms } from '../../src/core/lexical/query/parsed-query.ts';
import { indexReaderOf } from '../../test/support/index-reader.ts';
import { tokenize } from '../../src/core/lexical/tokenize/tokenize.ts';
import { retrievePages } from '../../src/core/rank/lexical-retrieval.ts';
import { fuseResults } from '../../src/search/fuse-results.ts';
import { answerPassages, sourceNamesById } from '../../src/core/answer/answer-passages.ts';
import { openLibraryReader } from '../support/read-library.ts';
import { openDenseRetriever } from './eval/dense-retrieval.ts';
import { percentile } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';
import { openPlainFts } from '../support/plain-fts.ts';
import { writeResult } from '../support/write-result.ts';

const [, , library, questionsFile, ftsFile, vectorsFile] = process.argv;
if (library === undefined || questionsFile === undefined || ftsFile === undefined) {
  throw new Error('usage: node bench/search/search-latency.ts LIBRARY QUESTIONS.jsonl FTS.db [VECTORS]');
}

const fts = openPlainFts(library, ftsFile);
const store = await openLibraryReader(library);
const sources = await store.sources.list();
const sites = new Set(sources.map(({ name }) => name));
const questions = readQuestions(questionsFile).filter(({ site }) => sites.has(site));
const denseRetriever =
  vectorsFile === undefined
    ? null
    : await openDenseRetriever(
        store,
        vectorsFile,
        questions.map(({ query }) => query),
      );
async function runQuery({ query, site }: Question, scope: 'site' | 'all'): Promise<void> {
  const chosen = sources.filter(({ name }) => scope === 'all' || name === site);
  const versions = chosen.flatMap((source) => source.versions.map(({ id }) => id));
  const names = sourceNamesById(sources);
  const found = await retrievePages(indexReaderOf(store), query, { versions, names });
  const dense = (await denseRetriever?.(query, found, { versions, filter: {} })) ?? null;
  if (denseRetriever !== null && dense === null) throw new Error('too few texts of the library have vectors');
  const results = dense === null ? found : fuseResults(found, dense, names);
  await answerPassages(store.chunks, results, { sources, budget: 2000, limit: 8, offset: 0 });
}

async function timed(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const variants = {
  plain: ({ query }: Question) => fts.search(tokenize(query)),
  contentWords: ({ query }: Question) => fts.search(queryTerms(query, 0.2).map(({ term }) => term)),
  all: (question: Question) => runQuery(question, 'all'),
  site: (question: Question) => runQuery(question, 'site'),
};
type Variant = keyof typeof variants;

/** Every query runs twice, alternating between all variants, so that a busy machine affects all of them; the second time counts. */
async function measure(): Promise<Record<Variant, { p50: number; p95: number; max: number }>> {
  const times: Record<Variant, number[]> = { plain: [], contentWords: [], all: [], site: [] };
  const names = Object.keys(variants) as Variant[];
  for (const counts of [false, true]) {
    for (const question of questions) {
      for (const variant of names) {
        const spent = await timed(() => variants[variant](question));
        if (counts) times[variant].push(spent);
      }
    }
  }
  const measurementsOf = (variant: Variant): { p50: number; p95: number; max: number } => {
    const rounded = (share: number): number => Math.round(percentile(times[variant], share) * 10) / 10;
    return { p50: rounded(0.5), p95: rounded(0.95), max: rounded(1) };
  };
  return {
    plain: measurementsOf('plain'),
    contentWords: measurementsOf('contentWords'),
    all: measurementsOf('all'),
    site: measurementsOf('site'),
  };
}

const { plain: reference, contentWords, all, site } = await measure();
const ratiosOf = ({ p95 }: { p95: number }): Record<string, number> => ({
  p95OfPlain: Math.round((p95 / reference.p95) * 1000) / 1000,
  p95OfPlainWithoutStopWords: Math.round((p95 / contentWords.p95) * 1000) / 1000,
});
writeResult(denseRetriever === null ? 'search-latency' : 'hybrid-latency', {
  chunks: fts.chunks,
  questions: questions.length,
  unit: 'ms of CPU time for a question',
  plainFts5: reference,
  plainFts5WithoutStopWords: contentWords,
  all: { ...all, ...ratiosOf(all) },
  oneSource: { ...site, ...ratiosOf(site) },
});
await store.close();
