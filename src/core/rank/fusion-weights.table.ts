// How much words and vectors count when both are there. Data, tuned on questions; docs/decisions says how.

export interface FusionWeights {
  /** Share of the vectors, 0 to 1; words have the rest. */
  readonly dense: number;
  /** Similarities at or below this say nothing: most unrelated texts have it. */
  readonly denseFloor: number;
}

export const fusionWeights: FusionWeights = { dense: 0.5, denseFloor: 0.1 };
