// Weights of passage selection, between the fits to the evidence of either half of the questions in test/quality.

export interface AnswerWeights {
  /** Exponents by which pages lose with their share of the best score, and with their rank. */
  readonly pageScore: number;
  readonly pageRankDecay: number;
  /** Lexical score of the chunk, as a share of the total weight of the query. */
  readonly lexical: number;
  /** How well the heading above a part fits the query. */
  readonly heading: number;
  /** Share of the query that the part itself matches. */
  readonly part: number;
  /** Penalty for a part that matches no term. */
  readonly noMatchPenalty: number;
  /** Bonus of the first chunks of a page: pages say first what they are about. */
  readonly lead: readonly number[];
  /** Bonus of a chunk that precedes a good one, because it introduces it. */
  readonly precedesGood: number;
  /** Vector similarity of the chunk, in hybrid mode. */
  readonly similarity: number;
  /** Exponent by which chunks lose with their rank among the chunks of their page. */
  readonly rankDecay: number;
  /** Characters charged for every part, in addition to its text and header. */
  readonly overheadChars: number;
  /** Share of the budget that one page may use. */
  readonly pageShare: number;
}

export const answerWeights: AnswerWeights = {
  pageScore: 1.6,
  pageRankDecay: 1,
  lexical: 2.2,
  heading: 7,
  part: 4.2,
  noMatchPenalty: 1.4,
  lead: [1.5, 0.65, 1.65, 1.65, 0.4, 0.4],
  precedesGood: 1.3,
  similarity: 2.2,
  rankDecay: 0.8,
  overheadChars: 40,
  pageShare: 1,
};
