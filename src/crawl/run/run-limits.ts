// Enforces the limits of a run: pages, time, failure rate and lack of progress. An abort is recorded as a milestone, so the next
// coordinator finishes the run the same way.

import { ABORTED, runAborted } from '../../core/model/milestone.ts';
import type { Reason } from '../../core/outcome/reasons.table.ts';
import { isThrottling } from '../../core/rate/adapt-delay.ts';
import { OUTCOME_NAMES, storedPages } from '../../core/model/outcome.ts';
import type { EndedRunState } from '../../core/model/run.ts';
import type { CrawlLimits, CrawlPorts } from '../context/ports.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import { maxUrlsOf, type RunRules } from '../context/run-rules.ts';
import type { CrawlClock } from '../politeness/host-rate-limiter.ts';
import type { HostState } from '../../store/port/hosts.ts';
import type { Run, RunLease } from '../../store/port/runs.ts';
import { createDownloadAwards } from './site-milestones.ts';

export interface RunLimitsDeps {
  readonly ports: CrawlPorts;
  readonly limits: CrawlLimits;
  readonly report: ReportProblem;
  readonly clock: Pick<CrawlClock, 'nowMs'>;
}

/** How an aborted run ends. */
export interface AbortedRun {
  readonly state: EndedRunState;
  readonly reason: string;
}

export interface RunLimits {
  /** Removes from the queue what may no longer be fetched. Not null if the run was aborted. */
  apply(run: Run): Promise<AbortedRun | null>;
}

/** Hosts are checked less often than counters, because they are separate rows. */
const CHECKS_PER_HOST_CHECK = 20;

export function createRunLimits(lease: RunLease, rules: RunRules, deps: RunLimitsDeps): RunLimits {
  const { store } = deps.ports;
  const { maxPages } = rules.settings;
  const limits = abortLimits(rules, deps.limits);
  const stalledFor = createStallClock(deps.clock.nowMs);
  const leasedMs = deps.clock.nowMs();
  const award = createDownloadAwards(store);
  let checks = 0;
  let aborted: Promise<Abort | null> | null = null;

  async function abortOf(run: Run): Promise<Abort | null> {
    aborted ??= previousAbort(lease, deps);
    const previous = await aborted;
    const stalledMs = stalledFor(run);
    if (previous !== null || run.state !== 'running') return previous;
    const isHostCheck = checks++ % CHECKS_PER_HOST_CHECK === 0;
    const hosts = isHostCheck ? await store.hosts.list(run.id) : [];
    const isWaiting = isHostCheck && stalledMs > 0 && !(await store.frontier.hasWork(run.id));
    const workedMs = lease.run.workedMs + deps.clock.nowMs() - leasedMs;
    const verdict = abortVerdict({ run, workedMs, hosts, stalledMs, isWaiting }, limits);
    if (!verdict.abort) return null;
    const { kind, reason } = verdict;
    await store.journal.recordMilestone(run.id, runAborted(run.id, { kind, reason }));
    const severity = OUTAGES.has(kind) ? 'error' : 'warning';
    const message = `Run ${reason}. Nothing was removed`;
    await deps.report({ run: run.id, kind, severity, scope: 'run', target: rules.startUrl, message, details: {} });
    // A stopping run hands out no claims: links found by pages in flight are not crawled.
    await store.runs.control(run.id, 'stop');
    aborted = Promise.resolve({ kind, reason });
    return { kind, reason };
  }

  return {
    async apply(run) {
      await award(run);
      const stored = storedPages(run.counts);
      if (maxPages !== null && stored >= maxPages && run.state === 'running') {
        await store.frontier.excludeOverflow(lease, overflowReason(maxPages));
      }
      const abort = await abortOf(run);
      if (abort === null) return null;
      // Only at the end is it known whether the run stored fewer pages than it may.
      if (isCutAtUrlLimit(run, maxPages)) await reportUrlLimit(run, rules, deps);
      await store.runs.dropUnfetched(lease, ABORTED);
      const hasFailed = stored === 0 || (OUTAGES.has(abort.kind) && run.counts.failed > 0);
      return { state: hasFailed ? 'failed' : 'partial', reason: abort.reason };
    },
  };
}

interface Abort {
  readonly kind: string;
  readonly reason: string;
}

/** Aborts because the site is down; the others keep a run within its limits. */
const OUTAGES: ReadonlySet<string> = new Set(['many-failures', 'hosts-down']);

async function previousAbort({ run }: RunLease, { ports }: RunLimitsDeps): Promise<Abort | null> {
  const reached = await ports.store.journal.milestones(run.id);
  const { kind, reason } = reached.find((milestone) => milestone.kind === ABORTED)?.details ?? {};
  return typeof kind === 'string' && typeof reason === 'string' ? { kind, reason } : null;
}

/** A coordinator that slept did not see whether there was progress. */
const MAX_STEP_MS = 5000;

/** How long no URL of a run has been settled, as seen by its coordinator. */
export function createStallClock(nowMs: () => number): (run: Pick<Run, 'counts'>) => number {
  let settledBefore = -1;
  let lastMs = nowMs();
  let stalledMs = 0;
  return ({ counts }) => {
    const settled = OUTCOME_NAMES.reduce((sum, name) => sum + counts[name], 0);
    const now = nowMs();
    stalledMs = settled === settledBefore ? stalledMs + Math.min(MAX_STEP_MS, now - lastMs) : 0;
    settledBefore = settled;
    lastMs = now;
    return stalledMs;
  };
}

/** Links were left out, and pages may be missing for that reason: not in a run that stored as many pages as it may. */
export function isCutAtUrlLimit(
  { leftOut, counts }: Pick<Run, 'leftOut' | 'counts'>,
  maxPages: number | null,
): boolean {
  return leftOut > 0 && (maxPages === null || storedPages(counts) < maxPages);
}

