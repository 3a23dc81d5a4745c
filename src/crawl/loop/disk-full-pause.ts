// Pauses claims while the disk is full, and records when the pause begins and ends.

import { PinakesError } from '../../core/model/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/port.ts';
import type { Claim } from '../../store/port/frontier.ts';
import { sleepOrAbort } from '../../platform/clock.ts';

const DISK_FULL = 'disk-full';
const DISK_RECOVERED = 'disk-recovered';
const POLL_DISK_MS = 1000;

/** Returns no claims, after a short wait, while the disk is full. */
export type ClaimUnlessFull = (
  claim: () => Promise<readonly Claim[]>,
  signal: AbortSignal,
) => Promise<readonly Claim[]>;

export function createDiskFullPause(store: Store, log: Log): ClaimUnlessFull {
  let paused = false;

  async function record(kind: string, reason: string | null): Promise<void> {
    for (const { id } of await store.runs.live()) {
      await store.journal.append(id, [{ kind, url: null, detail: { reason } }]);
      if (reason !== null)
        await store.journal.reportProblem({
          run: id,
          kind: DISK_FULL,
          severity: 'error',
          scope: 'library',
          target: 'database',
          message: `paused: ${reason}`,
          details: {},
        });
    }
  }

  async function setPaused(state: boolean, why: string | null): Promise<void> {
    if (paused === state) return;
    paused = state;
    if (state) log.error('disk full, crawling paused', { why });
    else log.warn('disk space recovered, resuming');
    // On a full disk even this may fail; the log has it then.
    await record(state ? DISK_FULL : DISK_RECOVERED, why).catch(() => undefined);
  }

  return async (claim, signal) => {
    try {
      const claims = await claim();
      await setPaused(false, null);
      return claims;
    } catch (error) {
      if (!(error instanceof PinakesError) || error.code !== 'database.full') throw error;
      await setPaused(true, error.message);
      await sleepOrAbort(POLL_DISK_MS, signal);
      return [];
    }
  };
}
