import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkId, estimateTokens, type Chunk } from '../../model/chunk.ts';
import { sha256Hex } from '../../model/hash.ts';
import { buildIndex } from './build-index.ts';
import { indexFromJson, indexToJson } from './index-json.ts';
import { countIn, packCounts, type IndexEntry, type LexicalIndex } from './lexical-index.ts';
import { getChunk, listOutline, listSymbols } from '../../outline/list-outline.ts';
import { readVarints, writeVarints } from './varint-base64.ts';
import type { SearchFilter } from '../query/search-filter.ts';
import { searchIndex } from './search-index.ts';

function createEntry(
  path: string,
  text: string,
  overrides: Partial<Chunk> & { readonly title?: string } = {},
): IndexEntry {
  const { title = 'Guide', ...chunk } = overrides;
  const contentHash = sha256Hex(text);
  return {
    path,
    title,
    chunk: {
      id: chunkId(path, contentHash, 0),
      contentHash,
      passageKind: 'prose',
      headings: [title],
      anchor: null,
      symbol: null,
      jsonPath: null,
      text,
      lines: { first: 1, last: 1 },
      tokens: estimateTokens(text),
      ...chunk,
    },
  };
}

const library = [
  createEntry('/fs', 'Reads the whole file and blocks until it is done.', {
    title: 'File system',
    headings: ['File system', 'fs.readFileSync'],
    symbol: 'fs.readFileSync',
    anchor: 'fsreadfilesync',
  }),
  createEntry('/fs', 'Reads a file. Use read and sync and file together.', {
    title: 'File system',
    headings: ['File system', 'fs.readFile'],
    symbol: 'fs.readFile',
    lines: { first: 9, last: 9 },
  }),
  createEntry('/cli', 'The heap grows up to --max-old-space-size megabytes.', { title: 'Command line' }),
  createEntry('/cli', 'const heap = max(old, space);', {
    title: 'Command line',
    passageKind: 'code',
    lines: { first: 5, last: 5 },
  }),
  createEntry('/ja', '全文検索エンジンの設計', { title: '検索' }),
];
const index = buildIndex(library);
const top = (query: string, searched: LexicalIndex = index): string | undefined =>
  searchIndex(searched, query, { limit: 5 })[0]?.entry.chunk.text;

describe('search', () => {
  test('finds an exact identifier before its parts', () => {
    expect(top('readFileSync')).toContain('whole file');
    expect(top('read_file_sync')).toContain('whole file');
  });

  test('finds a flag, even without its dashes', () => {
    expect(top('--max-old-space-size')).toContain('heap grows');
    expect(top('maxOldSpaceSize')).toContain('heap grows');
  });

  test('finds text without spaces by any bigram', () => {
    expect(top('検索')).toContain('全文');
  });

  test.each(['', '   ', '"', '* OR', 'NEAR(a b)', 'col:x', "'; drop table", '\u0000', '((('])(
    'treats %j as plain words',
    (query) => {
      expect(() => searchIndex(index, query, { limit: 5 })).not.toThrow();
    },
  );

  test('a title term weighs more than a body term', () => {
    const two = buildIndex([
      createEntry('/a', 'nothing of interest', { title: 'Caching' }),
      createEntry('/b', 'some caching somewhere', { title: 'Other' }),
    ]);
    expect(searchIndex(two, 'caching', { limit: 2 }).map(({ entry }) => entry.path)).toEqual(['/a', '/b']);
  });

  test('returns at most the limit, best first, and ties in entry order', () => {
    const same = buildIndex(
      Array.from({ length: 50 }, (_, at) => createEntry(`/p${String(at).padStart(2, '0')}`, 'same words')),
    );
    const hits = searchIndex(same, 'words', { limit: 7 });
    expect(hits.map(({ entry }) => entry.path)).toEqual(['/p00', '/p01', '/p02', '/p03', '/p04', '/p05', '/p06']);
  });

  test.each<[SearchFilter, string[]]>([
    [{ pathPrefix: '/cli' }, ['/cli', '/cli']],
    [{ pathPrefix: '/CLI' }, []],
    [{ headingPrefix: 'FS.READFILES' }, ['/fs']],
    [{ passageKinds: ['code'] }, ['/cli']],
    [{ headingPrefix: 'fs.' }, ['/fs', '/fs']],
    [{ symbolPrefix: 'readfilesync' }, ['/fs']],
    [{ symbolPrefix: 'fs', pathPrefix: '/cli' }, []],
  ])('is filtered by %j', (filter, paths) => {
    const query = filter.passageKinds === undefined ? 'heap file' : 'heap';
    const hits = searchIndex(index, query, { limit: 9, filter });
    expect(hits.map(({ entry }) => entry.path)).toEqual(paths);
  });
});

describe('the index', () => {
  test('is the same for chunks in any order', () => {
    const expected = indexToJson(index);
    fc.assert(
      fc.property(fc.shuffledSubarray(library, { minLength: library.length }), (shuffled) => {
        expect(indexToJson(buildIndex(shuffled))).toBe(expected);
      }),
      { numRuns: 30, seed: 7 },
    );
  });

  test('finds the same after a round trip through its file', () => {
    const read = indexFromJson(indexToJson(index), library.toReversed());
    for (const query of ['readFileSync', 'heap', 'file system', '検索']) {
      expect(searchIndex(read, query, { limit: 5 })).toEqual(searchIndex(index, query, { limit: 5 }));
    }
    expect(indexToJson(read)).toBe(indexToJson(index));
  });

  test('is rejected with different chunks', () => {
    expect(() => indexFromJson(indexToJson(index), library.slice(1))).toThrow(/different chunks/);
  });

  test('is rejected if it is truncated', () => {
    const truncated = indexToJson(index).replace(/"steps":"../, '"steps":"');
    expect(() => indexFromJson(truncated, library)).toThrow(/truncated/);
  });
});

test('counts of a field saturate and leave the others alone', () => {
  const packed = packCounts([1, 0, 0, 20, 300]);
  expect([0, 1, 2, 3, 4].map((field) => countIn(packed, field))).toEqual([1, 0, 0, 15, 300]);
});

test('numbers survive a round trip through text', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffffffff }), { maxLength: 200 }), (numbers) => {
      expect([...readVarints(writeVarints(numbers))]).toEqual(numbers);
    }),
    { seed: 8 },
  );
});

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
        { headings: ['fs.readFileSync'], anchor: 'fsreadfilesync', chunk: expect.any(String), line: 1, tokens: 13 },
        { headings: ['fs.readFile'], anchor: null, chunk: expect.any(String), line: 9, tokens: 13 },
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
  const { entries } = buildIndex([createEntry('/kettle', text, { title: 'Kettle', anchor: 'kettle' })]);
  const [page] = listOutline({ entries });
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
