import { expect, test } from 'vitest';
import { parseQuery } from '../core/lexical/query/parsed-query.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { SourceId } from '../core/model/run.ts';
import type { NearestChunk } from '../store/port/vectors.ts';
import { fuse, fuseResults, pageSimilarity } from './fuse-results.ts';
import type { FoundPage, RetrievalResult } from '../core/rank/lexical-retrieval.ts';

function chunkAt(url: string, similarity: number): NearestChunk {
  const page = { version: 1, url, title: url, chunks: 3 };
  const chunk = { page, contentHash: `hash of ${url}`, headings: [url], symbol: null, text: url };
  return {
    chunk,
    source: 1,
    pageKind: null,
    position: { segment: 1, pageIndex: 1, position: 0 },
    similarity,
  } as unknown as NearestChunk;
}

function lexicalResult(...scores: ReadonlyArray<readonly [string, number]>): RetrievalResult {
  const pages = scores.map(([url, score]) => {
    const best = chunkAt(url, 0);
    const candidate = { url, title: url, headings: [], text: url, best, others: [] } as unknown as FoundPage;
    return { candidate, score, signals: {} as never, copies: [] };
  });
  return { query: parseQuery('query', []), corrections: [], pages, confidence: null };
}

const NAMES = new Map<SourceId, string>();

const similarities = (entries: Record<string, number>): ReadonlyMap<Sha256, number> =>
  new Map(Object.entries(entries).map(([url, value]) => [`hash of ${url}` as Sha256, value]));

test('a page that both retrievers found ranks before pages that one of them found', () => {
  const nearest = [chunkAt('/dense', 0.8), chunkAt('/both', 0.75)];
  const fused = fuseResults(
    lexicalResult(['/lexical', 1], ['/both', 0.9]),
    { nearest, similarities: new Map() },
    NAMES,
  );
  const [first, ...others] = fused.pages.map(({ candidate }) => candidate.url);
  expect(first).toBe('/both');
  expect(others.toSorted()).toEqual(['/dense', '/lexical']);
});

test('a page with a low similarity sinks, though lexical retrieval found it', () => {
  const nearest = [chunkAt('/b', 0.8)];
  const known = similarities({ '/a': 0.12, '/b': 0.8 });
  const fused = fuseResults(lexicalResult(['/a', 1], ['/b', 0.9]), { nearest, similarities: known }, NAMES);
  expect(fused.pages.map(({ candidate }) => candidate.url)).toEqual(['/b', '/a']);
});

test('without nearest chunks the result is the lexical one', () => {
  const lexical = lexicalResult(['/a', 1], ['/b', 0.9]);
  expect(fuseResults(lexical, { nearest: [], similarities: new Map() }, NAMES)).toBe(lexical);
});

test('copies of one passage are one result, whoever found them (finding D9)', () => {
  const sameAs = (url: string, similarity: number): NearestChunk => {
    const { chunk, ...found } = chunkAt(url, similarity);
    return { ...found, chunk: { ...chunk, text: 'one passage', page: { ...chunk.page, title: 'One page' } } };
  };
  const lexical = lexicalResult(['/a', 1]);
  const [page] = lexical.pages;
  const candidate = { ...page!.candidate, title: 'One page', text: 'one passage', best: sameAs('/a', 0) };
  // `/folded` is a copy that lexical retrieval has folded, `/mirror` one that it did not find.
  const folded = { ...lexical, pages: [{ ...page!, candidate, copies: ['/folded'] }] };
  const nearest = [sameAs('/folded', 0.8), sameAs('/a', 0.8), sameAs('/mirror', 0.8)];
  const { pages } = fuseResults(folded, { nearest, similarities: new Map() }, NAMES);
  expect(pages.map((one) => [one.candidate.url, one.copies])).toEqual([['/a', ['/folded', '/mirror']]]);
});

const weights = { dense: 0.5, denseFloor: 0.2, topThree: 0, lead: 0 };
const keysOf = (list: ReadonlyArray<{ readonly key: string }>): string[] => list.map(({ key }) => key);

test('without vectors the order is lexical', () => {
  const lexical = [
    { key: 'a', score: 3 },
    { key: 'b', score: 12 },
    { key: 'c', score: 6 },
  ];
  const fused = fuse(lexical, [], weights);
  expect(keysOf(fused)).toEqual(['b', 'c', 'a']);
  expect(fused.map(({ score }) => score)).toEqual([1, 0.5, 0.25]);
});

test('a key in both lists ranks before one in a single list', () => {
  const fused = fuse(
    [
      { key: 'lexical', score: 10 },
      { key: 'both', score: 9 },
    ],
    [
      { key: 'dense', score: 0.9 },
      { key: 'both', score: 0.8 },
    ],
    weights,
  );
  expect(keysOf(fused)[0]).toBe('both');
  expect(fused[0]?.parts.lexical).toBeCloseTo(0.45);
  expect(fused[0]?.parts.dense).toBeCloseTo((0.5 * 0.6) / 0.7);
});

test('a similarity below the floor adds nothing', () => {
  const fused = fuse([{ key: 'a', score: 1 }], [{ key: 'b', score: 0.1 }], weights);
  expect(fused.find(({ key }) => key === 'b')?.score).toBe(0);
});

test('equal scores are ordered by key, regardless of input order', () => {
  const equal = [
    { key: 'b', score: 1 },
    { key: 'a', score: 1 },
  ];
  expect(keysOf(fuse(equal, [], weights))).toEqual(keysOf(fuse(equal.toReversed(), [], weights)));
});

test('empty lists give an empty result', () => {
  expect(fuse([], [])).toEqual([]);
});

const pageWeights = { dense: 0.5, denseFloor: 0, topThree: 0.25, lead: 0.25 };
const at = (ordinal: number, similarity: number) => ({ ordinal, similarity });

test('of two pages with equally similar chunks, the one that starts with it is more similar', () => {
  const begins = pageSimilarity([at(0, 0.6)], 0.2, pageWeights);
  const mentions = pageSimilarity([at(9, 0.6)], 0.2, pageWeights);
  expect(begins).toBeGreaterThan(mentions);
});

test('more similar chunks make a page more similar', () => {
  const many = pageSimilarity([at(5, 0.6), at(6, 0.5), at(7, 0.5)], 0.2, pageWeights);
  expect(many).toBeGreaterThan(pageSimilarity([at(5, 0.6)], 0.2, pageWeights));
});

test('a page without known chunks gets the minimum, and the order of chunks does not matter', () => {
  expect(pageSimilarity([], 0.2, pageWeights)).toBe(-1);
  const chunks = [at(5, 0.6), at(0, 0.4), at(7, 0.5)];
  expect(pageSimilarity(chunks.toReversed(), 0.2, pageWeights)).toBeCloseTo(pageSimilarity(chunks, 0.2, pageWeights));
});
