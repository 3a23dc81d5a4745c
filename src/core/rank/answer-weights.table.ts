// How an answer's tokens are spent. Data, tuned on the evidence of questions.

export interface AnswerWeights {
  /** How fast lower pages lose against better ones. */
  readonly pageSharpness: number;
  /** What a page's second passage is worth against its first. */
  readonly second: number;
  readonly passagesPerPage: number;
  /** Longest passage. */
  readonly passageTokens: number;
}

export const answerWeights: AnswerWeights = { pageSharpness: 2, second: 0.6, passagesPerPage: 2, passageTokens: 400 };
