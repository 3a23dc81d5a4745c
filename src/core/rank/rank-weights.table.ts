// How much each signal counts. Data, tuned on the questions in test/quality and rounded; decision 37 has the halves.

import type { SignalName } from './signals.ts';

export const rankWeights: Readonly<Record<SignalName, number>> = {
  chunk: 1,
  second: 1,
  third: 0.6,
  lead: 1.6,
  page: 3,
  coverage: 0.5,
  pageCoverage: 0.8,
  headingFit: 0.4,
  near: 0.5,
  nameInHeading: 0.4,
  titleWords: -0.2,
  length: -1,
  depth: -0.7,
  isIndex: -0.7,
  isHub: -0.3,
  isRelease: -0.2,
  isListing: -0.8,
};
