import { expect, test } from 'vitest';
import { chunkRecords, pageRecord, uuidOf } from './page-records.ts';

const page = {
  source: 'x',
  version: '2',
  url: 'https://docs.x.dev/guide',
  title: 'Guide',
  description: null,
  language: 'en',
  pageKind: 'article',
  contentHash: 'c'.repeat(64),
  text: 'See [a](/a), [a again](/a#b), [the API](https://api.x.dev/) and [others](https://y.dev/).',
  status: 200,
  changedAt: '2026-01-02T03:04:05.000Z',
};

test('[E6] a document id is that of other loaders', () => {
  expect(uuidOf('https://example.com')).toBe('100680ad-546c-e6a5-77f4-2f52df33b4cf');
});

test('[E6] records are flat and never null, and links are counted by site', () => {
  const record = pageRecord(page, '');
  expect(record).toMatchObject({
    internal_links_count: 2,
    external_links_count: 1,
    filename: 'guide.md',
    tags: ['x', '2', 'article'],
  });
  const values = Object.values(record);
  expect(values.filter((value) => value === null || (typeof value === 'object' && !Array.isArray(value)))).toEqual([]);
});

test('[E6] the same chunk in two versions has two ids', () => {
  const chunk = { id: 'd'.repeat(64), passageKind: 'prose', headings: ['Guide', 'Start'], text: 'Text' };
  const [first] = chunkRecords(page, [{ ...chunk, anchor: null, symbol: null }]);
  const [second] = chunkRecords({ ...page, version: '3' }, [{ ...chunk, anchor: 'start', symbol: 'f' }]);
  expect(first).toMatchObject({ chunk_index: 0, section_path: 'Guide > Start', heading_level: 2, anchor: '' });
  expect(second?.id).not.toBe(first?.id);
});
