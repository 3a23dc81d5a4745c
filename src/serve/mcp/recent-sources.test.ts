import { expect, test } from 'vitest';
import { createUsedSources } from './recent-sources.ts';

test('sources that were named or read are preferred where none is named, the latest first', () => {
  const used = createUsedSources();
  expect(used.inputFor('search_docs', { query: 'pool' })).toEqual({ prefer: [] });
  used.note('search_docs', { query: 'pool', source: 'django' }, { passages: [] });
  used.note('read_docs', { target: 'https://x.dev/a' }, { source: 'node' });
  expect(used.inputFor('search_docs', { query: 'streams' })).toEqual({ prefer: ['node', 'django'] });
  expect(used.inputFor('search_docs', { query: 'streams', source: 'git' })).toEqual({});
  expect(used.inputFor('read_docs', { target: 'a.md' })).toEqual({});
});

test('a query that named no source makes none preferred', () => {
  const used = createUsedSources();
  used.note('search_docs', { query: 'pool' }, { passages: [{ source: 'django' }] });
  expect(used.inputFor('search_docs', { query: 'pool' })).toEqual({ prefer: [] });
});

test('an answer is continued with the preference that it began with', () => {
  const used = createUsedSources();
  used.inputFor('search_docs', { query: 'pool', offset: 0 });
  used.note('read_docs', {}, { source: 'node' });
  expect(used.inputFor('search_docs', { query: 'pool', offset: 4 })).toEqual({ prefer: [] });
  expect(used.inputFor('search_docs', { query: 'pool' })).toEqual({ prefer: ['node'] });
});

test('five sources are remembered', () => {
  const used = createUsedSources();
  for (const source of ['a', 'b', 'c', 'd', 'e', 'f']) used.note('outline', { source }, {});
  expect(used.inputFor('search_docs', { query: 'pool' })).toEqual({ prefer: ['f', 'e', 'd', 'c', 'b'] });
});
