// Waits for a turn to ask a host, and takes another one where this one was missed.
//
// Turns stand a little further apart than the host's pace. A worker that is later than that, because the machine was busy,
// would come too close to whoever has the next turn. So it takes a new turn instead. Turns that this process has in a row may
// slide into each other's time, as long as its own requests keep their distance.

import type { Hosts, Turn } from '../../store/port.ts';
import { waitFor } from '../../operate/wait-for.ts';

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
const REMEMBERED = 10_000;

export interface TakenTurn extends Turn {
  readonly takenAtMs: number;
  /** How much later this process has its last turn in the same row. */
  readonly rowMs: number;
}

export interface Turns {
  /** True when it is time to ask, at once; false where `mayAsk` says that the host is to be left alone. */
  wait(host: string, first: TakenTurn, mayAsk: MayAsk, signal: AbortSignal): Promise<boolean>;
  /** For a request that has no claim. */
  take(host: string, signal: AbortSignal): Promise<void>;
}

/** A last look before asking. It takes time, so it comes before the check for being late. */
export type MayAsk = (turn: Turn) => Promise<boolean>;

export function createTurns(hosts: Hosts, clock: TurnClock): Turns {
  const askedAt = new Map<string, number>();

  /** Requests of this process to one host keep their distance, whatever became of their turns. */
  async function keepDistance(host: string, paceMs: number, signal: AbortSignal): Promise<void> {
    for (let leftMs = 1; leftMs > 0;) {
      leftMs = (askedAt.get(host) ?? -Infinity) + paceMs - clock.nowMs();
      await waitFor(leftMs, signal);
    }
  }

  async function wait(host: string, first: TakenTurn, mayAsk: MayAsk, signal: AbortSignal): Promise<boolean> {
    let { startsInMs, paceMs, takenAtMs, rowMs } = first;
    for (let turns = 1; ; turns += 1) {
      const dueMs = takenAtMs + startsInMs;
      await waitFor(dueMs + clock.random() * paceMs * JITTER - clock.nowMs(), signal);
      if (!(await mayAsk({ startsInMs, paceMs }))) return false;
      if (paceMs === 0) return true;
      await keepDistance(host, paceMs, signal);
      const nowMs = clock.nowMs();
      if (nowMs - dueMs <= paceMs * LATE + rowMs || turns === MOST_TURNS) {
        if (askedAt.size >= REMEMBERED) askedAt.clear();
        askedAt.set(host, nowMs);
        return true;
      }
      ({ startsInMs, paceMs } = await hosts.reserve(host));
      takenAtMs = clock.nowMs();
      rowMs = 0;
    }
  }

  return {
    wait,
    async take(host, signal) {
      const turn = await hosts.reserve(host);
      await wait(host, { ...turn, takenAtMs: clock.nowMs(), rowMs: 0 }, async () => true, signal);
    },
  };
}
