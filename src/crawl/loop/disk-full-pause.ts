// A database without room pauses the work and says so, once when it begins and once when it ends.

import { PinakesError } from '../../core/model/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Claim, Store } from '../../store/port.ts';
import { restFor } from '../context/retry.ts';

const OUT_OF_ROOM = 'out-of-room';
const ROOM_AGAIN = 'room-again';
const LOOK_FOR_ROOM_MS = 1000;

/** Without room it waits a moment and answers with nothing. */
export type ClaimWithin = (claim: () => Promise<readonly Claim[]>, signal: AbortSignal) => Promise<readonly Claim[]>;

export function createFullPause(store: Store, log: Log): ClaimWithin {
  let paused = false;

  async function tell(kind: string, why: string | null): Promise<void> {
    for (const { id } of await store.runs.live()) {
      await store.journal.append(id, [{ kind, url: null, detail: { why } }]);
      if (why !== null)
        await store.journal.report({
          run: id,
          kind: OUT_OF_ROOM,
          severity: 'error',
          scope: 'library',
          target: 'database',
          message: `paused: ${why}`,
          details: {},
        });
    }
  }

  async function turnTo(state: boolean, why: string | null): Promise<void> {
    if (paused === state) return;
    paused = state;
    if (state) log.error('paused: the database has no room', { why });
    else log.warn('there is room again; the work goes on');
    // Without room even this may fail: the log has it then.
    await tell(state ? OUT_OF_ROOM : ROOM_AGAIN, why).catch(() => undefined);
  }

  return async (claim, signal) => {
    try {
      const claims = await claim();
      await turnTo(false, null);
      return claims;
    } catch (error) {
      if (!(error instanceof PinakesError) || error.code !== 'database.full') throw error;
      await turnTo(true, error.message);
      await restFor(LOOK_FOR_ROOM_MS, signal);
      return [];
    }
  };
}
