// Tells when a worker has nothing left to do: no run that could go on, nothing to index, nobody who asks.

import type { Store } from '../../store/port.ts';
import { mayPass, restFor } from '../context/retry.ts';

export interface IdleWatch {
  readonly isBusy: () => Promise<boolean>;
  /** Returns when nothing was to do for the whole time, or at the signal. */
  wait(asking: () => number, signal: AbortSignal): Promise<void>;
}

const LOOK_EVERY_MS = 200;

/** Whoever cannot look does not know that nothing is left to do. */
function isAway(error: unknown): true {
  if (mayPass(error)) return true;
  throw error;
}

/** `isEmbedding` tells whether texts wait for their vectors, or the model is being opened. */
export function createIdleWatch(store: Store, idleMs: number, isEmbedding = (): boolean => false): IdleWatch {
  const isBusy = async (): Promise<boolean> =>
    isEmbedding() ||
    (await store.runs.live()).some(({ state }) => state !== 'paused') ||
    (await store.searchRows.lag()) > 0;
  return {
    isBusy,
    async wait(asking, signal) {
      let idleSince = performance.now();
      while (!signal.aborted && performance.now() - idleSince < idleMs) {
        if (asking() > 0 || (await isBusy().catch(isAway))) idleSince = performance.now();
        await restFor(Math.min(LOOK_EVERY_MS, idleMs), signal);
      }
    },
  };
}
