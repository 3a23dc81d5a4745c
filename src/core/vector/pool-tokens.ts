// Pools the token vectors of a model into one vector for the text.

import type { Pooling } from './space.ts';

export interface TokenVectors {
  /** Concatenated. */
  readonly data: Float32Array;
  readonly dimensions: number;
}

/** A unit vector, so that cosine similarity is a dot product. */
export function poolTokens(tokens: TokenVectors, pooling: Pooling): Float32Array {
  return normalize(POOLS[pooling](tokens));
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

/** Scales to unit length, in place. A zero vector stays as it is. */
export function normalize(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  if (length > 0) for (let d = 0; d < vector.length; d += 1) vector[d] = (vector[d] ?? 0) / length;
  return vector;
}
