// node bench/search/search-latency.ts LIBRARY QUESTIONS.jsonl FTS.db [VECTORS]: processor time of a question, ours against the plain
// FTS5 query over the same chunks and the same tokens (an OR of the words, ordered by bm25(), limit 50), in one run. FTS.db
// is made where it is not there yet. With VECTORS, the file of bench/vector/embed-library.ts, words and vectors answer together;
// the question's own vector is made before. The plain query has every word of the question; the one "without stop words" has
// those that our search looks up.

import { queryTerms } from '../../src/core/lexical/query-terms.ts';
import { tokenize } from '../../src/core/lexical/tokenize/tokenize.ts';
import { findPages } from '../../src/search/lexical-retrieval.ts';
import { fuseFindings } from '../../src/search/fuse-results.ts';
import { answerFrom, namesOf } from '../../src/search/search.ts';
import { openSqliteReader } from '../../src/store/sqlite/open-sqlite-store.ts';
import { openDenseLook } from './eval/dense-retrieval.ts';
import { percentile } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';
import { openPlainFts } from '../support/plain-fts.ts';
import { writeResult } from '../support/write-result.ts';

const [, , library, questionsFile, ftsFile, vectorsFile] = process.argv;
if (library === undefined || questionsFile === undefined || ftsFile === undefined) {
  throw new Error('usage: node bench/search/search-latency.ts LIBRARY QUESTIONS.jsonl FTS.db [VECTORS]');
}

const fts = openPlainFts(library, ftsFile);
const owner = { pid: process.pid, command: 'bench', since: new Date().toISOString() };
const store = openSqliteReader({ directory: library, owner, startDelayMs: 1000, maxAttempts: 8 });
const sources = await store.sources.list();
const sites = new Set(sources.map(({ name }) => name));
const questions = readQuestions(questionsFile).filter(({ site }) => sites.has(site));
const denseLook =
  vectorsFile === undefined
    ? null
    : await openDenseLook(
        store,
        vectorsFile,
        questions.map(({ query }) => query),
      );
async function ask({ query, site }: Question, scope: 'site' | 'all'): Promise<void> {
  const asked = sources.filter(({ name }) => scope === 'all' || name === site);
  const versions = asked.flatMap((source) => source.versions.map(({ id }) => id));
  const names = namesOf(sources);
  const found = await findPages(store.searchRows, query, { versions, names });
  const dense = (await denseLook?.(query, found, { versions, filter: {} })) ?? null;
  if (denseLook !== null && dense === null) throw new Error('too few texts of the library have vectors');
  const findings = dense === null ? found : fuseFindings(found, dense, names);
  await answerFrom(store.searchRows, findings, { sources, budget: 2000, limit: 8, offset: 0 });
}

async function timed(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const ways = {
  plain: ({ query }: Question) => fts.ask(tokenize(query)),
  saying: ({ query }: Question) => fts.ask(queryTerms(query, 0.2).map(({ term }) => term)),
  all: (question: Question) => ask(question, 'all'),
  site: (question: Question) => ask(question, 'site'),
};
type Way = keyof typeof ways;

/** Every question twice, in all ways one after the other, so that a busy machine is busy for all; the second time counts. */
async function measure(): Promise<Record<Way, { p50: number; p95: number; max: number }>> {
  const times: Record<Way, number[]> = { plain: [], saying: [], all: [], site: [] };
  const names = Object.keys(ways) as Way[];
  for (const counts of [false, true]) {
    for (const question of questions) {
      for (const way of names) {
        const spent = await timed(() => ways[way](question));
        if (counts) times[way].push(spent);
      }
    }
  }
  const figuresOf = (way: Way): { p50: number; p95: number; max: number } => {
    const rounded = (share: number): number => Math.round(percentile(times[way], share) * 10) / 10;
    return { p50: rounded(0.5), p95: rounded(0.95), max: rounded(1) };
  };
  return {
    plain: figuresOf('plain'),
    saying: figuresOf('saying'),
    all: figuresOf('all'),
    site: figuresOf('site'),
  };
}

const { plain: reference, saying, all, site } = await measure();
const ratiosOf = ({ p95 }: { p95: number }): Record<string, number> => ({
  p95OfPlain: Math.round((p95 / reference.p95) * 1000) / 1000,
  p95OfPlainWithoutStopWords: Math.round((p95 / saying.p95) * 1000) / 1000,
});
writeResult(denseLook === null ? 'search-latency' : 'hybrid-latency', {
  chunks: fts.chunks,
  questions: questions.length,
  unit: 'ms of processor time for a question',
  plainFts5: reference,
  plainFts5WithoutStopWords: saying,
  all: { ...all, ...ratiosOf(all) },
  oneSource: { ...site, ...ratiosOf(site) },
});
await store.close();
