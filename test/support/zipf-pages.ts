// Pages of made-up words with the frequencies of a language: a few words are everywhere, most are rare. The same on every run.

import type { Chunk } from '../../src/core/model/chunk.ts';
import { createRandom } from './random.ts';

export interface MadePage {
  readonly url: string;
  /** Also its only heading. */
  readonly title?: string;
  readonly texts: readonly string[];
  /** What its chunks have in common. */
  readonly chunk?: Partial<Pick<Chunk, 'headings' | 'symbol' | 'passageKind'>>;
}

export function makePages(count: number, site = 'https://x.dev'): MadePage[] {
  const random = createRandom(7);
  return Array.from({ length: count }, (_, page) => {
    const chunks = 1 + Math.floor(random() ** 2 * 24);
    const topic = Math.floor(random() * 400);
    const texts = Array.from({ length: chunks }, (_unused, chunk) => {
      const words = Array.from({ length: 20 + Math.floor(random() * 120) }, () => {
        const isTopic = random() < 0.15;
        return isTopic ? wordAt(600 + topic + Math.floor(random() * 6)) : wordAt(Math.floor(1500 ** random()));
      });
      return `chunk ${chunk} of page ${page}: ${words.join(' ')}`;
    });
    return { url: `${site}/${page % 7 === 0 ? 'guide' : 'reference'}/${page}`, texts };
  });
}

/** Questions of three to eight words, frequent and rare ones. */
export function makeQuestions(count: number): string[] {
  const random = createRandom(11);
  return Array.from({ length: count }, () => {
    const topic = 600 + Math.floor(random() * 400);
    const frequent = Array.from({ length: 2 + Math.floor(random() * 4) }, () => wordAt(Math.floor(600 ** random())));
    return [...frequent, wordAt(topic), wordAt(topic + 2)].join(' ');
  });
}

const SYLLABLES = ['ba', 'ko', 'ri', 'tu', 'ne', 'sa', 'mi', 'lo', 'va', 'de', 'po', 'zu'];

function wordAt(rank: number): string {
  let word = '';
  for (let left = rank + 12; left > 0; left = Math.floor(left / 12)) word += SYLLABLES[left % 12] ?? '';
  return `${word}x`;
}
