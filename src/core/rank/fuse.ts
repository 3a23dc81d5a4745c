// One list out of two: what words found and what vectors found.
//
// Scores are added, not ranks: how far the first stands before the second is worth knowing. Words: a chunk's share of the
// best score in the list. Vectors: a chunk's share of the best similarity, both counted from a floor. A chunk that only
// one list has gets nothing from the other, so whoever knows the similarity of a chunk that words found gives it too.

import { fusionWeights, type FusionWeights } from './fusion-weights.table.ts';

export interface Scored {
  /** Tells chunks apart within one question; the same in both lists. */
  readonly key: string;
  /** Words: any positive number. Vectors: cosine similarity, -1 to 1. Higher is better. */
  readonly score: number;
}

export interface Fused {
  readonly key: string;
  /** 0 to 1. */
  readonly score: number;
  /** What each list gave to the score; 0 where it had nothing. */
  readonly parts: { readonly lexical: number; readonly dense: number };
}

/**
 * Neither list needs an order. With an empty `dense` the order is that of the words alone. Equal scores stand in the order
 * of their keys, so that the same lists give the same answer on every engine.
 */
export function fuse(
  lexical: readonly Scored[],
  dense: readonly Scored[],
  weights: FusionWeights = fusionWeights,
): Fused[] {
  const denseShare = dense.length === 0 ? 0 : weights.dense;
  const lexicalParts = shares(lexical, 0, 1 - denseShare);
  const denseParts = shares(dense, weights.denseFloor, denseShare);
  const keys = new Set([...lexicalParts.keys(), ...denseParts.keys()]);
  const fused = [...keys].map((key): Fused => {
    const parts = { lexical: lexicalParts.get(key) ?? 0, dense: denseParts.get(key) ?? 0 };
    return { key, score: parts.lexical + parts.dense, parts };
  });
  return fused.sort((left, right) => right.score - left.score || (left.key < right.key ? -1 : 1));
}

/** The best of a list gets all of `weight`; a key that is given twice keeps its better score. */
function shares(list: readonly Scored[], floor: number, weight: number): Map<string, number> {
  let best = 0;
  for (const { score } of list) best = Math.max(best, score - floor);
  const parts = new Map<string, number>();
  for (const { key, score } of list) {
    const part = best === 0 ? 0 : (weight * Math.max(0, score - floor)) / best;
    parts.set(key, Math.max(part, parts.get(key) ?? 0));
  }
  return parts;
}
