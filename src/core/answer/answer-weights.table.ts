// How an answer's tokens are spent. Data, between the fits to the evidence of either half of the questions.

export interface AnswerWeights {
  /** How fast pages lose by their share of the best score, and by their place. Both are powers. */
  readonly pageScore: number;
  readonly pagePlace: number;
  /** What the words of a chunk say, as a share of what all words of the question are worth. */
  readonly look: number;
  /** How well the heading above a part is the question. */
  readonly heading: number;
  /** What a part itself has of the question. */
  readonly part: number;
  /** What a part loses that has none of it. */
  readonly silent: number;
  /** What the first chunks of a page gain: pages say first what they are about. */
  readonly lead: readonly number[];
  /** What a chunk gains before a good one: it leads there. */
  readonly next: number;
  /** How near a chunk is in meaning, where vectors take part. */
  readonly near: number;
  /** How fast the chunks of a page lose by their place among them, a power. */
  readonly place: number;
  /** Characters that every part costs beside its own and its head. */
  readonly cost: number;
  /** Share of the answer that one page may take. */
  readonly pageShare: number;
}

export const answerWeights: AnswerWeights = {
  pageScore: 1.6,
  pagePlace: 1,
  look: 2.2,
  heading: 7,
  part: 4.2,
  silent: 1.4,
  lead: [1.5, 0.65, 1.65, 1.65, 0.4, 0.4],
  next: 1.3,
  near: 2.2,
  place: 0.8,
  cost: 40,
  pageShare: 1,
};
