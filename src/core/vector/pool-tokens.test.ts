import { expect, test } from 'vitest';
import { normalised, poolTokens } from './pool-tokens.ts';

const tokens = { data: new Float32Array([3, 4, 0, 4, 0, 2]), dimensions: 2 };

test('each way of pooling takes its own tokens, and the vector has length 1', () => {
  expect([...poolTokens(tokens, 'cls')].map((value) => value.toFixed(3))).toEqual(['0.600', '0.800']);
  expect([...poolTokens(tokens, 'last')]).toEqual([0, 1]);
  expect([...poolTokens(tokens, 'mean')].map((value) => value.toFixed(3))).toEqual(['0.287', '0.958']);
});

test('a vector of zeros stays one', () => {
  expect([...normalised(new Float32Array(2))]).toEqual([0, 0]);
});
