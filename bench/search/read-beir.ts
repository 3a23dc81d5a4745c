// Reads a retrieval set in BEIR's layout (corpus.jsonl, queries.jsonl, qrels/test.tsv), and ranks its documents.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createMemoryIndex } from '../../src/core/lexical/segment/memory-index.ts';
import { chunkId, estimateTokens } from '../../src/core/model/chunk.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import type { SourceId, VersionId } from '../../src/core/model/run.ts';
import { retrievePages } from '../../src/core/rank/lexical-retrieval.ts';

const Row = z.object({ _id: z.string(), title: z.string().default(''), text: z.string() });

export interface RetrievalSet {
  readonly documents: ReadonlyArray<{ readonly id: string; readonly title: string; readonly text: string }>;
  readonly queries: ReadonlyMap<string, string>;
  /** Query → document → relevance. */
  readonly qrels: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export function readBeir(folder: string): RetrievalSet {
  const lines = (name: string): string[] => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);
  const rows = (name: string): Array<z.infer<typeof Row>> => lines(name).map((line) => Row.parse(JSON.parse(line)));
  const qrels = new Map<string, Map<string, number>>();
  for (const line of lines('qrels/test.tsv').slice(1)) {
    const [query = '', document = '', relevance = '0'] = line.split('\t');
    const ofQuery = qrels.get(query) ?? new Map<string, number>();
    qrels.set(query, ofQuery.set(document, Number(relevance)));
  }
  return {
    documents: rows('corpus.jsonl').map(({ _id, title, text }) => ({ id: _id, title, text })),
    queries: new Map(rows('queries.jsonl').map(({ _id, text }) => [_id, text])),
    qrels,
  };
}

/** nDCG at `cut`, with the relevance itself as the gain, as in BEIR. */
export function ndcg(ranked: readonly string[], relevance: ReadonlyMap<string, number>, cut = 10): number {
  const ideal = discounted([...relevance.values()].sort((left, right) => right - left).slice(0, cut));
  const gains = ranked.slice(0, cut).map((id) => relevance.get(id) ?? 0);
  return ideal === 0 ? 0 : discounted(gains) / ideal;
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((total, gain, at) => total + gain / Math.log2(at + 2), 0);
}

/** The shipped lexical ranking over a set, best first: a document is a page of one chunk. */
export function createBeirRanker(
  documents: RetrievalSet['documents'],
): (query: string) => Promise<ReadonlyArray<{ readonly id: string; readonly score: number }>> {
  const [version, source] = [1 as VersionId, 1 as SourceId];
  const pages = documents.map(({ id, title, text }) => {
    const contentHash = sha256Hex(text);
    const names = { headings: [title], anchor: null, symbol: null, jsonPath: null };
    const size = { lines: { first: 1, last: 1 }, tokens: estimateTokens(text) };
    const chunk = {
      id: chunkId(id, contentHash, 0),
      contentHash,
      passageKind: 'prose' as const,
      text,
      ...names,
      ...size,
    };
    // A query string is not indexed: the id of a document says nothing.
    return {
      url: pageUrl(`${ORIGIN}${encodeURIComponent(id)}`),
      title,
      pageKind: null,
      checkedAt: new Date(0),
      chunks: [chunk],
    };
  });
  const index = createMemoryIndex([{ id: version, source, pages }]);
  return async (query) => {
    const ranked = await retrievePages(index, query, { versions: [version], names: new Map() });
    return ranked.pages.map(({ candidate, score }) => ({
      id: decodeURIComponent(candidate.url.slice(ORIGIN.length)),
      score,
    }));
  };
}

const ORIGIN = 'https://documents.test/?';
