// node bench/serve/agent-questions.ts --library DIR [--print] [--write NAME]: asks the questions of agent-questions.json over MCP, with
// the name of the source, as an agent would, and searches the stored pages of the source for the pattern that an agent would give
// to grep. Whether the first passage answers, under the right heading, and whether the lines of grep do, was judged by a reader who did
// not write the ranking, and is in the file; a question whose first passage is another one by now counts as not judged. --print shows
// what to judge.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { estimateTokens } from '../../src/core/model/chunk.ts';
import type { Store } from '../../src/store/port.ts';
import { startWebServer } from '../../test/support/dashboard-server.ts';
import { callTool } from '../../test/support/mcp-client.ts';
import { mean, percentile } from '../search/eval/measures.ts';
import { openLibraryReader } from '../support/read-library.ts';
import { writeResult } from '../support/write-result.ts';

const { values: options } = parseArgs({
  options: {
    library: { type: 'string', default: '' },
    print: { type: 'boolean', default: false },
    write: { type: 'string' },
  },
});

const AgentQuestion = z.strictObject({
  source: z.string(),
  query: z.string(),
  /** A regular expression. */
  grep: z.string(),
  /** Path and anchor of the first passage of the evaluated answer. */
  cited: z.string(),
  /** Whether the first passage answers the question, and whether it is cited at the heading of what is asked for. */
  isAnswered: z.boolean(),
  isHeadingRight: z.boolean(),
  /** Whether the lines that grep prints within the budget answer it. */
  isAnsweredByGrep: z.boolean(),
});
const requested = z
  .array(AgentQuestion)
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'agent-questions.json'), 'utf8')));

const Answer = z.object({
  confidence: z.number().nullable(),
  passages: z.array(z.object({ url: z.string(), text: z.string(), headings: z.array(z.string()) })),
});

interface QuestionResult extends z.infer<typeof AgentQuestion> {
  /** Whether the answer is the one that was judged. */
  readonly isChecked: boolean;
  readonly tokens: number;
  readonly firstTokens: number;
  readonly grepTokens: number;
}

/** Tokens of the output of grep that an agent is taken to read. */
const GREP_BUDGET = 2000;
/** Longer lines are cut, as the tools of agents do. */
const GREP_LINE_CHARS = 300;
/** Lines before and after a match. */
const CONTEXT = 2;

/** What `grep -rn -i -C 2` prints for the pages of a source. */
async function grep(store: Store, source: string, pattern: string): Promise<string> {
  const matcher = new RegExp(pattern, 'i');
  const versions = (await store.sources.list()).filter(({ name }) => name === source).flatMap((one) => one.versions);
  const printed: string[] = [];
  for (const { id } of versions) {
    const { pages } = await store.pages.list(id, null, 100_000);
    for (const { url } of pages) {
      const lines = ((await store.pages.text(id, url)) ?? '').split('\n');
      const shown = new Set(
        lines.flatMap((line, at) =>
          matcher.test(line) ? Array.from({ length: 2 * CONTEXT + 1 }, (_, offset) => at - CONTEXT + offset) : [],
        ),
      );
      const path = new URL(url).pathname;
      printed.push(
        ...[...shown].flatMap((at) =>
          lines[at] === undefined ? [] : [`${path}:${at + 1}:${lines[at].slice(0, GREP_LINE_CHARS)}`],
        ),
      );
    }
  }
  return printed.join('\n');
}

const store = await openLibraryReader(options.library);
const server = await startWebServer(options.library, { PINAKES_OWNER_MODE: 'in-process' });
const results: QuestionResult[] = [];
try {
  for (const question of requested) {
    const { source, query } = question;
    const answer = await callTool(server.url, 'search_docs', { query, source });
    const text = answer.content.map((part) => part.text).join('\n');
    const { passages } = Answer.parse(answer.structuredContent);
    const [first] = passages;
    const cited = first === undefined ? '' : first.url.replace(/^https?:\/\/[^/]+/, '');
    const printed = await grep(store, source, question.grep);
    results.push({
      ...question,
      isChecked: cited === question.cited,
      tokens: estimateTokens(text),
      firstTokens: estimateTokens(first?.text ?? ''),
      grepTokens: estimateTokens(printed),
    });
    if (options.print)
      console.log(
        `=== ${source}: ${query}\n${cited} ${first?.headings.at(-1) ?? ''}\n${first?.text ?? ''}\n--- grep\n${printed.slice(0, 4 * GREP_BUDGET)}`,
      );
  }
} finally {
  await server.stop();
  await store.close();
}

const checked = results.filter(({ isChecked }) => isChecked);
const count = (has: (one: (typeof checked)[number]) => boolean): number => checked.filter(has).length;
const median = (of: (one: (typeof results)[number]) => number): number => percentile(results.map(of), 0.5);
const result = {
  questions: results.length,
  checked: checked.length,
  answeredByFirstPassage: count(({ isAnswered }) => isAnswered),
  headingRight: count(({ isHeadingRight }) => isHeadingRight),
  answeredByGrep: count(({ isAnsweredByGrep }) => isAnsweredByGrep),
  firstPassageTokensP50: median(({ firstTokens }) => firstTokens),
  answerTokensP50: median(({ tokens }) => tokens),
  grepTokensP50: median(({ grepTokens }) => grepTokens),
  grepTokensMean: Math.round(mean(results.map(({ grepTokens }) => grepTokens))),
};
if (options.write === undefined) process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
else writeResult(options.write, result);
