// How much each signal counts. Data, tuned on one half of the questions in test/quality and checked on the other.

import { signalNames, type SignalName } from './signals.ts';

export const rankWeights: Readonly<Record<SignalName, number>> = {
  chunk: 1,
  second: 0.6,
  page: 1,
  coverage: 0.05,
  title: 0.2,
  titleFit: 0.2,
  heading: 0,
  headingFit: 0.05,
  path: 0.1,
  near: 0.1,
  adjacent: 0,
  nameInHeading: 0.15,
  nameInText: 0.15,
  length: -0.2,
  depth: -0.1,
  isIndex: -0.3,
  isHub: -0.05,
  isRelease: -0.05,
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
