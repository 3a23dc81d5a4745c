// node bench/search/answer-forms.ts FILE --library DIR [--scope site|all] [--sites a,b] [--write NAME] [--show ID,ID]: the tokens of the same
// answers as Markdown and as JSON, counted by the tokenizer of a model, and the share of questions whose evidence is in the first 1,000 tokens
// of each form. --show prints the Markdown of some answers.

import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { searchDocs } from '../../src/actions/search-docs.ts';
import { withInjectionFlags } from '../../src/actions/support/injection-flags.ts';
import { getWordTable } from '../../src/compose/word-table.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { createSearch } from '../../src/search/search.ts';
import { resultText, withoutNulls } from '../../src/serve/mcp/result-text.ts';
import { openLibraryReader } from '../support/read-library.ts';
import { countTokens, firstTokens } from '../../test/support/count-tokens.ts';
import { writeResult } from '../support/write-result.ts';
import { round } from './eval/evaluate-question.ts';
import { hasEvidence, mean, percentile } from './eval/measures.ts';
import { readQuestions, type Question } from './read-questions.ts';

type Result = z.output<typeof searchDocs.output>;
type Passage = Result['passages'][number];

const MAX_TOKENS = 1000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    library: { type: 'string', default: '' },
    scope: { type: 'string', default: 'site' },
    sites: { type: 'string' },
    write: { type: 'string' },
    show: { type: 'string', default: '' },
  },
});
const [file = ''] = positionals;
const store = await openLibraryReader(options.library);
const search = createSearch(store, createSegmentIndex(store.segments), null, getWordTable());
const sites = new Set(options.sites?.split(',') ?? (await store.sources.list()).map(({ name }) => name));

async function searchFor({ query, site }: Question): Promise<Result> {
  const source = options.scope === 'all' ? undefined : site;
  const { explain, ...input } = searchDocs.input.parse({ query, source });
  const answer = await search({ ...input, explain });
  return { ...answer, passages: answer.passages.map(withInjectionFlags), crawling: [] };
}

/** Where the text of each passage begins in a form, and how its characters are read. */
interface Rendering {
  readonly text: string;
  readonly passages: ReadonlyArray<{ readonly passage: Passage; readonly begin: number; readonly end: number }>;
  readonly read: (written: string) => string;
}

function renderMarkdown(result: Result): Rendering {
  const text = resultText('search_docs', result);
  let from = 0;
  const passages = result.passages.map((passage) => {
    const begin = text.indexOf(passage.text.trimEnd(), from);
    from = begin + passage.text.length;
    return { passage, begin, end: from };
  });
  return { text, passages, read: (written) => written };
}

function renderJson(result: Result): Rendering {
  const text = JSON.stringify(withoutNulls(result));
  let from = 0;
  const passages = result.passages.map((passage) => {
    const written = JSON.stringify(passage.text);
    const begin = text.indexOf(written, from) + 1;
    from = begin + written.length - 2;
    return { passage, begin, end: from };
  });
  return { text, passages, read: unescapeJson };
}

/** The end may be in the middle of an escape. */
function unescapeJson(written: string): string {
  for (let end = written.length; end > 0; end -= 1) {
    try {
      return JSON.parse(`"${written.slice(0, end)}"`) as string;
    } catch {
      // A shorter text may be whole.
    }
  }
  return '';
}

function evidenceWithin(question: Question, { text, passages, read }: Rendering): boolean | null {
  const { length } = firstTokens(text, MAX_TOKENS);
  const shown = passages
    .filter(({ begin }) => begin < length)
    .map(({ passage, begin, end }) => {
      const { source, url, headings } = passage;
      return { site: source, url, text: `${headings.join(' ')} ${read(text.slice(begin, Math.min(end, length)))}` };
    });
  return hasEvidence(question, shown);
}

const shownIds = new Set(options.show.split(','));
interface Measured {
  readonly markdown: number;
  readonly json: number;
  readonly inMarkdown: boolean | null;
  readonly inJson: boolean | null;
}

const measured: Measured[] = [];
for (const question of readQuestions(file).filter(({ site }) => sites.has(site))) {
  const result = await searchFor(question);
  const [markdown, json] = [renderMarkdown(result), renderJson(result)];
  measured.push({
    markdown: countTokens(markdown.text),
    json: countTokens(json.text),
    inMarkdown: evidenceWithin(question, markdown),
    inJson: evidenceWithin(question, json),
  });
  if (shownIds.has(question.id)) process.stdout.write(`> ${question.site}: ${question.query}\n\n${markdown.text}\n`);
}
await store.close();

const share = (verdicts: ReadonlyArray<boolean | null>): number =>
  round(mean(verdicts.filter((has) => has !== null).map(Number)));
const total = (name: 'markdown' | 'json'): number => measured.reduce((sum, one) => sum + one[name], 0);
const ratios = measured.map(({ markdown, json }) => markdown / json);
const measurements = {
  file,
  scope: options.scope,
  questions: measured.length,
  tokens: { markdown: total('markdown'), json: total('json') },
  ratio: round(total('markdown') / total('json')),
  ratios: {
    mean: round(mean(ratios)),
    p50: round(percentile(ratios, 0.5)),
    p95: round(percentile(ratios, 0.95)),
    max: round(Math.max(...ratios)),
  },
  evidenceWithin1000: {
    markdown: share(measured.map(({ inMarkdown }) => inMarkdown)),
    json: share(measured.map(({ inJson }) => inJson)),
  },
};
if (options.write === undefined) process.stdout.write(`${JSON.stringify(measurements, null, 1)}\n`);
else writeResult(options.write, measurements);
