// From a model's vector for each token to one vector for the text.

import type { Pooling } from './space.ts';

export interface TokenVectors {
  /** Token after token. */
  readonly data: Float32Array;
  readonly dimensions: number;
}

/** Of length 1, so that similarity is a plain sum of products. */
export function poolTokens(tokens: TokenVectors, pooling: Pooling): Float32Array {
  return normalised(POOLS[pooling](tokens));
}

const POOLS: Readonly<Record<Pooling, (tokens: TokenVectors) => Float32Array>> = {
  mean({ data, dimensions }) {
    const sum = new Float32Array(dimensions);
    for (let at = 0; at < data.length; at += dimensions)
      for (let d = 0; d < dimensions; d += 1) sum[d] = (sum[d] ?? 0) + (data[at + d] ?? 0);
    return sum;
  },
  cls: ({ data, dimensions }) => data.slice(0, dimensions),
  last: ({ data, dimensions }) => data.slice(data.length - dimensions),
};

/** To length 1, in place. A vector of zeros stays. */
export function normalised(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  if (length > 0) for (let d = 0; d < vector.length; d += 1) vector[d] = (vector[d] ?? 0) / length;
  return vector;
}
