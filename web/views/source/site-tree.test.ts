import { expect, test } from 'vitest';
import { siteTree, type TreeUrl } from './site-tree.ts';

function stored(url: string, pageKind: string, confidence: number): TreeUrl {
  return { url, state: 'stored', pageKind, confidence, reason: null };
}

const URLS: readonly TreeUrl[] = [
  stored('https://docs.example.dev/guide/start', 'article', 0.8),
  stored('https://docs.example.dev/guide/pool/', 'article', 0.6),
  stored('https://docs.example.dev/api/pool', 'reference', 1),
  { url: 'https://docs.example.dev/blog/x', state: 'excluded', pageKind: null, confidence: null, reason: 'exclude' },
  { url: 'https://docs.example.dev/api/gone?a=/b', state: 'failed', pageKind: null, confidence: null, reason: '500' },
];

test('folders add up what is below them', () => {
  const [host] = siteTree(URLS);
  expect(host).toMatchObject({
    name: 'docs.example.dev',
    counts: { stored: 3, excluded: 1, failed: 1, other: 0 },
    kinds: [
      ['article', 2],
      ['reference', 1],
    ],
  });
  expect(host?.confidence).toBeCloseTo(0.8);
  expect(host?.folders.map(({ name, counts }) => [name, counts.stored, counts.failed])).toEqual([
    ['api', 1, 1],
    ['blog', 0, 0],
    ['guide', 2, 0],
  ]);
});

test('a URL that ends in a slash is a page of the folder it names', () => {
  const guide = siteTree(URLS)[0]?.folders.find(({ name }) => name === 'guide');
  expect(guide?.urls.map(({ url }) => url)).toEqual(['https://docs.example.dev/guide/start']);
  expect(guide?.folders[0]).toMatchObject({ name: 'pool', counts: { stored: 1 } });
});
