// Coordinates one run from its first URL to its final state, under its lease. Any worker may claim URLs of the run
// in the meantime; only the coordinator seeds and finalizes it.

import type { Reason } from '../../core/outcome/reasons.table.ts';
import { seedsPrepared } from '../../core/model/milestone.ts';
import type { PinakesError } from '../../core/model/errors.ts';
import type { Store } from '../../store/port.ts';
import type { Run, RunLease } from '../../store/port/runs.ts';
import { finalizeRun } from './finalize-run.ts';
import { listFolder } from '../files/list-folder.ts';
import type { OpenLocalSource } from '../files/open-local-source.ts';
import { isDatabaseFailure, isStatementTimeout, retryWhileUnavailable } from '../context/retry.ts';
import { maxUrlsOf } from '../context/run-rules.ts';
import { followPlan, type PlanFollower } from '../plan/follow-plan.ts';
import { planRun, reportFailedPlan } from '../plan/plan-run.ts';
import type { FollowedRun, RunActivity } from './run-activity.ts';
import { reprocessPages, reprocessRules, type ReprocessRules } from './reprocess-pages.ts';
import { offerLinksAgain } from './shortened-urls.ts';
import { createRunLimits, type AbortedRun, type RunLimits } from './run-limits.ts';
import { seedRun } from '../seed/seed-run.ts';
import type { CrawlContext } from '../page/crawl-context.ts';
import { sleepOrAbort } from '../../platform/clock.ts';

export interface CoordinatorDeps extends CrawlContext {
  readonly openLocalSource: OpenLocalSource;
  readonly activity: RunActivity;
}

interface FollowerDeps extends CoordinatorDeps {
  readonly followed: FollowedRun;
}

/** The reason of URLs that a stop did not wait for. */
const STOPPED_IN_FLIGHT = 'stopped: still in flight when the grace period was over';

const POLL_MS = 100;
const BATCH_SIZE = 1000;

/**
 * Returns when the run has ended, was paused, or its lease was lost. The lease is renewed in parallel with long steps.
 */
export async function coordinateRun(lease: RunLease, deps: CoordinatorDeps, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const lost = new AbortController();
  const renewing = renewLease(lease, deps, lost, AbortSignal.any([signal, done.signal]));
  const followed = deps.activity.follow(lease.run.id);
  try {
    const work = lease.crashes < deps.limits.maxRunCrashes ? coordinateWithinTimeouts : failCrashed;
    const either = AbortSignal.any([signal, lost.signal]);
    // The lease is renewed while it waits: a database that comes and goes is not a crash of the run.
    await retryWhileUnavailable(
      () => work(lease, { ...deps, followed }, either),
      either,
      (error) => deps.ports.log.warn('run waiting for the database', { run: lease.run.id, error }),
    );
  } catch (error) {
    // The current lease holder continues the run.
    if (lost.signal.aborted) return;
    if (!signal.aborted) throw error;
    // Stopped in the middle of a step: release, so that the next coordinator does not wait for the lease to expire.
    await deps.ports.store.runs.release(lease);
  } finally {
    followed.end();
    done.abort();
    await renewing;
  }
}

async function renewLease(
  lease: RunLease,
  { ports, limits, clock }: CoordinatorDeps,
  lost: AbortController,
  signal: AbortSignal,
): Promise<void> {
  let renewedMs = clock.nowMs();
  for (;;) {
    await sleepOrAbort(limits.renewMs, signal);
    if (signal.aborted) return;
    const nowMs = clock.nowMs();
    try {
      if (!(await ports.store.runs.renew(lease, limits.leaseMs, nowMs - renewedMs))) return lost.abort();
      renewedMs = nowMs;
    } catch {
      // Whether it is lost is known when the database answers.
    }
  }
}

const MAX_TIMEOUTS = 3;

