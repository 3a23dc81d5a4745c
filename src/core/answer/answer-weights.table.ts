// Weights of the features that passages are scored by, between the fits to the evidence of either half of the questions in
// test/data/quality.

export const answerWeights = {
  /** Logarithm of the page's share of the best page's score. */
  share: 2.1,
  /** Minus the logarithm of the page's rank. */
  rank: 2,
  /** Whether the query names the source, if several are searched. */
  isNamedSource: 1.5,
  /** Lexical score of the chunk, as a share of the total weight of the query. */
  lexical: 2.3,
  /** Minus the logarithm of the chunk's rank on its page. */
  chunkRank: 0.7,
  /** The first chunks of a page: pages say first what they are about. */
  first: 1.8,
  isSecondChunk: 0.7,
  isThirdOrFourthChunk: 1.5,
  isFifthOrSixthChunk: 0.4,
  /** Lexical score of the chunk after it, which it introduces, as a share of the best on its page. */
  precedesGood: 1.3,
  /** Vector similarity of the chunk, in hybrid mode. */
  similarity: 2.2,
  /** How well the heading above the part fits the query. */
  heading: 3.9,
  /** How well the query names the section of the part: by its heading, symbol or anchor. */
  named: 6,
  /** Share of the query that the part itself matches. */
  matched: 2.3,
  /** Whether it matches no term. */
  unmatched: -1.1,
  /** Similarity of the word vectors of the part and the query. */
  meaning: 6.3,
} as const satisfies Readonly<Record<string, number>>;

export type FeatureName = keyof typeof answerWeights;

export const featureNames = Object.keys(answerWeights) as FeatureName[];