/** Once per run. */
export async function reportUrlLimit(run: Run, rules: RunRules, deps: Pick<RunLimitsDeps, 'limits' | 'report'>) {
  const urls = maxUrlsOf(rules, deps.limits);
  await deps.report({
    run: run.id,
    kind: 'url-limit',
    severity: 'warning',
    scope: 'run',
    target: rules.startUrl,
    message: `Pages link to more than ${urls} URLs, so the other links were left out. If they are pages that you need, raise maxPages of the source; otherwise exclude them by a pattern`,
    details: { urls },
  });
}

export function overflowReason(maxPages: number): Reason {
  return `overflow: the limit of ${maxPages} pages was reached`;
}

export interface AbortLimits {
  /** Share of the URLs processed so far that may have failed. */
  readonly maxFailureRate: number;
  readonly minutes: Limit;
  /** Null for a source with its own page limit, which is exact and excludes what is beyond it. */
  readonly pages: Limit | null;
  readonly maxStallMinutes: number;
}

/** A limit, and the setting that it comes from. */
export interface Limit {
  readonly value: number;
  readonly setting: string;
}

function abortLimits({ settings }: RunRules, limits: CrawlLimits): AbortLimits {
  const { maxFailureRate, maxStallMinutes, maxPages, maxMinutes } = limits;
  return {
    maxFailureRate,
    maxStallMinutes,
    minutes:
      settings.maxMinutes === null
        ? { value: maxMinutes, setting: 'crawl.maxMinutes' }
        : { value: settings.maxMinutes, setting: 'maxMinutes of the source' },
    pages: settings.maxPages === null ? { value: maxPages, setting: 'crawl.maxPages' } : null,
  };
}

export interface RunLimitProgress {
  readonly run: Pick<Run, 'counts'>;
  /** Time that the run was worked on. */
  readonly workedMs: number;
  readonly hosts: readonly HostState[];
  readonly stalledMs: number;
  /** Only URLs that wait for a retry are left. */
  readonly isWaiting: boolean;
}

export type AbortVerdict =
  | { readonly abort: false }
  | {
      readonly abort: true;
      readonly kind: 'many-failures' | 'hosts-down' | 'time-limit' | 'page-limit' | 'no-progress';
      readonly reason: string;
    };

/** Fewer failures than this never abort a run, whatever their share. */
const MIN_FAILURES = 25;
/** Five open the breaker; the others were single probes, a minute apart by default. */
const DEAD_HOST_FAILURES = 12;

/** A site of which nothing could be fetched for a minute is not waited for as long as one that was crawled well so far. */
const UNANSWERED_FAILURES = 6;
const UNANSWERED_MS = 60_000;

/** Whether a run aborts before its queue is empty: too many failures, no progress, or a limit. */
export function abortVerdict(progress: RunLimitProgress, limits: AbortLimits): AbortVerdict {
  const { workedMs, hosts } = progress;
  const { counts } = progress.run;
  const { failed } = counts;
  const stored = storedPages(counts);
  const done = failed + stored + counts.moved + counts.skipped + counts.removed + counts['not-found'] + counts.missing;
  if (failed >= MIN_FAILURES && failed > done * limits.maxFailureRate) {
    return abortFor('many-failures', `aborted because ${failed} of the ${done} URLs processed so far failed`);
  }
  const isUnanswered = done === failed && workedMs >= UNANSWERED_MS;
  const maxFailures = isUnanswered ? UNANSWERED_FAILURES : DEAD_HOST_FAILURES;
  const dead = hosts.filter(({ failures, breaker }) => breaker !== 'closed' && failures >= maxFailures);
  // Failures of earlier runs say nothing about now: at least one probe is of this run.
  if (counts.requests > 0 && dead.length > 0 && dead.length === hosts.length) {
    return abortFor('hosts-down', `aborted because ${names(dead)} failed ${maxFailures} times in a row`);
  }
  const { minutes, pages } = limits;
  if (workedMs > minutes.value * 60_000)
    return abortFor('time-limit', `ended at its time limit of ${minutes.value} minutes (${minutes.setting})`);
  if (pages !== null && stored >= pages.value)
    return abortFor('page-limit', `ended at its limit of ${pages.value} pages (${pages.setting})`);
  return stallVerdict(progress, limits);
}

function names(hosts: readonly HostState[]): string {
  return hosts
    .slice(0, 3)
    .map(({ host }) => host)
    .join(', ');
}

/** A run that waits for its turn at a healthy host is not stalled, however long that takes. */
function stallVerdict(
  { hosts, stalledMs, isWaiting }: RunLimitProgress,
  { maxStallMinutes }: AbortLimits,
): AbortVerdict {
  if (stalledMs <= maxStallMinutes * 60_000) return { abort: false };
  const throttling = hosts.filter((host) => isThrottling(host) || (host.throttles > 0 && host.pausedForMs > 0));
  const failing = hosts.filter(({ breaker }) => breaker !== 'closed');
  if (throttling.length + failing.length === 0 && !isWaiting) return { abort: false };
  const ended = `ended after ${maxStallMinutes} minutes without progress (crawl.maxStallMinutes)`;
  if (throttling.length > 0) return abortFor('no-progress', `${ended}: ${names(throttling)} throttles requests`);
  if (failing.length > 0) return abortFor('no-progress', `${ended}: ${names(failing)} does not respond`);
  return abortFor('no-progress', `${ended}: the URLs that are left fail or are throttled each time`);
}

function abortFor(kind: Extract<AbortVerdict, { abort: true }>['kind'], reason: string): AbortVerdict {
  return { abort: true, kind, reason };
}
