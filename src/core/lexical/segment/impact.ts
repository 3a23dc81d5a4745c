// What one word says about one chunk, as one byte: its counts in all fields, weighed together, held against the lengths
// of the fields, and saturated. It depends on the chunk alone, never on the rest of a library, so that it can be written
// once and compared across sources and machines.

import { fieldNames, type FieldName, type LexicalWeights } from './fields.ts';

/** An impact of 255 is a word that says all it can. */
export const MAX_IMPACT = 255;

export type FieldLengths = Readonly<Record<FieldName, number>>;

interface Norm {
  readonly weight: number;
  readonly fixed: number;
  /** Times the length of the field. */
  readonly perToken: number;
}

export interface ImpactScale {
  readonly norms: readonly Norm[];
  readonly saturation: number;
}

export function impactScale({ fields, saturation }: LexicalWeights): ImpactScale {
  const norms = fieldNames.map((name): Norm => {
    const { weight, lengthShare, usualLength } = fields[name];
    return { weight, fixed: 1 - lengthShare, perToken: lengthShare / usualLength };
  });
  return { norms, saturation };
}

/** `counts` and `lengths` by field, in the order of `fieldNames`. At least 1: a word that is there is never nothing. */
export function impactOf(scale: ImpactScale, counts: ArrayLike<number>, lengths: ArrayLike<number>): number {
  let weighed = 0;
  for (let field = 0; field < scale.norms.length; field += 1) {
    const count = counts[field] ?? 0;
    const norm = scale.norms[field];
    if (count === 0 || norm === undefined) continue;
    weighed += (norm.weight * count) / (norm.fixed + norm.perToken * (lengths[field] ?? 0));
  }
  return Math.max(1, Math.round((MAX_IMPACT * weighed) / (scale.saturation + weighed)));
}
