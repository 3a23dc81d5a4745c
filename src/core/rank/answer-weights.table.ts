// How an answer's tokens are spent. Data, tuned on the evidence of questions.

export interface AnswerWeights {
  /** How fast lower pages lose against better ones. */
  readonly pageSharpness: number;
  /** What the first chunk of a page gains: pages say first what they are about. The second gains half of it. */
  readonly lead: number;
  /** Share of what its neighbours are worth that a chunk gains. */
  readonly neighbours: number;
  /** What a single block of a chunk gains by the words of the question that it has. */
  readonly block: number;
  /** How much a chunk of a thousand characters loses against a short one. */
  readonly length: number;
  /** Share of the answer that one page may take. */
  readonly pageShare: number;
}

export const answerWeights: AnswerWeights = {
  pageSharpness: 2,
  lead: 0.3,
  neighbours: 0.3,
  block: 0.5,
  length: 0.6,
  pageShare: 0.7,
};
