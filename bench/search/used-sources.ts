// node bench/search/used-sources.ts FILE --library DIR [--sites a,b] [--write NAME]: nDCG@10 of questions that name no source, asked of all
// sources by an assistant that used three of them before: its own among them, or not, or none at all. By half of the questions.

import { parseArgs } from 'node:util';
import { sourceNamesById } from '../../src/core/answer/answer-passages.ts';
import { retrievePages } from '../../src/core/rank/lexical-retrieval.ts';
import { openLibraryReader } from '../support/read-library.ts';
import { writeResult } from '../support/write-result.ts';
import { indexReaderOf } from '../../test/support/index-reader.ts';
import { round } from './eval/evaluate-question.ts';
import { mean, rankingMeasures } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    library: { type: 'string', default: '' },
    sites: { type: 'string' },
    write: { type: 'string' },
  },
});
const [file = ''] = positionals;
const SHOWN_PAGES = 15;
const USED = 3;

const store = await openLibraryReader(options.library);
const index = indexReaderOf(store);
const sources = await store.sources.list();
const names = sourceNamesById(sources);
const versions = sources.flatMap((source) => source.versions.map(({ id }) => id));
const sites = options.sites?.split(',') ?? sources.map(({ name }) => name);
const questions = readQuestions(file).filter(({ site }) => sites.includes(site));

let seed = 1;
function random(below: number): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % below;
}

/** Other sites, by chance. */
function others({ site }: Question, count: number): string[] {
  const left = sites.filter((name) => name !== site);
  return Array.from({ length: count }, () => left.splice(random(left.length), 1)[0] ?? '');
}

const cases = {
  none: () => [],
  itsOwn: (question: Question) => [question.site, ...others(question, USED - 1)],
  others: (question: Question) => others(question, USED),
} satisfies Record<string, (question: Question) => readonly string[]>;

async function ndcg(question: Question, preferred: readonly string[]): Promise<number> {
  const { pages } = await retrievePages(index, question.query, { versions, names, preferred: new Set(preferred) });
  const ranked = pages.slice(0, SHOWN_PAGES).map(({ candidate }) => ({ site: candidate.source, url: candidate.url }));
  return rankingMeasures(question, ranked).ndcg;
}

function halfOf({ id }: Question): number {
  return Number(id.replaceAll(/\D/g, '')) % 2;
}

const results: Record<string, Record<string, number>> = {};
for (const [name, usedBefore] of Object.entries(cases)) {
  const measured: Array<{ readonly half: number; readonly ndcg: number }> = [];
  for (const question of questions)
    measured.push({ half: halfOf(question), ndcg: await ndcg(question, usedBefore(question)) });
  const of = (some: typeof measured): number => round(mean(some.map((one) => one.ndcg)));
  results[name] = {
    all: of(measured),
    'half 0': of(measured.filter(({ half }) => half === 0)),
    'half 1': of(measured.filter(({ half }) => half === 1)),
  };
}
await store.close();
const measurements = { file, questions: questions.length, sources: sources.length, usedBefore: results };
if (options.write === undefined) process.stdout.write(`${JSON.stringify(measurements, null, 1)}\n`);
else writeResult(options.write, measurements);
