// Reads a retrieval set in BEIR's layout: corpus.jsonl, queries.jsonl, qrels/test.tsv.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Row = z.object({ _id: z.string(), title: z.string().default(''), text: z.string() });

export interface RetrievalSet {
  readonly documents: ReadonlyArray<{ readonly id: string; readonly title: string; readonly text: string }>;
  readonly queries: ReadonlyMap<string, string>;
  /** Query → document → relevance. */
  readonly judged: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export function readBeir(folder: string): RetrievalSet {
  const lines = (name: string): string[] => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);
  const rows = (name: string): Array<z.infer<typeof Row>> => lines(name).map((line) => Row.parse(JSON.parse(line)));
  const judged = new Map<string, Map<string, number>>();
  for (const line of lines('qrels/test.tsv').slice(1)) {
    const [query = '', document = '', relevance = '0'] = line.split('\t');
    const ofQuery = judged.get(query) ?? new Map<string, number>();
    judged.set(query, ofQuery.set(document, Number(relevance)));
  }
  return {
    documents: rows('corpus.jsonl').map(({ _id, title, text }) => ({ id: _id, title, text })),
    queries: new Map(rows('queries.jsonl').map(({ _id, text }) => [_id, text])),
    judged,
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
