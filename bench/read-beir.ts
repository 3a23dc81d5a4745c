// Reads a retrieval set in the layout of BEIR: corpus.jsonl, queries.jsonl, qrels/test.tsv.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RetrievalSet {
  readonly documents: ReadonlyArray<{ readonly id: string; readonly title: string; readonly text: string }>;
  readonly queries: ReadonlyMap<string, string>;
  /** Query → document → relevance. */
  readonly judged: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export function readBeir(folder: string): RetrievalSet {
  const lines = (name: string): string[] => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);
  const documents = lines('corpus.jsonl').map((line) => {
    const { _id, title, text } = JSON.parse(line) as Record<string, string>;
    return { id: _id ?? '', title: title ?? '', text: text ?? '' };
  });
  const queries = lines('queries.jsonl').map((line) => {
    const { _id, text } = JSON.parse(line) as Record<string, string>;
    return [_id ?? '', text ?? ''] as const;
  });
  const judged = new Map<string, Map<string, number>>();
  for (const line of lines('qrels/test.tsv').slice(1)) {
    const [query = '', document = '', relevance = '0'] = line.split('\t');
    const ofQuery = judged.get(query) ?? new Map<string, number>();
    judged.set(query, ofQuery.set(document, Number(relevance)));
  }
  return { documents, queries: new Map(queries), judged };
}

/** nDCG at `cut`, with the relevance itself as the gain, as BEIR has it. */
export function ndcg(ranked: readonly string[], relevance: ReadonlyMap<string, number>, cut = 10): number {
  const gain = (value: number, at: number): number => value / Math.log2(at + 2);
  const sum = (values: readonly number[]): number =>
    values.slice(0, cut).reduce((total, value, at) => total + gain(value, at), 0);
  const ideal = sum([...relevance.values()].sort((left, right) => right - left));
  return ideal === 0 ? 0 : sum(ranked.map((id) => relevance.get(id) ?? 0)) / ideal;
}
