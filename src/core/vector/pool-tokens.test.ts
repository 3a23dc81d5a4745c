import { expect, test } from 'vitest';
import { normalize, poolTokens } from './pool-tokens.ts';

const tokens = { data: new Float32Array([3, 4, 0, 4, 0, 2]), dimensions: 2 };

test('each pooling method uses its own tokens and returns a unit vector', () => {
  expect([...poolTokens(tokens, 'cls')].map((value) => value.toFixed(3))).toEqual(['0.600', '0.800']);
  expect([...poolTokens(tokens, 'last')]).toEqual([0, 1]);
  expect([...poolTokens(tokens, 'mean')].map((value) => value.toFixed(3))).toEqual(['0.287', '0.958']);
});

test('a zero vector stays zero', () => {
  expect([...normalize(new Float32Array(2))]).toEqual([0, 0]);
});
