import { describe, expect, test } from 'vitest';
import { createEntry } from '../../../../test/support/index-entry.ts';
import type { PageUrl } from '../../model/page-url.ts';
import type { SourceId, VersionId } from '../../model/run.ts';
import { retrievePages } from '../../rank/lexical-retrieval.ts';
import type { SearchFilter } from '../query/search-filter.ts';
import type { IndexEntry } from './fields.ts';
import { createMemoryIndex, type MemoryVersion } from './memory-index.ts';

const VERSION = 1 as VersionId;

function versionOf(entries: readonly IndexEntry[], id = VERSION): MemoryVersion {
  const pages = [...Map.groupBy(entries, ({ path }) => path)].map(([path, ofPage]) => ({
    url: path as PageUrl,
    title: ofPage[0]!.title,
    pageKind: null,
    checkedAt: new Date(0),
    chunks: ofPage.map(({ chunk }) => chunk),
  }));
  return { id, source: 1 as SourceId, pages };
}

const index = createMemoryIndex([
  versionOf([
    createEntry('/fs', 'Reads the whole file and blocks until it is done.', {
      title: 'File system',
      headings: ['File system', 'fs.readFileSync'],
      symbol: 'fs.readFileSync',
    }),
    createEntry('/fs', 'Reads a file. Use read and sync and file together.', {
      title: 'File system',
      headings: ['File system', 'fs.readFile'],
      symbol: 'fs.readFile',
    }),
    createEntry('/cli', 'The heap grows up to --max-old-space-size megabytes.', { title: 'Command line' }),
    createEntry('/cli', 'const heap = max(old, space);', { title: 'Command line', passageKind: 'code' }),
    createEntry('/ja', '全文検索エンジンの設計', { title: '検索' }),
  ]),
]);

const search = async (query: string, filter?: SearchFilter) =>
  (await retrievePages(index, query, { versions: [VERSION], filter, names: new Map() })).pages.map(
    ({ candidate }) => candidate,
  );

describe('search in memory', () => {
  test.each([
    ['an exact identifier before its parts', 'readFileSync', 'whole file'],
    ['an identifier in another notation', 'read_file_sync', 'whole file'],
    ['a flag', '--max-old-space-size', 'heap grows'],
    ['a flag without its dashes', 'maxOldSpaceSize', 'heap grows'],
    ['a misspelled word', 'megabites', 'heap grows'],
    ['text without spaces by any bigram', '検索', '全文'],
  ])('finds %s', async (_, query, text) => {
    expect((await search(query))[0]?.text).toContain(text);
  });

  test.each(['', '   ', '"', '* OR', 'NEAR(a b)', 'col:x', "'; drop table", '\u0000', '((('])(
    'treats %j as plain words',
    async (query) => {
      await expect(search(query)).resolves.toBeInstanceOf(Array);
    },
  );

  test('reads only the given versions, and adds up their frequencies', async () => {
    const other = 2 as VersionId;
    const entries = [createEntry('/a', 'zebra'), createEntry('/b', 'zebras')];
    const two = createMemoryIndex([versionOf(entries), versionOf(entries.slice(1), other)]);
    const terms = [
      { term: 'zebra', weight: 1 },
      { term: 'lion', weight: 1 },
    ];
    const found = await two.candidates({ versions: [other], terms, pages: 9, chunksPerPage: 9 });
    expect(found).toMatchObject([{ version: 2, url: '/b' }]);
    expect(await two.frequencies([other], ['zebra', 'lion'])).toEqual({ chunks: 1, docFrequencies: [1, 0] });
    expect(await two.suggest([VERSION, other], 'zebro')).toEqual([{ term: 'zebra', docFrequency: 3 }]);
    expect(await two.chunks([{ version: other, url: '/b' as PageUrl, ordinal: 0 }])).toMatchObject([
      { chunk: { ordinal: 0, page: { url: '/b', version: 2 } } },
    ]);
    expect(await two.chunks([{ version: other, url: '/b' as PageUrl, ordinal: 1 }])).toEqual([]);
  });

  test.each<[SearchFilter, string[]]>([
    [{ pathPrefix: '/cli' }, ['/cli']],
    [{ pathPrefix: '/CLI' }, []],
    [{ headingPrefix: 'FS.READFILES' }, ['/fs']],
    [{ passageKinds: ['code'] }, ['/cli']],
    [{ symbolPrefix: 'readfilesync' }, ['/fs']],
    [{ symbolPrefix: 'fs', pathPrefix: '/cli' }, []],
  ])('is filtered by %j', async (filter, urls) => {
    expect((await search('heap file', filter)).map(({ url }) => url)).toEqual(urls);
  });
});
