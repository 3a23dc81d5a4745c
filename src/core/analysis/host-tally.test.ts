import { expect, test } from 'vitest';
import { pageUrl } from '../model/page-url.ts';
import { analyzeHost, createHostTally, dueMilestones, type HostCounts } from './host-tally.ts';

const NONE: HostCounts = {
  host: 'x.dev',
  pages: 0,
  articles: 0,
  references: 0,
  sections: 0,
  dated: 0,
  withCode: 0,
  atDepth2: 0,
  kinds: {},
  depths: [],
};

test('pages are summed up by host, most pages first', () => {
  const tally = createHostTally();
  const add = (url: string, kind: string, depth: number, hasCode = false): void =>
    tally.add({ url: pageUrl(url), kind, depth, hasCode });
  add('https://b.dev/', 'hub', 0);
  add('https://a.dev/docs/x', 'article', 2, true);
  add('https://a.dev/docs/y', 'reference', 2);
  add('https://a.dev/2026/11/news', 'article', 1);
  expect(tally.counts()).toEqual([
    {
      host: 'a.dev',
      pages: 3,
      articles: 2,
      references: 1,
      sections: 2,
      dated: 1,
      withCode: 1,
      atDepth2: 2,
      kinds: { article: 2, reference: 1 },
      depths: [0, 1, 2],
    },
    { ...NONE, host: 'b.dev', pages: 1, kinds: { hub: 1 }, depths: [1] },
  ]);
});

test('a host with a million sections needs bounded memory', () => {
  const tally = createHostTally();
  for (let i = 0; i < 5000; i += 1)
    tally.add({ url: pageUrl(`https://a.dev/${i}/x`), kind: 'other', depth: 1, hasCode: false });
  expect(tally.counts()).toMatchObject([{ pages: 5000, sections: 1000 }]);
});

test.each([
  ['an empty host', NONE, 'unknown', 0],
  ['dated articles', { ...NONE, pages: 100, articles: 100, sections: 5, dated: 100 }, 'news', 1],
  ['reference with code', { ...NONE, pages: 100, references: 60, sections: 10, withCode: 50 }, 'documentation', 1],
  ['a few pages', { ...NONE, pages: 10, articles: 10, sections: 1 }, 'unknown', 0.2],
])('%s', (_name, counts, kind, score) => {
  expect(analyzeHost(counts, new Date(0))).toMatchObject({ kind, score });
});

test.each([
  ['downloads-1k', { ...NONE }, 999, []],
  ['downloads-1k', { ...NONE }, 1000, ['downloads-1k']],
  ['depth2-coverage', { ...NONE, atDepth2: 9 }, 0, []],
  ['depth2-coverage', { ...NONE, atDepth2: 10 }, 0, ['depth2-coverage']],
  ['articles-identified-1k', { ...NONE, articles: 600, references: 399 }, 0, []],
  ['articles-identified-1k', { ...NONE, articles: 600, references: 400 }, 0, ['articles-identified-1k']],
  ['both', { ...NONE, articles: 10_000 }, 0, ['articles-identified-1k', 'articles-identified-10k']],
])('%s is due at its number and not before', (_name, counts, downloads, kinds) => {
  const due = dueMilestones(counts, downloads);
  expect(due.map(({ kind }) => kind)).toEqual(kinds);
  for (const { scope, details } of due) expect([scope, details['source']]).toEqual(['x.dev', 'analysis-run']);
});
