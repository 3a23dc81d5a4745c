import { describe, expect, test } from 'vitest';
import { parseQuery, queryTerms, type ParsedQuery } from '../lexical/query/parsed-query.ts';
import { isChangelog, rankPages, type RankCandidate } from './rank-pages.ts';

function parse(query: string): ParsedQuery {
  const terms = queryTerms(query, 0.2);
  return parseQuery(query, terms);
}

function createCandidate(overrides: Partial<RankCandidate>): RankCandidate {
  return {
    url: 'https://x.dev/a',
    title: 'Page',
    headings: ['Page'],
    anchor: null,
    inlinks: 0,
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
  test('of two equal pages, the one that more pages link to ranks first', () => {
    const pages = [
      createCandidate({ url: 'https://x.dev/a' }),
      createCandidate({ url: 'https://x.dev/bb', inlinks: 40 }),
    ];
    expect(rankPages(parse('pool'), pages)[0]?.candidate.url).toBe('https://x.dev/bb');
  });

  test('of two pages with equal terms, the one with the order of the query ranks first', () => {
    const pages = [
      createCandidate({ url: 'https://x.dev/a', text: 'The size of a dictionary changed. During its iteration' }),
      createCandidate({ url: 'https://x.dev/bb', text: 'RuntimeError: dictionary changed size during iteration' }),
    ];
    const ranked = rankPages(parse('dictionary changed size during iteration'), pages);
    expect(ranked[0]?.candidate.url).toBe('https://x.dev/bb');
    expect(ranked[0]?.signals.phrase).toBe(1);
  });

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

describe('source views', () => {
  const source = {
    url: 'https://x.dev/_modules/settings.html',
    pageKind: 'source',
    title: 'x.settings',
    text: 'USE_TZ',
  };
  const settings = { url: 'https://x.dev/ref/settings.html', title: 'Settings', text: 'USE_TZ', chunkScore: 0.1 };
  const urls = (pages: ReadonlyArray<Partial<RankCandidate>>): string[] =>
    rankPages(parse('USE_TZ'), pages.map(createCandidate)).map(({ candidate }) => candidate.url);

  test('a source view is left out if documentation covers as much of the query', () => {
    expect(urls([{ ...source, chunkScore: 50, pageScore: 50 }, settings])).toEqual([settings.url]);
  });

  test('one that covers more of the query follows the documentation, with no higher score', () => {
    const pages = [{ ...source, chunkScore: 50, pageScore: 50, coveredWeight: 2 }, settings].map(createCandidate);
    const [first, second] = rankPages(parse('USE_TZ'), pages);
    expect([first?.candidate.url, second?.candidate.url]).toEqual([settings.url, source.url]);
    expect(second?.score).toBe(first?.score);
  });

  test('where nothing else matches, source views are found', () => {
    expect(urls([source])).toEqual([source.url]);
  });

  test('an index that a generator produced ranks below a page with equal scores', () => {
    const index = { ...settings, url: 'https://x.dev/ref/genindex.html', title: 'All' };
    expect(urls([index, settings])).toEqual([settings.url, index.url]);
  });
});

test.each(['/whatsnew/3.8.html', '/changelog', '/release-15.html'])('%s is a changelog', (path) =>
  expect(isChangelog(path)).toBe(true),
);

test('a page whose name only starts like one is not a changelog', () => {
  expect(isChangelog('/newsletter.html')).toBe(false);
});
