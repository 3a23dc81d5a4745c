import { expect, test } from 'vitest';
import { questionOf } from '../core/lexical/query/parsed-query.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { SourceId } from '../core/model/run.ts';
import type { NearChunk } from '../store/port.ts';
import type { Findings } from './lexical-retrieval.ts';
import type { FoundPage } from './found-page.ts';
import { fuseFindings } from './fuse-results.ts';

function chunkAt(url: string, similarity: number): NearChunk {
  const page = { version: 1, url, title: url, chunks: 3 };
  const chunk = { page, contentHash: `hash of ${url}`, headings: [url], symbol: null, text: url };
  return {
    chunk,
    source: 1,
    pageKind: null,
    place: { segment: 1, page: 1, position: 0 },
    similarity,
  } as unknown as NearChunk;
}

function findingsOf(...scores: ReadonlyArray<readonly [string, number]>): Findings {
  const pages = scores.map(([url, score]) => {
    const best = chunkAt(url, 0);
    const candidate = { url, title: url, headings: [], text: url, best, others: [] } as unknown as FoundPage;
    return { candidate, score, signals: {} as never, copies: [] };
  });
  return { question: questionOf('words', [], []), corrections: [], pages };
}

const NAMES = new Map<SourceId, string>();

const similarities = (entries: Record<string, number>): ReadonlyMap<Sha256, number> =>
  new Map(Object.entries(entries).map(([url, value]) => [`hash of ${url}` as Sha256, value]));

test('a page that both found stands before pages that one of them found', () => {
  const near = [chunkAt('/vectors', 0.8), chunkAt('/both', 0.75)];
  const fused = fuseFindings(findingsOf(['/words', 1], ['/both', 0.9]), { near, similarities: new Map() }, NAMES);
  const [first, ...others] = fused.pages.map(({ candidate }) => candidate.url);
  expect(first).toBe('/both');
  expect(others.toSorted()).toEqual(['/vectors', '/words']);
});

test('a page far from the question sinks, though words found it', () => {
  const near = [chunkAt('/b', 0.8)];
  const known = similarities({ '/a': 0.12, '/b': 0.8 });
  const fused = fuseFindings(findingsOf(['/a', 1], ['/b', 0.9]), { near, similarities: known }, NAMES);
  expect(fused.pages.map(({ candidate }) => candidate.url)).toEqual(['/b', '/a']);
});

test('without near chunks the words alone decide', () => {
  const findings = findingsOf(['/a', 1], ['/b', 0.9]);
  expect(fuseFindings(findings, { near: [], similarities: new Map() }, NAMES)).toBe(findings);
});
