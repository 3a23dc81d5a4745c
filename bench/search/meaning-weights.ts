// node bench/search/meaning-weights.ts FILE --library DIR [--table FILE] [--write]
// Fits the weights of meaningLead and meaningBest on one half of the questions and tests them on the other, both ways, for one
// source and for all sources together, next to the ranking without them, and measures the CPU time of a question alternately with
// and without them. With --table the vectors are computed from the texts by
// that table instead of being read. Nothing is changed.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { answerPassages, sourceNamesById } from '../../src/core/answer/answer-passages.ts';
import { getWordTable } from '../../src/compose/word-table.ts';
import type { ChunkRef, IndexReader } from '../../src/core/lexical/query/index-reader.ts';
import { retrievePages, type RetrievalResult } from '../../src/core/rank/lexical-retrieval.ts';
import { weightedSum } from '../../src/core/rank/rank-pages.ts';
import { rankWeights, type Signals } from '../../src/core/rank/rank-weights.table.ts';
import { chunkVector, parseWordTable, type WordTable } from '../../src/core/vector/word-vectors.ts';
import { openLibraryReader } from '../support/read-library.ts';
import { indexReaderOf } from '../../test/support/index-reader.ts';
import { writeResult } from '../support/write-result.ts';
import { round } from './eval/evaluate-question.ts';
import { mean, percentile, rankingMeasures, type RankedUrl } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    library: { type: 'string', default: '' },
    table: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const [file = ''] = positionals;
const store = await openLibraryReader(options.library);
const stored = indexReaderOf(store);
const words = options.table === undefined ? getWordTable() : parseWordTable(readFileSync(options.table));
if (words === null) throw new Error('there is no table of word vectors');
const index = options.table === undefined ? stored : withComputedVectors(stored, words);
const sources = await store.sources.list();

function withComputedVectors(reader: IndexReader, table: WordTable): IndexReader {
  const vectors = new Map<string, Uint8Array | null>();
  const keyOf = ({ version, url, ordinal }: ChunkRef): string => `${version} ${ordinal} ${url}`;
  return {
    ...reader,
    async wordVectors(refs) {
      const unknown = refs.filter((ref) => !vectors.has(keyOf(ref)));
      for (const { chunk } of await reader.chunks(unknown))
        vectors.set(keyOf({ ...chunk.page, ordinal: chunk.ordinal }), chunkVector(table, chunk));
      return refs.flatMap((ref, at) => {
        const vector = vectors.get(keyOf(ref)) ?? null;
        return vector === null ? [] : [{ at, vector }];
      });
    },
  };
}

const ANSWER = { budget: 2000, limit: 8, offset: 0, explain: false };
const scopes = ['site', 'all'] as const;
type Scope = (typeof scopes)[number];

interface RankedQuestion {
  readonly question: Question;
  readonly half: number;
  readonly candidates: ReadonlyArray<RankedUrl & { readonly signals: Signals }>;
}

async function retrieve(question: Question, scope: Scope, table: WordTable | null): Promise<RetrievalResult> {
  const chosen = sources.filter(({ name }) => scope === 'all' || name === question.site);
  const versions = chosen.flatMap((source) => source.versions.map(({ id }) => id));
  return retrievePages(index, question.query, { versions, names: sourceNamesById(sources), words: table });
}

async function rankQuestion(question: Question, scope: Scope): Promise<RankedQuestion> {
  const { pages } = await retrieve(question, scope, words);
  const candidates = pages.map(({ candidate, signals }) => ({ site: candidate.source, url: candidate.url, signals }));
  return { question, half: Number(question.id.replaceAll(/\D/g, '')) % 2, candidates };
}

const ranked: Record<Scope, RankedQuestion[]> = { site: [], all: [] };
const questions = readQuestions(file).filter(({ site }) => sources.some(({ name }) => name === site));
for (const scope of scopes) for (const question of questions) ranked[scope].push(await rankQuestion(question, scope));
const cpu = { site: await measureCpu('site'), all: await measureCpu('all') };
await store.close();

/** Milliseconds of a question, its answer included. */
async function measureCpu(scope: Scope): Promise<Record<string, number>> {
  const times: { with: number[]; without: number[] } = { with: [], without: [] };
  for (const question of questions) {
    for (const kind of ['with', 'without', 'without', 'with'] as const) {
      const before = process.cpuUsage();
      const found = await retrieve(question, scope, kind === 'with' ? words : null);
      await answerPassages(index, found, { sources, ...ANSWER });
      const { user, system } = process.cpuUsage(before);
      times[kind].push((user + system) / 1000);
    }
  }
  return {
    withP50: round(percentile(times.with, 0.5)),
    withoutP50: round(percentile(times.without, 0.5)),
    withMean: round(mean(times.with)),
    withoutMean: round(mean(times.without)),
  };
}

/** More than ten, because duplicates and neutral pages do not count. */
const FIRST = 15;
type Weights = readonly [lead: number, best: number];

/** Pages that were not compared have no signals, and stay behind those that were. */
function measure([lead, best]: Weights, scope: Scope, half: number | null): { ndcg: number; hit1: number } {
  const weights = { ...rankWeights, meaningLead: lead, meaningBest: best };
  const some = ranked[scope].filter((one) => half === null || one.half === half);
  const measured = some.map(({ question, candidates }) => {
    const isCompared = lead > 0 || best > 0;
    const scored = candidates.map(({ site, url, signals }) => {
      const behind = isCompared && signals.meaningBest === 0 ? -100 : 0;
      return { site, url, score: weightedSum(signals, weights) + behind };
    });
    scored.sort((left, right) => right.score - left.score);
    return rankingMeasures(question, scored.slice(0, FIRST));
  });
  return { ndcg: round(mean(measured.map(({ ndcg }) => ndcg))), hit1: round(mean(measured.map(({ hit1 }) => hit1))) };
}

const LEADS = [0, 0.3, 0.6, 0.9, 1.2, 1.6, 2];
const BESTS = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5];

function fit(half: number | null): Weights {
  const pairs = LEADS.flatMap((lead) => BESTS.map((best): Weights => [lead, best]));
  const scored = pairs.map((pair) => ({ pair, ndcg: mean(scopes.map((scope) => measure(pair, scope, half).ndcg)) }));
  return scored.toSorted((left, right) => right.ndcg - left.ndcg)[0]?.pair ?? [0, 0];
}

const fitted = [fit(0), fit(1), fit(null)] as const;
const shipped: Weights = [rankWeights.meaningLead, rankWeights.meaningBest];
const result = {
  questions: questions.length,
  cpu,
  fitted: { even: fitted[0], odd: fitted[1], both: fitted[2] },
  ...Object.fromEntries(
    scopes.map((scope) => [
      scope,
      {
        without: [0, 1, null].map((half) => measure([0, 0], scope, half)),
        shipped: [0, 1, null].map((half) => measure(shipped, scope, half)),
        both: measure(fitted[2], scope, null),
        heldOut: [measure(fitted[1], scope, 0), measure(fitted[0], scope, 1)],
      },
    ]),
  ),
};
process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
if (options.write) writeResult('meaning-weights', result);
