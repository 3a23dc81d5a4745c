import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenize } from '../tokenize/tokenize.ts';
import { createWordCounter, type WordCounter } from './term-counter.ts';

function taken(counter: WordCounter): Record<string, number[]> {
  const counts: Record<string, number[]> = {};
  counter.take((word, own) => {
    counts[counter.words[word] ?? ''] = [...own];
  });
  return counts;
}

function expected(texts: readonly string[]): Record<string, number[]> {
  const counts: Record<string, number[]> = {};
  texts.forEach((text, field) => {
    for (const token of tokenize(text)) {
      const own = (counts[token] ??= [0, 0, 0, 0, 0]);
      own[field] = (own[field] ?? 0) + 1;
    }
  });
  return counts;
}

const PIECES = [
  'readFileSync',
  'the',
  'Caches',
  '--watch',
  '.env',
  '@media',
  'C++',
  'C#',
  '3.11.2',
  'naïve',
  '日本語',
  "don't",
];

test('a counter that has met many texts counts the next one as if it were the first', () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 12 })), { maxLength: 12 });
  const counter = createWordCounter();
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (fields) => {
      const texts = fields.map((pieces) => pieces.join(' '));
      const lengths = texts.map((each, field) => counter.add(each, field));
      expect(lengths).toEqual(texts.map((each) => tokenize(each).length));
      expect(taken(counter)).toEqual(expected(texts));
      counter.trim();
    }),
    { seed: 4, numRuns: 500 },
  );
});

test('more spellings than it remembers change nothing', () => {
  const counter = createWordCounter();
  for (let nth = 0; nth < 70_000; nth += 1) {
    counter.add(`name${nth} again`, 4);
    counter.take(() => undefined);
  }
  counter.trim();
  counter.add('name5 again name5', 0);
  expect(taken(counter)).toEqual({ name5: [2, 0, 0, 0, 0], again: [1, 0, 0, 0, 0] });
});
