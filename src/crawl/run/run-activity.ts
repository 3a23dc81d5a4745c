// When a coordinator looks at its run again: soon after this worker settled one of its pages, otherwise at intervals that grow with the
// number of runs, so that many runs together read no more than a few.

import type { RunId } from '../../core/model/run.ts';
import { sleepOrAbort } from '../../platform/clock.ts';
import type { Wakeups } from '../../store/port/wakeups.ts';
import { createIdleSleep } from '../loop/idle-sleep.ts';

const MIN_MS = 100;
/** Other processes settle pages of the run, and control it, without an announcement. */
const MAX_MS = 500;
/** With more runs than that, each is looked at less often. */
const RUNS_AT_FULL_RATE = 20;

export interface FollowedRun {
  /** Returns early when this worker has settled pages of the run since the last sleep. */
  sleep(signal: AbortSignal): Promise<void>;
  /** Sleeps for as long as the longest interval. */
  sleepLong(signal: AbortSignal): Promise<void>;
  end(): void;
}

export interface RunActivity {
  /** The coordinator of the run calls it once, and `end` when it is done. */
  follow(run: RunId): FollowedRun;
  settled(run: RunId): void;
}

interface Follower {
  settlements: number;
  wake: () => void;
}

const noop = (): void => undefined;

export function createRunActivity(): RunActivity {
  const followers = new Map<RunId, Set<Follower>>();
  const maxMs = (): number => MAX_MS * Math.max(1, followers.size / RUNS_AT_FULL_RATE);

  return {
    follow(run) {
      const follower: Follower = { settlements: 0, wake: noop };
      const ofRun = followers.get(run) ?? new Set();
      followers.set(run, ofRun.add(follower));
      const ofThisWorker: Wakeups = {
        maxIdleMs: maxMs,
        count: () => follower.settlements,
        async next(_, seen, ms, signal) {
          if (follower.settlements === seen) await sleepUntilWoken(follower, ms, signal);
          return follower.settlements;
        },
      };
      const idle = createIdleSleep(ofThisWorker, 'settled', MIN_MS);
      return {
        sleep: (signal) => idle.sleep(signal),
        sleepLong: (signal) => sleepOrAbort(maxMs(), signal),
        end() {
          ofRun.delete(follower);
          if (ofRun.size === 0) followers.delete(run);
        },
      };
    },
    settled(run) {
      for (const follower of followers.get(run) ?? []) {
        follower.settlements += 1;
        follower.wake();
      }
    },
  };
}

async function sleepUntilWoken(follower: Follower, ms: number, signal: AbortSignal): Promise<void> {
  const woken = new AbortController();
  follower.wake = () => woken.abort();
  signal.addEventListener('abort', follower.wake, { once: true });
  await sleepOrAbort(signal.aborted ? 0 : ms, woken.signal);
  signal.removeEventListener('abort', follower.wake);
  follower.wake = noop;
}
