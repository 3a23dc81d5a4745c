// The sweep at the end of a run: known pages that were asked and found gone, moved away or not to be kept are removed,
// where the run as a whole is proof enough. Else they stay, and a problem says why and what to do.

import { removalVerdict, type RemovalVerdict } from '../core/discover/removal-verdict.ts';
import type { Run, RunLease, Store } from '../store/port.ts';

const PIECE = 1000;

export interface SweepRules {
  /** A file that is not in its folder is gone; a site may only be ill. */
  readonly isLocal: boolean;
  readonly confirmRemovals: boolean;
}

export async function sweepMissing(lease: RunLease, store: Store, rules: SweepRules): Promise<void> {
  const run = (await store.runs.byId(lease.run.id)) ?? lease.run;
  if (run.counts.missing === 0) return;
  const verdict = await verdictOn(run, store, rules);
  if (verdict.remove) while ((await store.frontier.confirmMissing(lease, PIECE)) > 0);
  else await report(run, verdict.because, store);
}

async function verdictOn(run: Run, store: Store, rules: SweepRules): Promise<RemovalVerdict> {
  const { found, failed, dropped, missing, changed, unchanged } = run.counts;
  if (run.state === 'stopping') return { remove: false, because: 'cut' };
  if (rules.isLocal && dropped === 0) return { remove: true };
  const known = missing + changed + unchanged;
  return removalVerdict({ found, failed, dropped, missing, known }, rules.confirmRemovals);
}

const BECAUSE = {
  cut: 'the run did not ask everything',
  failing: 'too many requests failed',
  'too-many': 'so many at once may be a mistake of the site. Run it again with --confirm-removals if they shall go',
} as const;

async function report(run: Run, because: keyof typeof BECAUSE, { journal }: Store): Promise<void> {
  const { missing } = run.counts;
  const pages = missing === 1 ? '1 page was' : `${missing} pages were`;
  await journal.report({
    run: run.id,
    kind: 'removals-held',
    severity: because === 'too-many' ? 'error' : 'warning',
    scope: 'run',
    target: `run ${run.id}`,
    message: `${pages} not found any more and stay for now: ${BECAUSE[because]}`,
    details: { because, missing },
  });
}
