// How well one chunk answers, to choose between the chunks of a page.

import type { Chunk } from '../model/chunk.ts';
import type { Question } from './question.ts';
import { signalsOf } from './signals.ts';
import { passageWeights } from './rank-weights.table.ts';
import { weighed } from './rank-pages.ts';

type Passage = Pick<Chunk, 'headings' | 'symbol' | 'text'>;

export function passageScore(question: Question, { headings, symbol, text }: Passage, chunkScore: number): number {
  const title = headings[0] ?? '';
  const nothing = { url: '', pageKind: null, pageChunks: 0, secondScore: 0, pageScore: 0, covered: 0, source: '' };
  return weighed(signalsOf(question, { ...nothing, title, headings, symbol, text, chunkScore }), passageWeights);
}
