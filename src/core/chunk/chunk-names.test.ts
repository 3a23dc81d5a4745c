import { expect, test } from 'vitest';
import { sha256Hex } from '../model/hash.ts';
import { chunkId } from '../model/chunk.ts';
import { pageUrl } from '../model/page-url.ts';
import { chunkRef, chunkSlug, shortChunkId } from './chunk-names.ts';
import { chunkPath } from './chunk-path.ts';

test('refs count in base 36 from c0001', () => {
  expect([0, 34, 35, 36 ** 4 - 1].map(chunkRef)).toEqual(['c0001', 'c000z', 'c0010', 'c10000']);
});

test('the id is the hash of path, content hash and number', () => {
  const hash = sha256Hex('text');
  expect(chunkId('a.md', hash, 0)).toBe(sha256Hex(`a.md\n${hash}\n0`));
  expect(shortChunkId(chunkId('a.md', hash, 0))).toHaveLength(12);
});

test.each([
  [{ symbol: 'fs.readFileSync', headings: ['File system'], address: null }, 'fs-readfilesync'],
  [{ symbol: null, headings: ['T', 'When a request fails?'], address: null }, 'when-a-request-fails'],
  [{ symbol: null, headings: ['日本語'], address: null }, '日本語'],
  [{ symbol: null, headings: ['../../etc/passwd'], address: null }, 'etc-passwd'],
  [{ symbol: null, headings: [], address: '$.key' }, 'key'],
  [{ symbol: null, headings: ['!'], address: null }, 'chunk'],
])('the slug of %j', (chunk, slug) => {
  expect(chunkSlug(chunk)).toBe(slug);
});

test('a slug is short', () => {
  expect(chunkSlug({ symbol: 'x'.repeat(500), headings: [], address: null })).toHaveLength(60);
});

test('a file is named by its path inside the folder, a page by its URL', () => {
  expect(chunkPath(pageUrl('file:///docs/a%20b.md'))).toBe('docs/a b.md');
  expect(chunkPath(pageUrl('https://x.dev/a'))).toBe('https://x.dev/a');
});
