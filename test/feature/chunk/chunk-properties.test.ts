// Properties of the chunks of any document.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { bundleLimits, type Chunker, type ChunkLimits, type ChunkResult } from '../../../src/core/chunk/chunker.ts';
import { jsonChunker } from '../../../src/core/chunk/data/json-chunker.ts';
import { yamlChunker } from '../../../src/core/chunk/data/yaml-chunker.ts';
import { joinChunks } from '../../../src/core/chunk/finalize-chunks.ts';
import { markdownChunker } from '../../../src/core/chunk/markdown/markdown-chunker.ts';
import { textChunker } from '../../../src/core/chunk/text-chunker.ts';
import { extractHtml } from '../../../src/core/extract/html/extract-html.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { markdownText } from '../../support/arbitrary-markdown.ts';
import { documentFixture } from '../../support/document-fixture.ts';
import { openFence } from '../../support/open-fence.ts';

const small: ChunkLimits = { targetChars: 300, capChars: 600, maxChunks: 100_000 };
const limits = fc.constantFrom(small, { ...small, capChars: 300 }, { ...bundleLimits, maxChunks: 100_000 });
const anyText = fc.oneof(
  markdownText,
  fc.string({ maxLength: 3000 }),
  fc.stringMatching(/^[#>`~|\-+*<\d.) \n\ta-c:=]{0,400}$/),
);

function chunkText(chunker: Chunker, text: string, chunkLimits: ChunkLimits): ChunkResult {
  return chunker.chunk(documentFixture(text, { format: chunker.formats[0]! }), chunkLimits);
}

function trimEmptyLines(text: string): string {
  return text.replace(/^\n+/, '').replace(/\n+$/, '');
}

const lossless: ReadonlyArray<readonly [Chunker, fc.Arbitrary<string>]> = [
  [markdownChunker, anyText],
  [textChunker, anyText],
  [
    jsonChunker,
    fc.oneof(
      fc.json({ maxDepth: 6 }),
      fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
      anyText,
    ),
  ],
  [
    yamlChunker,
    fc.oneof(
      fc.jsonValue().map((value) => stringify(value)),
      fc.array(fc.jsonValue()).map((values) => values.map((value) => stringify(value)).join('---\n')),
      fc.stringMatching(/^[-?:#&*!|>%{}[\],'" \na-c]{0,400}$/),
      anyText,
    ),
  ],
];

describe.each(lossless)('$name chunks', (chunker, texts) => {
  test('join to the text of the document', () => {
    fc.assert(
      fc.property(texts, limits, (text, chunkLimits) => {
        fc.pre(text.trim() !== '');
        expect(joinChunks(chunkText(chunker, text, chunkLimits))).toBe(trimEmptyLines(text));
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test('are never longer than the cap, and a cut word is reported', () => {
    fc.assert(
      fc.property(texts, limits, (text, chunkLimits) => {
        const { chunks, warnings } = chunkText(chunker, text, chunkLimits);
        for (const chunk of chunks) expect(chunk.text.length).toBeLessThanOrEqual(chunkLimits.capChars);
        const longestWord = Math.max(0, ...text.split(/\s/).map((word) => word.length));
        // Data is cut between its members first, even inside what looks like one word.
        const isProse = chunker === markdownChunker || chunker === textChunker;
        if (isProse && longestWord > chunkLimits.capChars)
          expect(warnings.map(({ kind }) => kind)).toContain('line-cut');
      }),
      { numRuns: 200, seed: 2 },
    );
  });

  test.each(['', '\n', ' \n\t\n'])('there are none for a blank document (%j)', (text) => {
    expect(chunkText(chunker, text, small).chunks).toEqual([]);
  });

  test('have unique ids and ascending lines', () => {
    fc.assert(
      fc.property(texts, limits, (text, chunkLimits) => {
        const { chunks } = chunkText(chunker, text, chunkLimits);
        expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length);
        let previous = 1;
        for (const { lines } of chunks) {
          expect(lines.first).toBeGreaterThanOrEqual(previous);
          expect(lines.last).toBeGreaterThanOrEqual(lines.first);
          previous = lines.last;
        }
      }),
      { numRuns: 200, seed: 3 },
    );
  });
});

test('[C2] every fence is balanced in every Markdown chunk', () => {
  fc.assert(
    fc.property(markdownText, limits, (text, chunkLimits) => {
      for (const chunk of chunkText(markdownChunker, text, chunkLimits).chunks)
        expect(openFence(chunk.text)).toBeNull();
    }),
    { numRuns: 500, seed: 4 },
  );
});

test('a fence that the document never closes is closed in its chunks', () => {
  const { chunks } = chunkText(markdownChunker, `# T\n\n\`\`\`js\n${'code();\n'.repeat(3000)}`, bundleLimits);
  expect(chunks.length).toBeGreaterThan(2);
  for (const chunk of chunks) {
    expect(openFence(chunk.text)).toBeNull();
    expect(chunk.text).toContain('```js\n');
    expect(chunk.headings).toEqual(['T']);
  }
});

test('[C4] the chunks of an HTML page have all its letters in order and none of its scripts', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 200 }), (words) => {
      const tags = ['<p>', '<h2>', '</h2>', '<li>', '<b>', '<td>', '</div>', '<script>hidden()</script>'];
      const html = words.map((word, at) => `${tags[(at * 7 + word.length) % tags.length]} ${word}\n`).join('');
      const extracted = extractHtml({ url: pageUrl('https://docs.example.dev/guide'), html });
      const { chunks } = chunkText(markdownChunker, extracted.text, small);
      const letters = chunks.map(({ text }) => text.replaceAll(/[^a-z]/g, '')).join('');
      expect(letters).toBe(words.join(''));
    }),
    { numRuns: 200, seed: 5 },
  );
});

test('names that are escaped in structured data have no hidden characters (finding B11)', () => {
  const value = { ['a\0\u202E b']: 'x'.repeat(400), c: 'y'.repeat(400) };
  const { chunks } = chunkText(jsonChunker, JSON.stringify(value, null, 2), small);
  // oxlint-disable-next-line no-control-regex
  for (const { symbol, jsonPath } of chunks) expect(`${symbol} ${jsonPath}`).not.toMatch(/[\0\u202E]/);
});
