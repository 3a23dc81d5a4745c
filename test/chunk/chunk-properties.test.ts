// What holds for the chunks of any document.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bundleLimits, type Chunker, type ChunkLimits, type ChunkResult } from '../../src/core/chunk/chunker.ts';
import { htmlChunker } from '../../src/core/chunk/html/html-chunker.ts';
import { joinChunks } from '../../src/core/chunk/join-chunks.ts';
import { jsonChunker } from '../../src/core/chunk/data/json-chunker.ts';
import { markdownChunker } from '../../src/core/chunk/markdown/markdown-chunker.ts';
import { openapiChunker } from '../../src/core/chunk/data/openapi-chunker.ts';
import { textChunker } from '../../src/core/chunk/text-chunker.ts';
import { aDocument } from './document-fixture.ts';
import { markdownText } from './arbitrary-markdown.ts';
import { openFence } from './open-fence.ts';

const small: ChunkLimits = { targetChars: 300, capChars: 600, maxChunks: 100_000 };
const limits = fc.constantFrom(small, { ...small, capChars: 300 }, { ...bundleLimits, maxChunks: 100_000 });
const anyText = fc.oneof(
  markdownText,
  fc.string({ maxLength: 3000 }),
  fc.stringMatching(/^[#>`~|\-+*<\d.) \n\ta-c:=]{0,400}$/),
);

function cut(chunker: Chunker, text: string, given: ChunkLimits): ChunkResult {
  return chunker.chunk(aDocument(text, { format: chunker.formats[0]! }), given);
}

function withoutEmptyEdges(text: string): string {
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
  [openapiChunker, fc.oneof(fc.json(), anyText)],
];

describe.each(lossless)('$name chunks', (chunker, texts) => {
  test('join back to the text of the document', () => {
    fc.assert(
      fc.property(texts, limits, (text, given) => {
        fc.pre(text.trim() !== '');
        expect(joinChunks(cut(chunker, text, given))).toBe(withoutEmptyEdges(text));
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test('are never longer than the cap, and a word cut in two is reported', () => {
    fc.assert(
      fc.property(texts, limits, (text, given) => {
        const { chunks, warnings } = cut(chunker, text, given);
        for (const chunk of chunks) expect(chunk.text.length).toBeLessThanOrEqual(given.capChars);
        const longestWord = Math.max(0, ...text.split(/\s/).map((word) => word.length));
        // Data is cut between its members first, also inside what looks like one word.
        const isProse = chunker === markdownChunker || chunker === textChunker;
        if (isProse && longestWord > given.capChars) expect(warnings.map(({ kind }) => kind)).toContain('line-cut');
      }),
      { numRuns: 200, seed: 2 },
    );
  });

  test.each(['', '\n', ' \n\t\n'])('a document of blanks has none (%j)', (text) => {
    expect(cut(chunker, text, small).chunks).toEqual([]);
  });

  test('have ids of their own, and lines in order', () => {
    fc.assert(
      fc.property(texts, limits, (text, given) => {
        const { chunks } = cut(chunker, text, given);
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
    fc.property(markdownText, limits, (text, given) => {
      for (const chunk of cut(markdownChunker, text, given).chunks) expect(openFence(chunk.text)).toBeNull();
    }),
    { numRuns: 500, seed: 4 },
  );
});

test('a fence that the document never closes is closed in its chunks', () => {
  const { chunks } = cut(markdownChunker, `# T\n\n\`\`\`js\n${'code();\n'.repeat(3000)}`, bundleLimits);
  expect(chunks.length).toBeGreaterThan(2);
  for (const chunk of chunks) {
    expect(openFence(chunk.text)).toBeNull();
    expect(chunk.text).toContain('```js\n');
    expect(chunk.headings).toEqual(['T']);
  }
});

test('[C4] the letters of an HTML page are in its chunks, in their order, and its scripts are not', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 200 }), (words) => {
      const tags = ['<p>', '<h2>', '</h2>', '<li>', '<b>', '<td>', '</div>', '<script>hidden()</script>'];
      const html = words.map((word, at) => `${tags[(at * 7 + word.length) % tags.length]} ${word}\n`).join('');
      const { chunks } = cut(htmlChunker, html, small);
      const letters = chunks.map(({ text }) => text.replaceAll(/[^a-z]/g, '')).join('');
      expect(letters).toBe(words.join(''));
    }),
    { numRuns: 200, seed: 5 },
  );
});
