// How likely it is that the library answers a query, from the scores of the pages that were found: the page that answers it
// scores high, and well above those after it. See decision 81.

/** Fitted to the questions in test/data/quality as they are, without the pages that answer them, and without their source. */
const confidenceWeights = { score: 0.42, lead: 0.94, bias: -2.85 } as const;
/** Pages that the best page is compared with. */
const COMPARED_PAGES = 9;
/** One in twenty questions that the library answers has less; so have most questions about something else. */
const WEAK_BELOW = 0.25;

export function isWeak(confidence: number): boolean {
  return confidence < WEAK_BELOW;
}

/** From 0 to 1, calibrated: of the answers with 0.7, seven in ten contain the evidence. Two decimals. */
export function confidenceOf(scores: readonly number[]): number {
  const { score, lead } = confidenceFeatures(scores);
  const logit = confidenceWeights.score * score + confidenceWeights.lead * lead + confidenceWeights.bias;
  return scores.length === 0 ? 0 : Math.round(100 / (1 + Math.exp(-logit))) / 100;
}

export interface ConfidenceFeatures {
  /** Score of the best page. */
  readonly score: number;
  /** How far it is above the mean of the pages after it. */
  readonly lead: number;
}

export function confidenceFeatures(scores: readonly number[]): ConfidenceFeatures {
  const [score = 0, ...others] = scores.slice(0, 1 + COMPARED_PAGES);
  const mean = others.length === 0 ? 0 : others.reduce((sum, one) => sum + one, 0) / others.length;
  return { score, lead: score - mean };
}
