// The ranking signals and their weights, tuned on the questions in test/quality and rounded; decision 37 has the two halves.

/** The order is part of the result: the weighted signals are summed in it. */
export const signalNames = [
  'chunk',
  'second',
  'third',
  'lead',
  'page',
  'coverage',
  'pageCoverage',
  'headingFit',
  'proximity',
  'nameInHeading',
  'named',
  'titleWords',
  'length',
  'depth',
  'inlinks',
  'phrase',
  'isIndex',
  'isHub',
  'isRelease',
  'isListing',
  'isPreferred',
] as const;
export type SignalName = (typeof signalNames)[number];
export type Signals = Readonly<Record<SignalName, number>>;

export const rankWeights: Signals = {
  chunk: 1,
  second: 1,
  third: 0.6,
  lead: 1.6,
  page: 3,
  coverage: 0.5,
  pageCoverage: 0.8,
  headingFit: 0.4,
  proximity: 0.5,
  nameInHeading: 0.4,
  named: 0.5,
  titleWords: -0.2,
  length: -1,
  depth: -0.7,
  inlinks: 0.35,
  phrase: 0.55,
  isIndex: -0.7,
  isHub: -0.3,
  isRelease: -0.2,
  isListing: -0.8,
  isPreferred: 0.2,
};
