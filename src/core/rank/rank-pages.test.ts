import { describe, expect, test } from 'vitest';
import { parseQuery, queryTerms, type ParsedQuery } from '../lexical/query/parsed-query.ts';
import { isChangelog, isGeneratedListing, rankPages, type RankCandidate } from './rank-pages.ts';

function parse(query: string): ParsedQuery {
  const terms = queryTerms(query, 0.2);
  return parseQuery(
    query,
    terms,
    terms.map(() => 1),
  );
}

function createCandidate(overrides: Partial<RankCandidate>): RankCandidate {
  return {
    url: 'https://x.dev/a',
    title: 'Page',
    headings: ['Page'],
    anchor: null,
    symbol: null,
    text: 'text',
    pageKind: 'article',
    pageChunks: 3,
    chunkScore: 1,
    secondScore: 0,
    thirdScore: 0,
    leadScore: 0,
    pageScore: 1,
    coveredWeight: 1,
    source: 'docs',
    ...overrides,
  };
}

describe('ranking', () => {
  test('of two pages with equal terms, the one whose heading matches the query ranks first', () => {
    const text = 'a connection pool';
    const pages = [
      createCandidate({ url: 'https://x.dev/a', headings: ['Page', 'Other things'], text }),
      createCandidate({ url: 'https://x.dev/pool', headings: ['Page', 'Connection pool'], text }),
    ];
    expect(rankPages(parse('connection pool'), pages)[0]?.candidate.url).toBe('https://x.dev/pool');
  });

  test('of two pages with equal best chunks, the one that starts with the terms ranks first', () => {
    const pages = [
      createCandidate({ url: 'https://x.dev/a', text: 'a connection pool' }),
      createCandidate({ url: 'https://x.dev/pool', text: 'one connection pool', leadScore: 1 }),
    ];
    expect(rankPages(parse('connection pool'), pages)[0]?.candidate.url).toBe('https://x.dev/pool');
  });

  test('adjacent terms rank a page higher than distant ones', () => {
    const apart = `connection ${'x '.repeat(40)} pool`;
    const pages = [
      createCandidate({ url: 'https://x.dev/far', text: apart }),
      createCandidate({ url: 'https://x.dev/near', text: 'the connection pool' }),
    ];
    expect(rankPages(parse('connection pool'), pages)[0]?.candidate.url).toBe('https://x.dev/near');
  });

  test('the same text under the same title is one result that lists its copies', () => {
    const text = 'See [the pool](https://x.dev/de/pool).';
    const pages = [
      createCandidate({ url: 'https://x.dev/de/a', text }),
      createCandidate({ url: 'https://x.dev/a', text: 'See [the pool](https://x.dev/pool).' }),
      createCandidate({ url: 'https://x.dev/b', text: 'Another text' }),
    ];
    const ranked = rankPages(parse('pool'), pages);
    expect(ranked.map(({ candidate }) => candidate.url)).toEqual(['https://x.dev/a', 'https://x.dev/b']);
    expect(ranked[0]?.copies).toEqual(['https://x.dev/de/a']);
  });
});

test.each([
  '/src/core/ops/try_trait.rs.html',
  '/_modules/django/db/models/query.html',
  '/api/java.base/java/net/class-use/Socket.html',
  '/api/deprecated-list.html',
  '/qtcore/qsettings-members.html',
  '/genindex.html',
])('%s is a generated listing', (path) => expect(isGeneratedListing(path)).toBe(true));

test.each(['/src/guide/intro.html', '/api/java.base/java/net/Socket.html', '/guides/members.html', '/std/index.html'])(
  '%s is not a generated listing',
  (path) => expect(isGeneratedListing(path)).toBe(false),
);

test.each(['/whatsnew/3.8.html', '/changelog', '/release-15.html'])('%s is a changelog', (path) =>
  expect(isChangelog(path)).toBe(true),
);

test('a page whose name only starts like one is not a changelog', () => {
  expect(isChangelog('/newsletter.html')).toBe(false);
});
