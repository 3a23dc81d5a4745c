import { describe, expect, test } from 'vitest';
import { documentFixture } from '../../../../test/support/document-fixture.ts';
import { bundleLimits } from '../chunker.ts';
import { markdownChunker } from './markdown-chunker.ts';

const limits = { targetChars: 120, capChars: 240, maxChunks: 100 };
const filler = (words: number): string => 'some words of text '.repeat(words).trim();

describe('a section', () => {
  test('is one chunk with its subsections if they fit', () => {
    const text = `# T\n\n${filler(8)}\n\n## A\n\na\n\n### B\n\nb\n\n## C\n\nc\n`;
    const { chunks } = markdownChunker.chunk(documentFixture(text), limits);
    expect(chunks.map(({ headings }) => headings)).toEqual([['T'], ['T', 'A'], ['T', 'C']]);
    expect(chunks[1]?.text).toBe('## A\n\na\n\n### B\n\nb');
  });

  test('without text goes with its first subsection', () => {
    const text = `# T\n\n## Empty\n\n### First\n\n${filler(5)}\n\n### Second\n\n${filler(5)}\n`;
    const { chunks } = markdownChunker.chunk(documentFixture(text), limits);
    expect(chunks.map(({ headings }) => headings)).toEqual([
      ['T', 'Empty', 'First'],
      ['T', 'Empty', 'Second'],
    ]);
    expect(chunks[0]?.text).toMatch(/^# T\n\n## Empty\n\n### First/);
  });

  test('takes anchor and text from the outline', () => {
    const text = `# T\n\n${filler(7)}\n\n## Some *heading*\n\n${filler(7)}\n`;
    const outline = [{ level: 2, text: 'Some heading', anchor: 'some-heading-1', line: 5 }];
    const { chunks } = markdownChunker.chunk(documentFixture(text, { outline }), limits);
    expect(chunks.at(-1)).toMatchObject({ headings: ['T', 'Some heading'], anchor: 'some-heading-1' });
  });
});

describe('a file', () => {
  const headingsOf = (text: string, title = 'T') => {
    const { chunks } = markdownChunker.chunk(documentFixture(text, { title }), { ...bundleLimits });
    return chunks.map(({ headings }) => headings.join(' > '));
  };

  test('is cut at every heading with text below it, whatever its length', () => {
    const text =
      '# Widget SDK\n\nIt bends.\n\n## Install\n\nrun\n\n### From source\n\nmake\n\n###### Deep\n\nd\n\n## Errors\n\nnone\n';
    const widget = ['', ' > Install', ' > Install > From source', ' > Install > From source > Deep', ' > Errors'];
    expect(headingsOf(text, 'Widget SDK')).toEqual(widget.map((path) => `Widget SDK${path}`));
  });

  test('with a heading without text gives it to its first subsection', () => {
    expect(headingsOf('# T\n\n## Empty\n\n### First\n\na\n\n### Second\n\nb\n')).toEqual([
      'T > Empty > First',
      'T > Empty > Second',
    ]);
  });

  test('with several headings of level 1 has a path for each', () => {
    expect(headingsOf('# One\n\na\n\n## Part\n\nb\n\n# Two\n\nc\n\n## Part\n\nd\n', 'One')).toEqual([
      'One',
      'One > Part',
      'Two',
      'Two > Part',
    ]);
  });

  test('without a heading is one chunk under its title', () => {
    expect(headingsOf('Only text.\n')).toEqual(['T']);
  });
});

test('sections of a page without a level-1 heading are below its title', () => {
  const text = `${filler(7)}\n\n## A\n\n${filler(7)}\n`;
  const { chunks } = markdownChunker.chunk(documentFixture(text, { title: 'Title' }), limits);
  expect(chunks.map(({ headings }) => headings)).toEqual([['Title'], ['Title', 'A']]);
});

test('a list that fits the target is not cut', () => {
  const list = ['- one of them', '- two of them', '- three of them', '- four of them'].join('\n');
  const text = `# T\n\n${filler(6)}\n\n${list}\n\n${filler(6)}\n`;
  const { chunks } = markdownChunker.chunk(documentFixture(text), limits);
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.some((chunk) => chunk.text.includes(list))).toBe(true);
});

test('a fence that fits the cap is not cut', () => {
  const fence = `\`\`\`js\n${'call();\n'.repeat(25)}\`\`\``;
  const { chunks } = markdownChunker.chunk(
    documentFixture(`# T\n\n${filler(6)}\n\n${fence}\n\n${filler(6)}\n`),
    limits,
  );
  expect(chunks.some((chunk) => chunk.text.includes(fence))).toBe(true);
});

test('a paragraph that introduces code stays with it', () => {
  const text = `# T\n\n${filler(4)}\n\nRun this:\n\n\`\`\`\ncall\n\`\`\`\n\n${filler(4)}\n`;
  const { chunks } = markdownChunker.chunk(documentFixture(text), limits);
  expect(chunks.some((chunk) => chunk.text.includes('Run this:\n\n```'))).toBe(true);
});