/** Each step of a run is idempotent. One that takes the database too long each time ends the run instead of repeating forever. */
async function coordinateWithinTimeouts(lease: RunLease, deps: FollowerDeps, signal: AbortSignal): Promise<void> {
  for (let timeouts = 1; ; timeouts += 1) {
    try {
      return await coordinate(lease, deps, signal);
    } catch (error) {
      if (signal.aborted || !isStatementTimeout(error)) throw error;
      deps.ports.log.warn('the database took too long for a run', { run: lease.run.id, error });
      if (timeouts === MAX_TIMEOUTS) return endTimedOut(lease, deps, error, signal);
    }
  }
}

async function endTimedOut(
  lease: RunLease,
  { ports: { store }, report }: CoordinatorDeps,
  { message, nextStep }: PinakesError,
  signal: AbortSignal,
): Promise<void> {
  const run = lease.run.id;
  const reason = `ended because the database took too long ${MAX_TIMEOUTS} times in a row`;
  await report({
    run,
    kind: 'database-timeout',
    severity: 'error',
    scope: 'run',
    target: 'database',
    message: `Run ${reason}. Nothing was removed. ${message}. ${nextStep ?? ''}`,
    details: {},
  });
  await failRun(lease, store, { dropped: 'database.timeout', reason }, signal);
}

async function coordinate(lease: RunLease, deps: FollowerDeps, signal: AbortSignal): Promise<void> {
  const { store } = deps.ports;
  const advanceDepth = await depthAdvancer(lease, deps, signal);
  await advanceDepth();
  const reprocess = await reprocessRules(lease, deps);
  if ((await reprocessFirst(lease, deps, reprocess, signal)) === 'paused') return store.runs.release(lease);
  const listing = await listFolder(lease, deps, signal);
  if (listing.kind === 'nothing' && (await store.runs.finish(lease, 'failed', listing.reason))) return;
  const isLocal = listing.kind !== 'web';
  if (!isLocal && (await prepareCrawl(lease, deps, signal)) === 'paused') return store.runs.release(lease);
  const limits = isLocal ? null : createRunLimits(lease, await deps.loadRunRules(lease.run.id), deps);
  const plan = isLocal ? NO_PLAN : await openPlan(lease, deps, signal);
  const endRun = async (aborted: AbortedRun | null): Promise<boolean> => {
    if (aborted === null) await plan.reportGaps();
    const end = { isLocal, reprocess, aborted, cutAt: plan.stoppedAt() };
    const isEnded = await finalizeRun(lease, deps, end, signal);
    if (isEnded) await plan.afterRun();
    return isEnded;
  };
  while (!signal.aborted) {
    await advanceDepth();
    await plan.step();
    const step = await advance(lease, { limits, signal }, deps);
    if (step.kind === 'drained' && (await endRun(step.aborted))) return tidyHistory(deps, signal);
    if (step.kind === 'stop') break;
    await deps.followed.sleep(signal);
  }
  await store.runs.release(lease);
}

interface RunPlan {
  readonly step: () => Promise<void>;
  readonly reportGaps: () => Promise<void>;
  readonly afterRun: () => Promise<void>;
  readonly stoppedAt: () => string | null;
}

const NOTHING = async (): Promise<void> => undefined;
const NO_PLAN: RunPlan = { step: NOTHING, reportGaps: NOTHING, afterRun: NOTHING, stoppedAt: () => null };

/** If planning fails, the run continues without a plan. */
async function openPlan(lease: RunLease, deps: CoordinatorDeps, signal: AbortSignal): Promise<RunPlan> {
  const rules = await deps.loadRunRules(lease.run.id);
  let follower = await followPlan(lease, rules, deps);
  if (follower === null) return NO_PLAN;
  const { runs } = deps.ports.store;
  const attempt = async (work: (plan: PlanFollower, run: Run) => Promise<void>): Promise<void> => {
    if (follower === null) return;
    try {
      const run = await runs.byId(lease.run.id);
      if (run !== null) await work(follower, run);
    } catch (error) {
      if (signal.aborted || isDatabaseFailure(error)) throw error;
      follower = null;
      await reportFailedPlan(lease, rules, deps, error);
    }
  };
  return {
    step: () => attempt((plan, run) => plan.step(run)),
    reportGaps: () => attempt((plan, run) => plan.reportGaps(run)),
    afterRun: () => attempt((plan) => plan.afterRun()),
    stoppedAt: () => follower?.stoppedAt() ?? null,
  };
}

