// The fields of a chunk that are searched, and how much each one says. Weights are data; they are tuned on questions.

export const fieldNames = ['title', 'headings', 'symbols', 'path', 'body'] as const;
export type FieldName = (typeof fieldNames)[number];

export interface FieldWeight {
  readonly weight: number;
  /** How much a long field is held against a chunk, 0 to 1. */
  readonly lengthShare: number;
  /** Tokens of a field that is neither long nor short. Fixed, so that a chunk's impacts do not depend on its neighbours. */
  readonly usualLength: number;
}

export interface LexicalWeights {
  readonly fields: Readonly<Record<FieldName, FieldWeight>>;
  /** How soon more of the same word stops to count. */
  readonly saturation: number;
  /** What a stop word of the query counts. */
  readonly stopWord: number;
}

export const defaultWeights: LexicalWeights = {
  fields: {
    title: { weight: 1.5, lengthShare: 0.5, usualLength: 6 },
    headings: { weight: 2, lengthShare: 0.5, usualLength: 8 },
    symbols: { weight: 3, lengthShare: 0.3, usualLength: 2 },
    path: { weight: 1.5, lengthShare: 0.3, usualLength: 4 },
    body: { weight: 1, lengthShare: 0.8, usualLength: 170 },
  },
  saturation: 1.5,
  stopWord: 0.4,
};
