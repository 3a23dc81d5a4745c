// The impact of a term in a chunk: its BM25F score without idf, quantized to one byte. It depends on the chunk alone, never
// on the rest of the library, so it is written once and comparable across sources and machines.

import { fieldNames, type FieldName, type LexicalWeights } from './fields.ts';

/** The impact of a fully saturated term. */
export const MAX_IMPACT = 255;

export type FieldLengths = Readonly<Record<FieldName, number>>;

interface Norm {
  readonly weight: number;
  readonly fixed: number;
  /** Multiplied by the length of the field. */
  readonly perToken: number;
}

export interface ImpactScale {
  readonly norms: readonly Norm[];
  readonly k1: number;
}

export function impactScale({ fields, k1 }: LexicalWeights): ImpactScale {
  const norms = fieldNames.map((name): Norm => {
    const { weight, b, averageLength } = fields[name];
    return { weight, fixed: 1 - b, perToken: b / averageLength };
  });
  return { norms, k1 };
}

/** `counts` and `lengths` are per field, in the order of `fieldNames`. At least 1: a term that occurs never scores 0. */
export function impactOf(scale: ImpactScale, counts: ArrayLike<number>, lengths: ArrayLike<number>): number {
  let weightedTf = 0;
  for (let field = 0; field < scale.norms.length; field += 1) {
    const count = counts[field] ?? 0;
    const norm = scale.norms[field];
    if (count === 0 || norm === undefined) continue;
    weightedTf += (norm.weight * count) / (norm.fixed + norm.perToken * (lengths[field] ?? 0));
  }
  return Math.max(1, Math.round((MAX_IMPACT * weightedTf) / (scale.k1 + weightedTf)));
}
