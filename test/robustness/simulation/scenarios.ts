// What the seeds simulate: some have a scenario for one kind of fault, the others walk at random.

import { NO_FAULTS, type Faults } from './faults.ts';
import type { SingleFault } from './simulated-database.ts';
import { chance, integer, pick } from './virtual-time.ts';

export interface SimulationOptions {
  readonly faults?: Faults;
  readonly pages?: number;
  readonly runs?: number;
  readonly singleFault?: SingleFault;
  /** The longest time of each run in which faults happen. */
  readonly disturbMs?: number;
  /** Share of sources with a maximum depth. */
  readonly limitedShare?: number;
  /** Between two requests to a host. */
  readonly minDelayMs?: number;
  /** At the start. */
  readonly processes?: number;
  /** Each run but the last follows when the one before has ended, whatever else is not done. */
  readonly isHurried?: boolean;
  /** Processes of several builds use the database, and one of them migrates it. */
  readonly isMigrated?: boolean;
}

/** As many seeds as a short run has calls: the next round has another kind of fault. */
const SINGLE_CALLS = 40;

/**
 * One fault at one call, and little else: a walk with many faults rarely has the one that matters at the one moment that matters, and repairs
 * much of what it broke. Half of them go through the first reads and writes of a process that is alone, in order.
 */
function singleFaultOptions(nth: number): SimulationOptions {
  const faults = { ...NO_FAULTS, flakyPages: pick([0, 0.3]), slowPages: true };
  const common = { faults, runs: 1, disturbMs: 4000, limitedShare: 0.7 };
  const round = Math.floor(nth / 2);
  if (nth % 2 === 0) {
    const kind = pick(['lost', 'answer-lost', 'death', 'stop'] as const);
    return { ...common, singleFault: { kind, of: 'call', call: pick([integer(1, 40), integer(1, 300)]) } };
  }
  const kinds = [
    { kind: 'lost', of: 'read' },
    { kind: 'lost', of: 'read', times: 2 },
    { kind: 'rolled-back', of: 'write' },
    { kind: 'answer-lost', of: 'write' },
  ] as const;
  const call = 1 + (Math.floor(round / kinds.length) % SINGLE_CALLS);
  return { ...common, processes: 1, singleFault: { ...kinds[round % kinds.length]!, call } };
}

/** Runs that follow each other at once while a call is late or a process stops: an indexer is still at work on a page when it changes again. */
function hurriedOptions(rollbacks: boolean): SimulationOptions {
  const faults = {
    ...NO_FAULTS,
    maxDelayMs: pick([8, 40]),
    stops: chance(0.5),
    deaths: chance(0.3),
    lostAnswers: pick([0, 0.01]),
    slowPages: chance(0.3),
    failingReceiver: chance(0.3),
    slowIndexing: chance(0.7),
    rollbacks,
  };
  const kind = pick(['late', 'late-answer', 'stop'] as const);
  const singleFault = { kind, of: 'write', call: integer(5, 120), times: pick([1, 3]) } as const;
  const common = { runs: 5, pages: integer(2, 6), disturbMs: 3000, isHurried: true, minDelayMs: 0 };
  return { faults, singleFault, processes: integer(1, 3), ...common };
}

/** Processes that share the rate of a host, and are late for their slots. */
function politeOptions(): SimulationOptions {
  const faults = {
    ...NO_FAULTS,
    maxDelayMs: pick([8, 40, 400]),
    lateClaims: pick([0.1, 0.5]),
    lostAnswers: pick([0, 0.05]),
    stops: true,
    throttling: chance(0.3),
    pauses: chance(0.3),
    outages: chance(0.3),
  };
  return { faults, runs: 1, pages: integer(8, 18), minDelayMs: pick([200, 600]), processes: 3 };
}

/** Pages that are found on a longer path before a shorter one. */
function deepOptions(): SimulationOptions {
  const faults = { ...NO_FAULTS, flakyPages: 0.4, slowPages: true, throttling: chance(0.5), deaths: chance(0.3) };
  return { faults, runs: 1, pages: integer(8, 18), limitedShare: 1 };
}

/** Some of the seeds have a scenario for one kind of fault; the others walk at random. */
export function optionsOf(seed: number): SimulationOptions {
  if (seed % 3 === 0) return singleFaultOptions(Math.floor(seed / 3));
  switch (seed % 9) {
    case 1:
      return hurriedOptions(false);
    case 7:
      return hurriedOptions(true);
    case 5:
      return politeOptions();
    case 8:
      return deepOptions();
    default:
      return {};
  }
}
