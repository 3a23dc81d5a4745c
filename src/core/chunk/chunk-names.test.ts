import { expect, test } from 'vitest';
import { chunkId } from '../model/chunk.ts';
import { sha256Hex } from '../model/hash.ts';
import { pageUrl } from '../model/page-url.ts';
import { chunkPath, chunkRef, chunkSlug, shortChunkId } from './chunk-names.ts';

test('refs count in base 36 from c0001', () => {
  expect([0, 34, 35, 36 ** 4 - 1].map(chunkRef)).toEqual(['c0001', 'c000z', 'c0010', 'c10000']);
});

test('the id is the hash of path, content hash and occurrence', () => {
  const hash = sha256Hex('text');
  expect(chunkId('a.md', hash, 0)).toBe(sha256Hex(`a.md\n${hash}\n0`));
  expect(shortChunkId(chunkId('a.md', hash, 0))).toHaveLength(12);
});

test.each([
  [{ symbol: 'fs.readFileSync', headings: ['File system'], jsonPath: null }, 'fs-readfilesync'],
  [{ symbol: null, headings: ['T', 'When a request fails?'], jsonPath: null }, 'when-a-request-fails'],
  [{ symbol: null, headings: ['日本語'], jsonPath: null }, '日本語'],
  [{ symbol: null, headings: ['../../etc/passwd'], jsonPath: null }, 'etc-passwd'],
  [{ symbol: null, headings: [], jsonPath: '$.key' }, 'key'],
  [{ symbol: null, headings: ['!'], jsonPath: null }, 'chunk'],
])('the slug of %j', (chunk, slug) => {
  expect(chunkSlug(chunk, '')).toBe(slug);
});

test.each([
  ['docs/install.md', 'install-when-it-fails'],
  ['https://x.dev/guide/', 'guide-when-it-fails'],
  ['https://x.dev/', 'x-when-it-fails'],
  ['.env.example', 'env-when-it-fails'],
  [`${'long'.repeat(20)}.md`, 'longlonglonglonglonglonglong-when-it-fails'],
])('the slug of a chunk of %s begins with the name of its file', (path, slug) => {
  expect(chunkSlug({ symbol: null, headings: ['When it fails'], jsonPath: null }, path)).toBe(slug);
});

test('a slug has at most 60 characters', () => {
  expect(chunkSlug({ symbol: 'x'.repeat(500), headings: [], jsonPath: null }, 'a.md')).toHaveLength(60);
});

test('the path of a file is relative to its folder, the path of a page is its URL', () => {
  expect(chunkPath(pageUrl('file:///docs/a%20b.md'))).toBe('docs/a b.md');
  expect(chunkPath(pageUrl('https://x.dev/a'))).toBe('https://x.dev/a');
});
