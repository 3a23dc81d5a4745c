// The searched fields of a chunk and their BM25F weights, tuned on the questions in test/data/quality.

import type { Chunk } from '../../model/chunk.ts';

export const fieldNames = ['title', 'headings', 'symbols', 'path', 'body'] as const;
export type FieldName = (typeof fieldNames)[number];

export interface FieldWeight {
  readonly weight: number;
  /** Length normalization (BM25 b), 0 to 1. */
  readonly b: number;
  /** In tokens. Fixed, not a corpus statistic, so that a chunk's impacts do not depend on its neighbours. */
  readonly averageLength: number;
}

export interface LexicalWeights {
  readonly fields: Readonly<Record<FieldName, FieldWeight>>;
  /** Term frequency saturation (BM25 k1). */
  readonly k1: number;
}

export const defaultWeights: LexicalWeights = {
  fields: {
    title: { weight: 1.5, b: 0.5, averageLength: 6 },
    headings: { weight: 2, b: 0.5, averageLength: 8 },
    symbols: { weight: 3, b: 0.3, averageLength: 2 },
    path: { weight: 1.5, b: 0.3, averageLength: 4 },
    body: { weight: 1, b: 0.8, averageLength: 170 },
  },
  k1: 1.5,
};

/** What the index reads of a chunk. */
export interface IndexableEntry {
  /** The page's URL, or the file's path inside its folder. */
  readonly path: string;
  readonly title: string;
  readonly chunk: Pick<Chunk, 'headings' | 'symbol' | 'text'>;
}

export interface IndexEntry extends IndexableEntry {
  readonly chunk: Chunk;
}

/** The text of each field. The title is not counted again among the headings. */
export function fieldTexts({ path, title, chunk }: IndexableEntry): Readonly<Record<FieldName, string>> {
  const headings = chunk.headings.filter((heading) => heading !== title);
  return {
    title,
    headings: headings.join('\n'),
    symbols: chunk.symbol ?? '',
    path: pathWords(path),
    body: chunk.text,
  };
}

/** Host and file extension carry no information: every page has them. */
function pathWords(path: string): string {
  const local = path.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#].*$/, '');
  return local.replace(/\.(?:x?html?|mdx?)$/, '').replaceAll('/', ' ');
}
