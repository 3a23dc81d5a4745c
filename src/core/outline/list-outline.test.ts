import { expect, test } from 'vitest';
import { compareChunks } from '../chunk/chunk-names.ts';
import { createEntry } from '../../../test/support/index-entry.ts';
import { estimateTokens } from '../model/chunk.ts';
import { getChunk, listOutline, listSymbols } from './list-outline.ts';

const file = { title: 'File system' };
const cli = { title: 'Command line' };
const entries = [
  createEntry('/fs', 'Reads the whole file and blocks until it is done.', {
    ...file,
    headings: ['File system', 'fs.readFileSync'],
    symbol: 'fs.readFileSync',
    anchor: 'fsreadfilesync',
  }),
  createEntry('/fs', 'Reads a file. Use read and sync and file together.', {
    ...file,
    headings: ['File system', 'fs.readFile'],
    symbol: 'fs.readFile',
    lines: { first: 9, last: 9 },
  }),
  createEntry('/cli', 'The heap grows up to --max-old-space-size megabytes.', cli),
  createEntry('/cli', 'const heap = max(old, space);', { ...cli, passageKind: 'code', lines: { first: 5, last: 5 } }),
  createEntry('/ja', '全文検索エンジンの設計', { title: '検索' }),
].sort(compareChunks);
const index = { entries };

test('a chunk is found by its id, an id prefix, and its ref', () => {
  const [first] = index.entries;
  expect(getChunk(index, first!.chunk.id)).toBe(first);
  expect(getChunk(index, first!.chunk.id.slice(0, 12))).toBe(first);
  expect(getChunk(index, 'c0001')).toBe(first);
  for (const unknown of ['', 'c0009', 'c9999', 'abc', '0'.repeat(12), '../x'])
    expect(getChunk(index, unknown)).toBeNull();
});

test('the outline lists pages and their sections in order', () => {
  expect(listOutline(index, { pathPrefix: '/fs' })).toEqual([
    {
      path: '/fs',
      title: 'File system',
      sections: [
        { headings: ['fs.readFileSync'], anchor: 'fsreadfilesync', chunkId: expect.any(String), line: 1, tokens: 13 },
        { headings: ['fs.readFile'], anchor: null, chunkId: expect.any(String), line: 9, tokens: 13 },
      ],
    },
  ]);
});

test('the chunks of one section are one entry of the outline', () => {
  const [page] = listOutline(index, { pathPrefix: '/cli' });
  expect(page?.sections).toHaveLength(1);
});

test('the outline of a one-chunk page has all its headings', () => {
  const text =
    '# Kettle\n\nBoils.\n\n## Install\n\n```sh\n# a comment\n```\n\n### From source {#source}\n\nMake.\n\n## Timeout\n\n30 s.\n';
  const [page] = listOutline({ entries: [createEntry('/kettle', text, { title: 'Kettle', anchor: 'kettle' })] });
  expect(page?.sections.map(({ headings, anchor, line }) => [headings.join(' > '), anchor, line])).toEqual([
    ['', 'kettle', 1],
    ['Install', null, 5],
    ['Install > From source', 'source', 11],
    ['Timeout', null, 15],
  ]);
  expect(page?.sections.reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThanOrEqual(estimateTokens(text));
});

test('symbols are sorted by name', () => {
  expect(listSymbols(index).map(({ symbol }) => symbol)).toEqual(['fs.readFile', 'fs.readFileSync']);
  expect(listSymbols(index, { symbolPrefix: 'readFileS' }).map(({ symbol }) => symbol)).toEqual(['fs.readFileSync']);
});
