// What holds for the chunks of documents that people wrote: the manuals and read-me files of the packages that are
// installed for development.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleLimits, type ChunkLimits } from '../../src/core/chunk/chunker.ts';
import { joinChunks } from '../../src/core/chunk/join-chunks.ts';
import { markdownChunker } from '../../src/core/chunk/markdown/markdown-chunker.ts';
import { aDocument } from './document-fixture.ts';
import { openFence } from './open-fence.ts';

const root = join(import.meta.dirname, '..', '..');
const PATTERNS = ['node_modules/undici/docs/**/*.md', 'node_modules/*/README.md', 'node_modules/@*/*/README.md'];
const LARGEST = 300_000;

const texts = PATTERNS.flatMap((pattern) => globSync(pattern, { cwd: root }))
  .toSorted()
  .map((path) => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n'))
  .filter((text) => text.trim() !== '' && text.length < LARGEST);

const sizes: ReadonlyArray<readonly [string, ChunkLimits]> = [
  ['search', { targetChars: 1200, capChars: 2400, maxChunks: 100_000 }],
  ['bundles', { ...bundleLimits, maxChunks: 100_000 }],
];

test('there are enough documents to say something', () => {
  expect(texts.length).toBeGreaterThan(100);
});

test.each(sizes)(
  'cut for %s, they join back, stay within the cap, close their fences and have ids of their own',
  (_, given) => {
    for (const text of texts) {
      const result = markdownChunker.chunk(aDocument(text, { format: 'markdown' }), given);
      expect(joinChunks(result)).toBe(text.replace(/^\n+/, '').replace(/\n+$/, ''));
      expect(new Set(result.chunks.map(({ id }) => id)).size).toBe(result.chunks.length);
      for (const chunk of result.chunks) {
        expect(chunk.text.length).toBeLessThanOrEqual(given.capChars);
        expect(openFence(chunk.text)).toBeNull();
      }
    }
  },
);