/** Ends a run that may crash its coordinator again. Does nothing else with it, so that this one survives. */
async function failCrashed(lease: RunLease, { ports: { store }, limits }: CoordinatorDeps, signal: AbortSignal) {
  const { id } = lease.run;
  const reason = `given up after ${lease.crashes} crashes without progress (crawl.maxRunCrashes)`;
  await store.journal.reportProblem({
    run: id,
    kind: 'run-crashed',
    severity: 'error',
    scope: 'run',
    target: `run ${id}`,
    message: `Run ${reason}. Nothing was removed. The log of the process has the details; report it, then crawl the source again`,
    details: { crashes: lease.crashes, maxRunCrashes: limits.maxRunCrashes },
  });
  await failRun(lease, store, { dropped: 'run-crashed', reason }, signal);
}

/** A stopping run hands out no claims; those in flight are settled, or return when their leases expire, before it ends. */
async function failRun(
  lease: RunLease,
  { runs }: Store,
  { dropped, reason }: { readonly dropped: Reason; readonly reason: string },
  signal: AbortSignal,
): Promise<void> {
  await runs.control(lease.run.id, 'stop');
  while (!signal.aborted) {
    await runs.dropUnfetched(lease, dropped);
    if (await runs.finish(lease, 'failed', reason)) return;
    await sleepOrAbort(POLL_MS, signal);
  }
  await runs.release(lease);
}

const DAY_MS = 86_400_000;

/** Removes old events and changes, in short transactions. */
async function tidyHistory({ ports, limits }: CoordinatorDeps, signal: AbortSignal): Promise<void> {
  const { journal, changes } = ports.store;
  const { eventRetentionDays, changeRetentionDays } = limits;
  await journal.advanceExpiry();
  if (eventRetentionDays > 0)
    while (!signal.aborted && (await journal.prune(eventRetentionDays * DAY_MS, BATCH_SIZE)) > 0);
  if (changeRetentionDays > 0)
    while (!signal.aborted && (await changes.compact(changeRetentionDays * DAY_MS, BATCH_SIZE)) > 0);
}

/** Does nothing for a run without a maximum depth. Local sources have none. */
async function depthAdvancer(
  lease: RunLease,
  deps: CoordinatorDeps,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const { ports, openLocalSource, loadRunRules } = deps;
  const local = await openLocalSource(lease.run.id, signal).catch((error: unknown) => {
    if (signal.aborted || isDatabaseFailure(error)) throw error;
    return 'unreadable';
  });
  const isLimited = local === null && (await loadRunRules(lease.run.id)).settings.maxDepth !== null;
  return isLimited ? () => ports.store.frontier.advanceDepth(lease) : async () => undefined;
}

/** Before that, no URL of the run can be claimed. */
async function isSeeded({ run }: RunLease, { ports }: CoordinatorDeps): Promise<boolean> {
  return (await ports.store.runs.byId(run.id))?.seededAt !== null;
}

/** Seeding takes several transactions and is complete with its mark. After a kill it starts over; every write is idempotent. */
async function seedOnce(lease: RunLease, deps: CoordinatorDeps, signal: AbortSignal): Promise<void> {
  if (await isSeeded(lease, deps)) return;
  const { run } = lease;
  const { store } = deps.ports;
  const rules = await deps.loadRunRules(run.id);
  await seedRun(run, rules, deps, signal);
  // An interrupted step starts over when the run is resumed.
  if (signal.aborted && signal.reason === PAUSED) return;
  if (!(await planRun(lease, rules, deps, signal))) {
    const urls = (await store.runs.byId(run.id))?.counts.found ?? 0;
    await store.journal.recordMilestone(run.id, seedsPrepared(rules.startUrl, urls));
  }
  await store.runs.markSeeded(lease);
}

