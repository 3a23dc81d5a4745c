// Weights of score fusion between lexical and dense results, tuned on the questions in test/data/quality; see decision 25.

export interface FusionWeights {
  /** Share of the dense score, 0 to 1; the lexical score has the rest. */
  readonly dense: number;
  /** Similarities at or below this carry no information: most unrelated texts reach it. */
  readonly denseFloor: number;
  /** Within a page's similarity, the shares of its three most similar chunks and of its start; the best chunk has the rest. */
  readonly topThree: number;
  readonly lead: number;
}

export const fusionWeights: FusionWeights = { dense: 0.45, denseFloor: 0.2, topThree: 0.35, lead: 0.3 };
