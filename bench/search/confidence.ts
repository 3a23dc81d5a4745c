// node bench/search/confidence.ts --library DIR [--scope site|all] [--write NAME]: how well the confidence of an answer tells
// questions that a library answers from those that it cannot, with the weights of the program, and with weights that are
// fitted to one half of the questions and tested on the other.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { getWordTable } from '../../src/compose/word-table.ts';
import { openLibraryReader } from '../support/read-library.ts';
import { indexReaderOf } from '../../test/support/index-reader.ts';
import { writeResult } from '../support/write-result.ts';
import {
  answerableMetrics,
  searchAnswerable,
  fitEstimate,
  weakShare,
  type AnswerableResult,
  type Estimate,
} from './eval/answerable.ts';
import { halfOf, readQuestions } from './read-questions.ts';

const { values: options } = parseArgs({
  options: {
    library: { type: 'string', default: '' },
    scope: { type: 'string', default: 'site' },
    write: { type: 'string' },
  },
});

const store = await openLibraryReader(options.library);
const sources = await store.sources.list();
const sites = new Set(sources.map(({ name }) => name));
const scope = options.scope === 'all' ? 'all' : 'site';
const context = { index: indexReaderOf(store), sources, scope, words: getWordTable() } as const;
const questions = readQuestions(join(import.meta.dirname, '../../test/data/quality/dev.jsonl'));
const results: AnswerableResult[] = [];
for (const question of questions.filter(({ site }) => sites.has(site)))
  results.push(...(await searchAnswerable(question, context)));
await store.close();

const estimates = [0, 1].map((half) => fitEstimate(results.filter((one) => halfOf(one.question.id) === half)));
const crossFitted: Estimate = (one) => estimates[1 - halfOf(one.question.id)]?.(one) ?? 0;
const measurements = (estimate: Estimate) => ({
  deleted: answerableMetrics(results, 'deleted', estimate),
  otherSource: answerableMetrics(results, 'otherSource', estimate),
});
const result = {
  scope,
  questions: results.length / 3,
  crossFitted: measurements(crossFitted),
  program: measurements(({ confidence }) => confidence),
  weak: {
    present: weakShare(results, 'present'),
    deleted: weakShare(results, 'deleted'),
    otherSource: weakShare(results, 'otherSource'),
  },
};
if (options.write === undefined) process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
else writeResult(options.write, result);
