// How much each signal counts. Data, tuned on one half of the questions in test/quality and checked on the other.

import { signalNames, type SignalName } from './signals.ts';

export const rankWeights: Readonly<Record<SignalName, number>> = {
  chunk: 1,
  second: 1.6,
  page: 3,
  coverage: 0.35,
  pageCoverage: 0.65,
  title: -1.4,
  titleFit: 1.65,
  heading: 0,
  headingFit: 0.4,
  path: 0.65,
  near: 0.45,
  adjacent: 0.1,
  nameInHeading: 0.1,
  nameInText: 0,
  length: -1.2,
  depth: -0.65,
  isIndex: -0.7,
  isHub: -0.25,
  isRelease: -0.15,
  sourceNamed: -0.5,
};

const nothing = Object.fromEntries(signalNames.map((name) => [name, 0])) as Record<SignalName, number>;

/** For the choice between the chunks of one page: what is the same for all of them counts nothing. */
export const passageWeights: Readonly<Record<SignalName, number>> = {
  ...nothing,
  chunk: 1,
  coverage: 0.2,
  headingFit: 0.1,
  near: 0.2,
  nameInHeading: 0.15,
  nameInText: 0.15,
};
