// Conducts one run from its first URL to its end state, under its lease. Any worker may claim the run's URLs meanwhile;
// only the conductor seeds it and ends it.

import type { Run, RunLease } from '../../store/port.ts';
import type { HostWatch } from '../polite/host-rate-tracker.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import { canonicalOf } from '../../operate/canonical-of.ts';
import { endRun } from './finalize-run.ts';
import { FILES_LISTED, listFolder } from '../files/list-folder.ts';
import type { LocalSourceOf } from '../files/open-local-source.ts';
import { restFor } from '../context/retry.ts';
import { remakePages, type RemakeRules } from './reprocess-pages.ts';
import type { RobotsKeeper } from '../polite/robots-cache.ts';
import type { RulesOf } from '../context/run-rules.ts';
import { createRunLimits, type GivenUp, type RunLimits } from './run-limits.ts';
import { seedRun } from '../seed/seed-run.ts';
import type { CrawlLimits, CrawlStages } from '../context/ports.ts';
import type { TurnClock, Turns } from '../polite/host-rate-limiter.ts';

export interface ConductDeps {
  readonly stages: CrawlStages;
  readonly limits: CrawlLimits;
  readonly robots: RobotsKeeper;
  readonly watch: HostWatch;
  readonly turns: Turns;
  readonly clock: TurnClock;
  readonly report: ReportProblem;
  readonly rulesOf: RulesOf;
  readonly localSourceOf: LocalSourceOf;
}

const LOOK_EVERY_MS = 100;
const PIECE = 1000;

/** Returns when the run ended, was paused, or its lease was lost. The lease is renewed beside all that takes long. */
export async function conductRun(lease: RunLease, deps: ConductDeps, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const lost = new AbortController();
  const renewing = keepLease(lease, deps, lost, AbortSignal.any([signal, done.signal]));
  try {
    await conduct(lease, deps, AbortSignal.any([signal, lost.signal]));
  } catch (error) {
    // Whoever holds the run now goes on with it.
    if (lost.signal.aborted) return;
    if (!signal.aborted) throw error;
    // Asked to stop in the middle of a step: whoever comes next need not wait for the lease to end.
    await deps.stages.store.runs.release(lease);
  } finally {
    done.abort();
    await renewing;
  }
}

async function keepLease(
  lease: RunLease,
  { stages, limits }: ConductDeps,
  lost: AbortController,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await restFor(limits.renewMs, signal);
    if (signal.aborted) return;
    const isHeld = await stages.store.runs.renew(lease, limits.leaseMs).catch(() => true);
    if (isHeld) continue;
    lost.abort();
    return;
  }
}

async function conduct(lease: RunLease, deps: ConductDeps, signal: AbortSignal): Promise<void> {
  const { store } = deps.stages;
  const remake = await remakeRules(lease, deps, signal);
  if (lease.run.state === 'running' && !(await isSeeded(lease, deps)))
    await remakePages(lease, deps.stages, remake, signal);
  const listing = await listFolder(lease, deps, signal);
  if (listing.kind === 'nothing' && (await store.runs.finish(lease, 'failed', listing.reason))) return;
  const isLocal = listing.kind !== 'web';
  if (!isLocal && lease.run.state === 'running') await seedOnce(lease, deps, signal);
  const limits = isLocal ? null : createRunLimits(lease, await deps.rulesOf(lease.run.id), deps);
  while (!signal.aborted) {
    const step = await advance(lease, limits, deps);
    if (step.kind === 'drained' && (await endRun(lease, deps, { isLocal, remake, gaveUp: step.gaveUp }, signal)))
      return forgetEvents(deps, signal);
    if (step.kind === 'left') break;
    await restFor(LOOK_EVERY_MS, signal);
  }
  await store.runs.release(lease);
}

const DAY_MS = 86_400_000;

async function forgetEvents({ stages, limits }: ConductDeps, signal: AbortSignal): Promise<void> {
  const { keepEventsDays } = limits;
  if (keepEventsDays === 0) return;
  while (!signal.aborted && (await stages.store.journal.forget(keepEventsDays * DAY_MS, PIECE)) > 0);
}

const SEEDED = 'seeded';

/** Until then nothing of the run was handed out. */
async function isSeeded({ run }: RunLease, { stages }: ConductDeps): Promise<boolean> {
  const reached = await stages.store.journal.milestones(run.id);
  return reached.some(({ kind }) => kind === SEEDED || kind === FILES_LISTED);
}

/** Seeding takes several transactions. It is done when it says so; after a kill it is begun again, and repeats nothing. */
async function seedOnce(lease: RunLease, deps: ConductDeps, signal: AbortSignal): Promise<void> {
  if (await isSeeded(lease, deps)) return;
  const { run } = lease;
  await seedRun(run, await deps.rulesOf(run.id), deps, signal);
  await deps.stages.store.journal.reach(run.id, SEEDED, {});
}

async function remakeRules({ run }: RunLease, deps: ConductDeps, signal: AbortSignal): Promise<RemakeRules> {
  const source = (await deps.stages.store.sources.list()).find(({ id }) => id === run.source);
  const goesOn = async (): Promise<boolean> => !signal.aborted;
  if (source?.kind === 'folder') return { goesOn, canonicalOf: () => null };
  const gate = { rules: await deps.rulesOf(run.id), robots: deps.robots, route: null };
  return { goesOn, canonicalOf: (page, stated) => canonicalOf(page, stated, gate) };
}

type Step = { readonly kind: 'goes-on' | 'left' } | { readonly kind: 'drained'; readonly gaveUp: GivenUp | null };

async function advance(lease: RunLease, limits: RunLimits | null, deps: ConductDeps): Promise<Step> {
  const { store } = deps.stages;
  const run = await store.runs.byId(lease.run.id);
  if (run === null || run.endedAt !== null || run.state === 'paused') return { kind: 'left' };
  const gaveUp = (await limits?.apply(run)) ?? null;
  if (run.state === 'stopping') while ((await store.runs.dropUnasked(lease, 'stopped', PIECE)) > 0);
  if (!(await store.frontier.drained(run.id))) return { kind: 'goes-on' };
  if (gaveUp === null && (await hasCircles(lease, run, deps))) return { kind: 'goes-on' };
  return { kind: 'drained', gaveUp };
}

/** Redirects that lead in circles are untangled, and give work again. */
async function hasCircles(lease: RunLease, run: Run, { stages }: ConductDeps): Promise<boolean> {
  if (run.state !== 'running' || run.counts.moved === 0) return false;
  return (await stages.store.frontier.untangle(lease, PIECE)) > 0;
}
