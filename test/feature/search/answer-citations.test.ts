// Answers over the project's own documentation: what is shown is under the cited heading and in the cited lines, the best
// passage is first, a larger budget shows at least as much, and the answer can be continued.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { answerPassages, type Passage, type PassageAnswer } from '../../../src/core/answer/answer-passages.ts';
import { bundleLimits } from '../../../src/core/chunk/chunker.ts';
import { markdownChunker } from '../../../src/core/chunk/markdown/markdown-chunker.ts';
import { markdown } from '../../../src/core/extract/markdown/markdown.ts';
import { createMemoryIndex, type MemoryPage } from '../../../src/core/lexical/segment/memory-index.ts';
import type { IndexReader } from '../../../src/core/lexical/query/index-reader.ts';
import { answerMarkdown } from '../../../src/core/answer/cited-markdown.ts';
import type { Document } from '../../../src/core/model/document.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import type { SourceId, VersionId } from '../../../src/core/model/run.ts';
import { pageSections } from '../../../src/core/outline/heading-path.ts';
import { retrievePages } from '../../../src/core/rank/lexical-retrieval.ts';
import { stripLinkTargets } from '../../../src/core/rank/strip-link-targets.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const VERSION = 1 as VersionId;
const SOURCE = {
  id: 1 as SourceId,
  name: 'handbook',
  versions: [{ id: VERSION, label: '1.0', declaredVersion: null, hasPages: true }],
};
const BUDGETS = [200, 500, 1000, 2000, 4000, 8000];
const QUERIES = [
  'fencing token',
  'rate limit of a host',
  'PINAKES_DATA_DIR',
  'export a bundle',
  'what happens after kill -9',
  'pinakes search --source',
];

const documents = new Map<string, Document>();
let index: IndexReader;

beforeAll(() => {
  const pages = globSync('**/*.md', { cwd: DOCS, exclude: ['site/**'] }).map((path): MemoryPage => {
    const url = pageUrl(`https://docs.example.dev/${path}`);
    const { document } = markdown.extract({ url, mediaType: 'text/markdown', body: readFileSync(join(DOCS, path)) });
    documents.set(url, document);
    const { chunks } = markdownChunker.chunk(document, bundleLimits);
    return { url, title: document.title, pageKind: null, checkedAt: new Date(0), chunks, outline: document.outline };
  });
  index = createMemoryIndex([{ id: VERSION, source: SOURCE.id, pages }]);
});

async function answer(query: string, budget: number, offset = 0, limit = 50): Promise<PassageAnswer> {
  const results = await retrievePages(index, query, { versions: [VERSION], names: new Map() });
  return answerPassages(index, results, { sources: [SOURCE], budget, limit, offset });
}

const addressOf = ({ url }: Passage): string => url.split('#', 1)[0] ?? '';

/** A truncated line has an ellipsis at its cut ends. */
function isIn(line: string, cited: readonly string[]): boolean {
  // A heading below the cited one is shown without its markup.
  if (/^#+ /.test(line)) return cited.some((one) => one.replaceAll(/[`*_]/g, '') === line.replaceAll(/[`*_]/g, ''));
  const part = line.replace(/^… /, '').replace(/ …$/, '');
  return cited.some((one) => (part === line ? one === line : one.includes(part)));
}

/** A table or fence that was cut begins again with its first lines, and a fence is closed. */
function isRepeated(line: string, lines: readonly string[]): boolean {
  if (/^\s*(?:```|~~~)/.test(line)) return true;
  const at = lines.indexOf(line);
  return [lines[at], lines[at + 1]].some((one) => /^\s*\|(?: *:?-+:? *\|)+$/.test(one ?? ''));
}

describe.each(QUERIES)('%s', (query) => {
  test('every line is under the cited heading and in the cited lines (finding T1.3)', async () => {
    const { passages } = await answer(query, 4000);
    expect(passages.length).toBeGreaterThan(0);
    for (const passage of passages) {
      const document = documents.get(addressOf(passage))!;
      const lines = stripLinkTargets(document.text).split('\n');
      const cited = lines.slice(passage.lines.first - 1, passage.lines.last);
      const shown = passage.text.split('\n').filter((line) => line.trim() !== '' && line !== '…');
      expect(shown.filter((line) => !isIn(line, cited) && !isRepeated(line, lines))).toEqual([]);
      const sections = pageSections(document.title, document.outline);
      for (let line = passage.lines.first; line <= passage.lines.last; line += 1) {
        const headings = sections.findLast((section) => section.line <= line)?.headings ?? [document.title];
        expect(headings.slice(0, passage.headings.length)).toEqual(passage.headings);
      }
      const anchors = sections.filter((section) => section.headings.join() === passage.headings.join());
      expect(['', ...anchors.map(({ anchor }) => `#${anchor}`)]).toContain(
        passage.url.slice(addressOf(passage).length),
      );
    }
  });

  test('a larger budget shows all that a smaller one does, and none is exceeded (finding T1.2)', async () => {
    let before: readonly Passage[] = [];
    for (const budget of BUDGETS) {
      const { passages, tokens } = await answer(query, budget);
      expect(tokens).toBeLessThanOrEqual(budget);
      expect(Math.ceil(answerMarkdown(passages).length / 4)).toBe(tokens);
      const shown = passages.map((passage) => `${addressOf(passage)} ${passage.text}`).join('\n');
      for (const passage of before) {
        for (const line of passage.text.split('\n').filter((one) => !one.includes('…'))) expect(shown).toContain(line);
      }
      before = passages;
    }
  });

  test('each passage is one section, and no section is shown twice (finding T1)', async () => {
    const { passages } = await answer(query, 8000);
    const sections = passages.map((passage) => `${addressOf(passage)} ${passage.headings.join('\n')} ${passage.url}`);
    expect(new Set(sections).size).toBe(sections.length);
  });

  test('the limit keeps the best passage, without gaps or repeats (finding T1.1)', async () => {
    const whole = await answer(query, 8000);
    const [first] = whole.passages;
    const one = await answer(query, 8000, 0, 1);
    expect(one.passages).toHaveLength(1);
    expect(addressOf(one.passages[0]!)).toBe(addressOf(first!));
    const seen: string[] = [];
    let next: number | null = 0;
    for (let round = 0; next !== null && round < 200; round += 1) {
      const part: PassageAnswer = await answer(query, 1000, next, 3);
      seen.push(...part.passages.map((passage) => `${passage.url} ${passage.headings.join()}`));
      next = part.nextOffset;
    }
    expect(next).toBeNull();
    expect(new Set(seen).size).toBe(seen.length);
    const cited = whole.passages.map((passage) => `${passage.url} ${passage.headings.join()}`);
    expect(seen).toEqual(expect.arrayContaining(cited));
  });
});
