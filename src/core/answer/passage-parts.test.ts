import { describe, expect, test } from 'vitest';
import { parseQuery, queryTerms } from '../lexical/query/parsed-query.ts';
import { pageSections } from '../outline/heading-path.ts';
import { passageParts, type PassagePart } from './passage-parts.ts';
import { snippet } from './snippet.ts';

const TEXT = 'A paragraph that says enough to be read alone, without what stands before or behind it.';

function partsOf(text: string, sections: ReturnType<typeof pageSections> = []): PassagePart[] {
  const lines = { first: 1, last: text.split('\n').length };
  return passageParts({ headings: ['Page'], anchor: null, lines, text }, sections);
}

const textsOf = (text: string): string[] => partsOf(text).map((part) => part.text);

describe('parts of a passage', () => {
  test('a line ending in a colon and a short block stay with what follows', () => {
    const blocks = [TEXT, 'Like this:', '```js\npool();\n```', 'A note', TEXT];
    expect(textsOf(blocks.join('\n\n'))).toEqual([TEXT, 'Like this:\n\n```js\npool();\n```', `A note\n\n${TEXT}`]);
  });

  test('each part has the heading, anchor and lines of its own text', () => {
    const text = `${TEXT}\n\n## Pool\n\n${TEXT}\n\n### Size\n\n${TEXT}`;
    const sections = pageSections('Page', [
      { level: 2, text: 'Pool', anchor: 'pool', line: 3 },
      { level: 3, text: 'Size', anchor: 'size', line: 7 },
    ]);
    expect(partsOf(text, sections)).toMatchObject([
      { headings: ['Page'], anchor: null, lines: { first: 1, last: 1 }, text: TEXT },
      { headings: ['Page', 'Pool'], anchor: 'pool', lines: { first: 5, last: 5 }, text: TEXT },
      { headings: ['Page', 'Pool', 'Size'], anchor: 'size', lines: { first: 9, last: 9 }, text: TEXT },
    ]);
  });

  test('a signature stays with its description, and the text after it belongs to the section again', () => {
    const signature = '`pool.open(size, timeout, retries)` opens a pool with so many connections that it is long';
    const text = `## Pool\n\n${TEXT}\n\n${signature}\n\n${TEXT}\n\n${TEXT}`;
    const sections = pageSections('Page', [
      { level: 2, text: 'Pool', anchor: 'pool', line: 1 },
      { level: 3, text: 'open', anchor: 'open', line: 5, definition: { symbol: 'pool.open', lastLine: 7 } },
    ]);
    expect(partsOf(text, sections)).toMatchObject([
      { anchor: 'pool', lines: { first: 3, last: 3 } },
      { anchor: 'open', lines: { first: 5, last: 7 }, text: `${signature}\n\n${TEXT}` },
      { anchor: 'pool', lines: { first: 9, last: 9 } },
    ]);
    const after = passageParts(
      { headings: ['Page'], anchor: null, lines: { first: 9, last: 9 }, text: TEXT },
      sections,
    );
    expect(after).toMatchObject([{ headings: ['Page', 'Pool'], anchor: 'pool' }]);
  });

  test('the items of a long list are parts, short ones together', () => {
    const item = (name: string) => `- ${name}: ${TEXT} ${TEXT} ${TEXT}`;
    expect(textsOf([item('a'), item('b'), '- c', '- d'].join('\n'))).toEqual([item('a'), item('b'), '- c\n- d']);
    expect(textsOf('- a\n- b\n- c')).toEqual(['- a\n- b\n- c']);
  });

  test('lines that were added to a chunk do not shift its headings', () => {
    const sections = pageSections('Page', [{ level: 2, text: 'Pool', anchor: 'pool', line: 13 }]);
    const text = `\`\`\`js\nlast();\n\`\`\`\n\n## Pool\n\n${TEXT}`;
    const parts = passageParts({ headings: ['Page'], anchor: null, lines: { first: 10, last: 15 }, text }, sections);
    expect(parts.at(-1)).toMatchObject({ headings: ['Page', 'Pool'], lines: { first: 15, last: 15 }, text: TEXT });
  });

  test('a fence in a list is one part with its blank lines (finding B16)', () => {
    const step = 'Create a pool before the server starts, and close it when the server stops, as the example shows.';
    const code = '    ```js\n    const pool = open();\n\n    close(pool);\n    ```';
    expect(textsOf(`1. ${step}\n\n${code}\n\n2. ${step}`)).toEqual([`1. ${step}`, code, `2. ${step}`]);
    const inline = `\`\`\`pool\`\`\` is the name of the pool. ${step}`;
    expect(textsOf(`${inline}\n\n${step}`)).toEqual([inline, step]);
  });
});

describe('a snippet', () => {
  const terms = queryTerms('pool size', 0.2);
  const query = parseQuery('pool size', terms);

  test('shows the blocks around the terms and marks omissions', () => {
    const text = `${'Nothing here. '.repeat(30)}\n\nThe pool size is ten.\n\n${'Nothing there. '.repeat(30)}`;
    expect(snippet(query, text, 60)).toBe('…\nThe pool size is ten.\n…');
  });

  test('closes a truncated code fence', () => {
    const code = `\`\`\`js\n${'const pool = size();\n'.repeat(50)}\`\`\``;
    const shown = snippet(query, code, 200);
    expect(shown.length).toBeLessThanOrEqual(200);
    expect(shown.match(/```/g)).toHaveLength(2);
  });

  test('a truncated fence in a list is closed where it was opened (finding B16)', () => {
    const code = ['   ```js', ...Array.from({ length: 40 }, () => '   pool(size);'), '   ```'].join('\n');
    expect(snippet(query, `1. a\n\n${code}`, 200)).toMatch(/^…\n {3}```js\n(?: {3}pool\(size\);\n)+…\n {3}```$/);
  });

  test('a list that is cut between sentences keeps its lines', () => {
    const list = '- Nothing is here.\n- The pool size is ten.\n- Another is here. And more.\n- The last one.';
    expect(snippet(query, list, 60)).toBe('…\n- The pool size is ten.\n- Another is here. …');
  });

  test('shows more of the same with more characters', () => {
    const text = Array.from({ length: 30 }, (_, at) => `Sentence ${at} is about the pool ${at === 12 ? 'size' : ''}.`);
    const shown = [120, 240, 480, 960].map((chars) => snippet(query, text.join(' '), chars));
    shown.slice(1).forEach((larger, at) => expect(larger).toContain(shown[at]!.replaceAll('…', '').trim()));
  });
});
