// Properties of the chunks of real documents: the manuals and README files of the installed development packages.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleLimits, type ChunkLimits } from '../../../src/core/chunk/chunker.ts';
import { joinChunks } from '../../../src/core/chunk/finalize-chunks.ts';
import { markdownChunker } from '../../../src/core/chunk/markdown/markdown-chunker.ts';
import { documentFixture } from '../../support/document-fixture.ts';
import { openFence } from '../../support/open-fence.ts';

const root = join(import.meta.dirname, '../../..');
const PATTERNS = ['node_modules/undici/docs/**/*.md', 'node_modules/*/README.md', 'node_modules/@*/*/README.md'];
const MAX_DOCUMENT_CHARS = 300_000;

const texts = PATTERNS.flatMap((pattern) => globSync(pattern, { cwd: root }))
  .toSorted()
  .map((path) => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n'))
  .filter((text) => text.trim() !== '' && text.length < MAX_DOCUMENT_CHARS);

const sizes: ReadonlyArray<readonly [string, ChunkLimits]> = [
  ['search', { targetChars: 1200, capChars: 2400, maxChunks: 100_000 }],
  ['bundles', { ...bundleLimits, maxChunks: 100_000 }],
];

test('there are more than 100 documents', () => {
  expect(texts.length).toBeGreaterThan(100);
});

test.each(sizes)(
  'chunks for %s join to the text, stay within the cap, close their fences and have unique ids',
  (_, limits) => {
    for (const text of texts) {
      const result = markdownChunker.chunk(documentFixture(text, { format: 'markdown' }), limits);
      expect(joinChunks(result)).toBe(text.replace(/^\n+/, '').replace(/\n+$/, ''));
      expect(new Set(result.chunks.map(({ id }) => id)).size).toBe(result.chunks.length);
      for (const chunk of result.chunks) {
        expect(chunk.text.length).toBeLessThanOrEqual(limits.capChars);
        expect(openFence(chunk.text)).toBeNull();
      }
    }
  },
);
