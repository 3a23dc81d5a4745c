import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTermMatcher, matchTerms } from './match-terms.ts';
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

test('terms are found at the positions where the tokenizer produces them, in any text', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 40 }), fc.array(name, { maxLength: 5 }), (parts, queried) => {
      const text = parts.join(' ');
      const matcher = createTermMatcher(queried.flatMap(tokenize));
      const expected: Array<[string, number]> = [];
      let position = 0;
      for (const token of tokenize(text)) {
        if (!isStopToken(token)) position += 1;
        if (matcher.terms.has(token)) expected.push([token, position]);
      }
      const found: Array<[string, number]> = [];
      matchTerms(matcher, text, (term, at) => found.push([term, at]));
      expect(found).toEqual(expected);
    }),
    { numRuns: 300, seed: 44 },
  );
});

test('nested matching does not disturb the outer text', () => {
  const seen: string[] = [];
  matchTerms(createTermMatcher(['pool', 'size']), 'the pool has a size', (word) => {
    seen.push(word);
    matchTerms(createTermMatcher(['inner']), 'some inner text that is longer than the outer one', (inner) =>
      seen.push(inner),
    );
  });
  expect(seen).toEqual(['pool', 'inner', 'size', 'inner']);
});
