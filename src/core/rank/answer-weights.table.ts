// How an answer's tokens are spent. Data, between the fits to the evidence of either half of the questions.

export interface AnswerWeights {
  /** How fast pages lose by their share of the best score, and by their place. Both are powers. */
  readonly pageScore: number;
  readonly pagePlace: number;
  /** What the words of a chunk say, as a share of what all words of the question are worth. */
  readonly look: number;
  /** How well the heading of a chunk is the question. */
  readonly heading: number;
  /** What the best block of a chunk has of the question. */
  readonly block: number;
  /** What the first chunk of a page gains: pages say first what they are about. */
  readonly lead: number;
  /** What a chunk gains before a good one: it leads there. */
  readonly next: number;
  /** How near a chunk is in meaning, where vectors take part. */
  readonly near: number;
  /** How fast the chunks of a page lose by their place among them, a power. */
  readonly place: number;
  /** Characters that every chunk costs beside its own. */
  readonly cost: number;
  /** Share of the answer that one page may take. */
  readonly pageShare: number;
}

export const answerWeights: AnswerWeights = {
  pageScore: 1.2,
  pagePlace: 1.1,
  look: 1.3,
  heading: 1.7,
  block: 1.3,
  lead: 1,
  next: 0.85,
  near: 2.2,
  place: 0.85,
  cost: 100,
  pageShare: 1,
};
