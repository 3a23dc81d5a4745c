// How much words and vectors count when both are there. Data, tuned on questions; docs/decisions says how.

export interface FusionWeights {
  /** Share of the vectors, 0 to 1; words have the rest. */
  readonly dense: number;
  /** Similarities at or below this say nothing: most unrelated texts have it. */
  readonly denseFloor: number;
  /** Of a page's similarity, the share of its three nearest chunks, and of its beginning; the nearest has the rest. */
  readonly three: number;
  readonly lead: number;
}

export const fusionWeights: FusionWeights = { dense: 0.45, denseFloor: 0.2, three: 0.35, lead: 0.3 };
