import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { spottedWords, spotWords } from './match-terms.ts';
import { isStopToken } from '../tokenize/stop-tokens.ts';
import { tokenize } from '../tokenize/tokenize.ts';

const name = fc.constantFrom(
  'the',
  'pool',
  'readFileSync',
  '--watch',
  'max_size',
  'C++',
  '@media',
  "server's",
  '漢字',
  'é',
  '](#x)',
  '😀',
);

test('words are found where the tokenizer has them, in any text', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 40 }), fc.array(name, { maxLength: 5 }), (parts, asked) => {
      const text = parts.join(' ');
      const words = spottedWords(asked.flatMap(tokenize));
      const expected: Array<[string, number]> = [];
      let place = 0;
      for (const token of tokenize(text)) {
        if (!isStopToken(token)) place += 1;
        if (words.words.has(token)) expected.push([token, place]);
      }
      const found: Array<[string, number]> = [];
      spotWords(words, text, (word, at) => found.push([word, at]));
      expect(found).toEqual(expected);
    }),
    { numRuns: 300, seed: 44 },
  );
});

test('a text that is read while another one is read disturbs neither', () => {
  const seen: string[] = [];
  spotWords(spottedWords(['pool', 'size']), 'the pool has a size', (word) => {
    seen.push(word);
    spotWords(spottedWords(['inner']), 'some inner text that is longer than the outer one', (inner) =>
      seen.push(inner),
    );
  });
  expect(seen).toEqual(['pool', 'inner', 'size', 'inner']);
});
