import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenize } from '../tokenize/tokenize.ts';
import { createTermCounter, type TermCounter } from './term-counter.ts';

function drained(counter: TermCounter): Record<string, number[]> {
  const counts: Record<string, number[]> = {};
  counter.drain((termId, perField) => {
    counts[counter.terms[termId] ?? ''] = [...perField];
  });
  return counts;
}

function expected(texts: readonly string[]): Record<string, number[]> {
  const counts: Record<string, number[]> = {};
  texts.forEach((text, field) => {
    for (const token of tokenize(text)) {
      const perField = (counts[token] ??= [0, 0, 0, 0, 0]);
      perField[field] = (perField[field] ?? 0) + 1;
    }
  });
  return counts;
}

const WORDS = [
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

test('earlier texts do not affect how the next one is counted', () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 12 })), { maxLength: 12 });
  const counter = createTermCounter();
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (fields) => {
      const texts = fields.map((words) => words.join(' '));
      const lengths = texts.map((each, field) => counter.add(each, field));
      expect(lengths).toEqual(texts.map((each) => tokenize(each).length));
      expect(drained(counter)).toEqual(expected(texts));
      counter.trim();
    }),
    { seed: 4, numRuns: 500 },
  );
});

test('exceeding the cache changes no count', () => {
  const counter = createTermCounter();
  for (let nth = 0; nth < 70_000; nth += 1) {
    counter.add(`name${nth} again`, 4);
    counter.drain(() => undefined);
  }
  counter.trim();
  counter.add('name5 again name5', 0);
  expect(drained(counter)).toEqual({ name5: [2, 0, 0, 0, 0], again: [1, 0, 0, 0, 0] });
});
