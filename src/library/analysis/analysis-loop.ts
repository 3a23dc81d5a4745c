// Works on analysis runs until the signal, one at a time.

import { sleepOrAbort } from '../../platform/clock.ts';
import type { Store } from '../../store/port.ts';
import type { AnalysisLease } from '../../store/port/analysis.ts';
import { runAnalysis, type AnalysisDeps } from './run-analysis.ts';

export interface AnalysisLoopDeps extends AnalysisDeps {
  readonly store: AnalysisDeps['store'] & Pick<Store, 'wakeups'>;
  readonly worker: string;
  readonly leaseMs: number;
  readonly renewMs: number;
}

const POLL_MS = 1000;

export async function analysisLoop(deps: AnalysisLoopDeps, signal: AbortSignal): Promise<void> {
  const { store, worker, leaseMs } = deps;
  let seen = store.wakeups.count('runs');
  while (!signal.aborted) {
    const lease = await store.analysis.lease(worker, leaseMs);
    if (lease === null)
      seen = await store.wakeups.next('runs', seen, Math.max(POLL_MS, store.wakeups.maxIdleMs()), signal);
    else await workOn(lease, deps, signal);
  }
}

/** The lease is renewed in parallel; once it is lost, the work ends. */
async function workOn(lease: AnalysisLease, deps: AnalysisLoopDeps, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const lost = new AbortController();
  const renewing = renewLease(lease, deps, lost, AbortSignal.any([signal, done.signal]));
  try {
    const isEnded = await runAnalysis(lease, deps, AbortSignal.any([signal, lost.signal]));
    if (!isEnded) await deps.store.analysis.release(lease);
  } finally {
    done.abort();
    await renewing;
  }
}

async function renewLease(
  lease: AnalysisLease,
  { store, leaseMs, renewMs }: AnalysisLoopDeps,
  lost: AbortController,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await sleepOrAbort(renewMs, signal);
    if (signal.aborted) return;
    // Whether it is lost is known when the database answers.
    const isHeld = await store.analysis.renew(lease, leaseMs).catch(() => true);
    if (!isHeld) return lost.abort();
  }
}
