// Conducts one run from its first URL to its end state, under its lease. Any worker may claim the run's URLs meanwhile;
// only the conductor seeds it and ends it.

import type { RunLease } from '../store/port.ts';
import type { HostWatch } from './host-watch.ts';
import { listFolder } from './list-folder.ts';
import type { LocalSourceOf } from './local-source-of.ts';
import { restFor } from './persist.ts';
import type { ReportProblem } from './report-problem.ts';
import type { RobotsKeeper } from './robots-keeper.ts';
import { runEnd } from './run-end.ts';
import type { RulesOf } from './run-rules.ts';
import { createRunLimits, type RunLimits } from './run-limits.ts';
import { seedRun } from './seed-run.ts';
import type { CrawlLimits, CrawlStages } from './stages.ts';
import type { TurnClock } from './turns.ts';

export interface ConductDeps {
  readonly stages: CrawlStages;
  readonly limits: CrawlLimits;
  readonly robots: RobotsKeeper;
  readonly watch: HostWatch;
  readonly clock: TurnClock;
  readonly report: ReportProblem;
  readonly rulesOf: RulesOf;
  readonly localSourceOf: LocalSourceOf;
}

const LOOK_EVERY_MS = 100;
const PIECE = 1000;

/** Returns when the run ended, was paused, or its lease was lost. */
export async function conductRun(lease: RunLease, deps: ConductDeps, signal: AbortSignal): Promise<void> {
  const { store } = deps.stages;
  const listing = await listFolder(lease, deps, signal);
  if (listing.kind === 'nothing' && (await store.runs.finish(lease, 'failed', listing.reason))) return;
  if (listing.kind === 'web' && lease.run.state === 'running') await seedOnce(lease, deps, signal);
  const renewal = createRenewal(lease, deps);
  const limits = listing.kind === 'web' ? createRunLimits(lease, await deps.rulesOf(lease.run.id), deps) : null;
  while (!signal.aborted) {
    if (!(await renewal())) return;
    const step = await advance(lease, limits, deps);
    if (step === 'ended') return;
    if (step === 'left') break;
    await restFor(LOOK_EVERY_MS, signal);
  }
  await store.runs.release(lease);
}

const SEEDED = 'seeded';

/** Seeding takes several transactions. It is done when it says so; after a kill it is begun again, and repeats nothing. */
async function seedOnce(lease: RunLease, deps: ConductDeps, signal: AbortSignal): Promise<void> {
  const { run } = lease;
  const { journal } = deps.stages.store;
  if ((await journal.milestones(run.id)).some(({ kind }) => kind === SEEDED)) return;
  await whileRenewing(lease, deps, async () => seedRun(run, await deps.rulesOf(run.id), deps, signal));
  await journal.reach(run.id, SEEDED, {});
}

/** Discovery goes at the pace of its host, which may take longer than the lease. */
async function whileRenewing(
  lease: RunLease,
  { stages, limits }: ConductDeps,
  work: () => Promise<void>,
): Promise<void> {
  const renewing = setInterval(() => {
    stages.store.runs
      .renew(lease, limits.leaseMs)
      .catch((error: unknown) => stages.log.warn('a lease was not renewed', { error }));
  }, limits.renewMs);
  try {
    await work();
  } finally {
    clearInterval(renewing);
  }
}

/** False when the lease is lost. */
function createRenewal(lease: RunLease, { stages, limits }: ConductDeps): () => Promise<boolean> {
  let due = performance.now() + limits.renewMs;
  return async () => {
    if (performance.now() < due) return true;
    due = performance.now() + limits.renewMs;
    return stages.store.runs.renew(lease, limits.leaseMs);
  };
}

async function advance(
  lease: RunLease,
  limits: RunLimits | null,
  deps: ConductDeps,
): Promise<'goes-on' | 'ended' | 'left'> {
  const { store } = deps.stages;
  const run = await store.runs.byId(lease.run.id);
  if (run === null || run.endedAt !== null || run.state === 'paused') return 'left';
  const gaveUp = (await limits?.apply(run)) ?? null;
  if (run.state === 'stopping') while ((await store.runs.dropUnasked(lease, 'stopped', PIECE)) > 0);
  if (!(await store.frontier.drained(run.id))) return 'goes-on';
  // Whoever gave up has proven nothing about what is missing.
  if (gaveUp !== null) return (await store.runs.finish(lease, gaveUp.state, gaveUp.reason)) ? 'ended' : 'goes-on';
  if (run.state === 'running' && run.counts.moved > 0 && (await store.frontier.untangle(lease, PIECE)) > 0)
    return 'goes-on';
  return (await finish(lease, deps)) ? 'ended' : 'goes-on';
}

async function finish(lease: RunLease, { stages: { store } }: ConductDeps): Promise<boolean> {
  while ((await store.frontier.confirmMissing(lease, PIECE)) > 0);
  const run = (await store.runs.byId(lease.run.id)) ?? lease.run;
  const end = await runEnd(run, async (outcome) => (await store.frontier.reasons(run.id, outcome, 1))[0] ?? null);
  return store.runs.finish(lease, end.state, end.reason);
}
