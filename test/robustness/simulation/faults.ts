// Which faults a simulation has. Each seed enables a random subset: with all of them at once, some would hide others.

import { chance, pick } from './virtual-time.ts';

export interface Faults {
  /** Share of database calls that fail before they have an effect, and of those whose effect is not confirmed. */
  readonly lostCalls: number;
  readonly lostAnswers: number;
  /** The longest delay of a call, before and after its effect. */
  readonly maxDelayMs: number;
  /** Share of claims whose answer takes up to seconds. */
  readonly lateClaims: number;
  /** Calls of the first indexer are late, so pages change between its reads and its writes. */
  readonly slowIndexing: boolean;
  /** Processes that die and are replaced, stop for longer than a lease and come back, or are shut down and restarted. */
  readonly deaths: boolean;
  readonly stops: boolean;
  readonly shutdowns: boolean;
  /** Wall clocks that are hours off. */
  readonly skewedClocks: boolean;
  /** The database cannot be reached, cannot be written to, or has no space, for some seconds. */
  readonly outages: boolean;
  /** The database is replaced by an earlier copy of itself, as a replica that lagged behind. */
  readonly rollbacks: boolean;
  /** Announcements of other processes do not arrive. */
  readonly lostWakeups: boolean;
  /** Share of the site's pages that fail at first, and whether some take seconds. */
  readonly flakyPages: number;
  readonly slowPages: boolean;
  /** The site asks for fewer requests, now and then. */
  readonly throttling: boolean;
  /** The webhook receiver fails, hangs, or accepts a message and does not confirm it. */
  readonly failingReceiver: boolean;
  /** A user pauses and resumes runs. */
  readonly pauses: boolean;
}

/** The faults of a simulation, and whether they have ended for now. */
export interface Conditions {
  readonly faults: Faults;
  isCalm: boolean;
}

export const NO_FAULTS: Faults = {
  lostCalls: 0,
  lostAnswers: 0,
  maxDelayMs: 4,
  lateClaims: 0,
  slowIndexing: false,
  deaths: false,
  stops: false,
  shutdowns: false,
  skewedClocks: false,
  outages: false,
  rollbacks: false,
  lostWakeups: false,
  flakyPages: 0,
  slowPages: false,
  throttling: false,
  failingReceiver: false,
  pauses: false,
};

export function randomFaults(): Faults {
  return {
    lostCalls: pick([0, 0, 0.002, 0.01, 0.03]),
    lostAnswers: pick([0, 0, 0.002, 0.01, 0.03]),
    maxDelayMs: pick([2, 8, 40]),
    lateClaims: 0,
    slowIndexing: false,
    deaths: chance(0.5),
    stops: chance(0.4),
    shutdowns: chance(0.3),
    skewedClocks: chance(0.3),
    outages: chance(0.3),
    rollbacks: chance(0.2),
    lostWakeups: chance(0.3),
    flakyPages: pick([0, 0.1, 0.3]),
    slowPages: chance(0.4),
    throttling: chance(0.2),
    failingReceiver: chance(0.4),
    pauses: chance(0.15),
  };
}