/** Pages of an outdated extractor are reprocessed before the first URL of the run. */
async function reprocessFirst(
  lease: RunLease,
  deps: FollowerDeps,
  rules: ReprocessRules,
  signal: AbortSignal,
): Promise<'done' | 'paused'> {
  if (lease.run.state !== 'running' || (await isSeeded(lease, deps))) return 'done';
  return unlessInterrupted(lease, deps, signal, async (either) => {
    await reprocessPages(lease, deps.ports, rules, either);
  });
}

async function prepareCrawl(lease: RunLease, deps: FollowerDeps, signal: AbortSignal): Promise<'done' | 'paused'> {
  const { store } = deps.ports;
  const rules = await deps.loadRunRules(lease.run.id);
  await store.runs.limitConcurrency(lease, rules.settings.concurrency);
  await store.runs.limitUrls(lease, maxUrlsOf(rules, deps.limits));
  if (lease.run.state !== 'running') return 'done';
  return unlessInterrupted(lease, deps, signal, (either) => seedOnce(lease, deps, either));
}

const PAUSED = new DOMException('The run was paused', 'AbortError');
const STOPPED_STATES: ReadonlySet<Run['state']> = new Set(['stopping', 'stopped']);

/** Ends work early if its run is paused, stopped or removed: it is repeated later, or what it finds would be dropped. */
async function unlessInterrupted(
  { run: { id } }: RunLease,
  { ports, followed }: FollowerDeps,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<'done' | 'paused'> {
  const [interrupted, ended] = [new AbortController(), new AbortController()];
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted && !interrupted.signal.aborted) {
      await followed.sleepLong(ended.signal);
      const found = await ports.store.runs.byId(id).catch(() => undefined);
      if (found?.state === 'paused') interrupted.abort(PAUSED);
      else if (found === null || (found !== undefined && STOPPED_STATES.has(found.state))) interrupted.abort();
    }
  };
  const watching = watch();
  try {
    await work(AbortSignal.any([signal, interrupted.signal]));
  } catch (error) {
    if (signal.aborted || !interrupted.signal.aborted) throw error;
  } finally {
    ended.abort();
    await watching;
  }
  return interrupted.signal.reason === PAUSED ? 'paused' : 'done';
}

type Step = { readonly kind: 'continue' | 'stop' } | { readonly kind: 'drained'; readonly aborted: AbortedRun | null };

interface Watches {
  readonly limits: RunLimits | null;
  readonly signal: AbortSignal;
}

async function advance(lease: RunLease, { limits, signal }: Watches, deps: CoordinatorDeps): Promise<Step> {
  const { store } = deps.ports;
  const run = await store.runs.byId(lease.run.id);
  if (run === null || run.endedAt !== null || run.state === 'paused') return { kind: 'stop' };
  const aborted = (await limits?.apply(run)) ?? null;
  if (run.state === 'stopping') {
    await store.runs.dropUnfetched(lease, 'stopped');
    if (run.abortsAt !== null && run.abortsAt <= run.readAt) await store.runs.dropInFlight(lease, STOPPED_IN_FLIGHT);
  }
  if (!(await store.frontier.isDrained(run.id))) return { kind: 'continue' };
  const hasMore = aborted === null && (await findMoreWork(lease, run, deps, signal));
  return hasMore ? { kind: 'continue' } : { kind: 'drained', aborted };
}

/** For a drained run. */
async function findMoreWork(lease: RunLease, run: Run, deps: CoordinatorDeps, signal: AbortSignal): Promise<boolean> {
  if (run.state !== 'running') return false;
  if (await breakAliasCycles(lease, run, deps)) return true;
  return (await deps.openLocalSource(run.id, signal)) === null && offerLinksAgain(lease, deps, signal);
}

/** Redirect cycles are broken by requeueing one URL of each, so the run has work again. */
async function breakAliasCycles(lease: RunLease, run: Run, { ports }: CoordinatorDeps): Promise<boolean> {
  if (run.counts.moved === 0) return false;
  return (await ports.store.frontier.breakAliasCycles(lease, BATCH_SIZE)) > 0;
}
