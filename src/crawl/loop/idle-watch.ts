// Detects when a worker has nothing left to do: no active run, nothing to index or to analyze, no requests.

import type { SearchIndex } from '../../index/port.ts';
import type { Store } from '../../store/port.ts';
import { isStatementTimeout, isTransient } from '../context/retry.ts';
import { monotonicMs, sleepOrAbort } from '../../platform/clock.ts';

export interface IdleWatch {
  readonly isBusy: () => Promise<boolean>;
  /** Returns when there was nothing to do for the whole time, or at the signal. */
  wait(activeRequests: () => number, signal: AbortSignal): Promise<void>;
}

const POLL_MS = 200;

/** While the database is unavailable or slow, the worker counts as busy. */
function assumeBusy(error: unknown): true {
  if (isTransient(error) || isStatementTimeout(error)) return true;
  throw error;
}

/** `isEmbedding` says whether texts are waiting for vectors or the model is being opened. */
export function createIdleWatch(
  { store, index }: { readonly store: Store; readonly index: SearchIndex },
  idleMs: number,
  isEmbedding = (): boolean => false,
): IdleWatch {
  const isBusy = async (): Promise<boolean> =>
    isEmbedding() ||
    (await store.runs.live()).some(({ state }) => state !== 'paused') ||
    (await index.lag(1)).pages > 0 ||
    (await store.webhooks.areDue()) ||
    (await store.analysis.isLive());
  return {
    isBusy,
    async wait(activeRequests, signal) {
      let idleSince = monotonicMs();
      while (!signal.aborted) {
        if (activeRequests() > 0 || (await isBusy().catch(assumeBusy))) idleSince = monotonicMs();
        // A process that gets no processor sleeps for longer than it is told to: only this check sees what came in the meantime.
        else if (monotonicMs() - idleSince >= idleMs) return;
        await sleepOrAbort(Math.min(POLL_MS, idleMs), signal);
      }
    },
  };
}
