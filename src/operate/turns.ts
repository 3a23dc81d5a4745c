// Waits for a turn to ask a host, and takes another one where this one was missed.
//
// Turns stand a little further apart than the host's pace. A worker that is later than that, because the machine was busy,
// would come too close to whoever has the next turn. So it takes a new turn instead.

import type { Hosts, Turn } from '../store/port.ts';
import { waitFor } from './wait-for.ts';

export interface TurnClock {
  /** Never goes back. */
  readonly nowMs: () => number;
  readonly random: () => number;
}

/** As in the store: turns stand a tenth of the pace further apart. Half of it is given to chance, half to being late. */
const JITTER = 1 / 20;
const LATE = 1 / 10;
/** A machine that is always late asks all the same, some day. */
const MOST_TURNS = 20;

export interface TurnDeps {
  readonly hosts: Hosts;
  readonly clock: TurnClock;
  /** A last look before asking: false where the host is to be left alone. It takes time, so it comes before the check for being late. */
  readonly mayAsk?: (turn: Turn) => Promise<boolean>;
}

/** True when it is time to ask, at once; false where the host is to be left alone. */
export async function waitForTurn(
  host: string,
  first: Turn & { readonly takenAtMs: number },
  { hosts, clock, mayAsk }: TurnDeps,
  signal: AbortSignal,
): Promise<boolean> {
  let { startsInMs, paceMs, takenAtMs } = first;
  for (let turns = 1; ; turns += 1) {
    const dueMs = takenAtMs + startsInMs;
    await waitFor(dueMs + clock.random() * paceMs * JITTER - clock.nowMs(), signal);
    if (mayAsk !== undefined && !(await mayAsk({ startsInMs, paceMs }))) return false;
    if (clock.nowMs() - dueMs <= paceMs * LATE || paceMs === 0 || turns === MOST_TURNS) return true;
    ({ startsInMs, paceMs } = await hosts.reserve(host));
    takenAtMs = clock.nowMs();
  }
}

/** For a request that has no claim. */
export async function takeTurn(host: string, deps: TurnDeps, signal: AbortSignal): Promise<void> {
  const turn = await deps.hosts.reserve(host);
  await waitForTurn(host, { ...turn, takenAtMs: deps.clock.nowMs() }, deps, signal);
}
