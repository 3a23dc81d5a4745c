// Enforces the limits of a run: pages, time and failure rate. An abort is recorded as a milestone, so the next
// coordinator finishes the run the same way.

import type { EndedRunState } from '../../core/model/run.ts';
import type { CrawlLimits, CrawlPorts } from '../context/ports.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { HostState, Run, RunLease } from '../../store/port.ts';

export interface RunLimitsDeps {
  readonly ports: CrawlPorts;
  readonly limits: CrawlLimits;
  readonly report: ReportProblem;
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

const ABORTED = 'aborted';
const BATCH_SIZE = 1000;
/** Hosts are checked less often than counters, because they are separate rows. */
const CHECKS_PER_HOST_CHECK = 20;

export function createRunLimits(lease: RunLease, rules: RunRules, deps: RunLimitsDeps): RunLimits {
  const { store } = deps.ports;
  const { maxPages, maxMinutes } = rules.settings;
  let checks = 0;

  async function previousAbort(): Promise<string | null> {
    const reached = await store.journal.milestones(lease.run.id);
    const reason = reached.find(({ kind }) => kind === ABORTED)?.details['reason'];
    return typeof reason === 'string' ? reason : null;
  }
  let aborted: Promise<string | null> | null = null;

  async function abortReason(run: Run): Promise<string | null> {
    aborted ??= previousAbort();
    const previous = await aborted;
    if (previous !== null || run.state !== 'running') return previous;
    const hosts = checks++ % CHECKS_PER_HOST_CHECK === 0 ? await store.hosts.list(run.id) : [];
    const { maxFailureRate } = deps.limits;
    const verdict = abortVerdict(run, hosts, { maxFailureRate, maxMinutes }, new Date());
    if (!verdict.abort) return null;
    const { kind, reason } = verdict;
    await store.journal.recordMilestone(run.id, ABORTED, { kind, reason });
    const target = rules.start;
    const severity = kind === 'time-limit' ? 'warning' : 'error';
    await deps.report({
      run: run.id,
      kind,
      severity,
      scope: 'run',
      target,
      message: `Run ${reason}. Nothing was removed`,
      details: {},
    });
    // A stopping run hands out no claims: links found by pages in flight are not crawled.
    await store.runs.control(run.id, 'stop');
    aborted = Promise.resolve(reason);
    return reason;
  }

  return {
    async apply(run) {
      const stored = run.counts.new + run.counts.changed + run.counts.unchanged;
      if (maxPages !== null && stored >= maxPages && run.state === 'running') {
        while ((await store.frontier.excludeOverflow(lease, overflowReason(maxPages), BATCH_SIZE)) > 0);
      }
      const reason = await abortReason(run);
      if (reason === null) return null;
      while ((await store.runs.dropUnfetched(lease, ABORTED, BATCH_SIZE)) > 0);
      return { state: stored === 0 || run.counts.failed > 0 ? 'failed' : 'partial', reason };
    },
  };
}

export function overflowReason(maxPages: number): string {
  return `overflow: the limit of ${maxPages} pages was reached`;
}

export interface AbortLimits {
  /** Share of the URLs processed so far that may have failed. */
  readonly maxFailureRate: number;
  /** Null for no time limit. */
  readonly maxMinutes: number | null;
}

export type AbortVerdict =
  | { readonly abort: false }
  | { readonly abort: true; readonly kind: 'many-failures' | 'hosts-down' | 'time-limit'; readonly reason: string };

/** Fewer failures than this never abort a run, whatever their share. */
const MIN_FAILURES = 25;
/** Five open the breaker; the others were single probes, a minute apart by default. */
const DEAD_HOST_FAILURES = 12;

/** Whether a run aborts before its queue is empty: too many failures, or its time limit. */
export function abortVerdict(
  run: Pick<Run, 'counts' | 'startedAt'>,
  hosts: readonly HostState[],
  limits: AbortLimits,
  now: Date,
): AbortVerdict {
  const { counts, startedAt } = run;
  const { failed } = counts;
  const stored = counts.new + counts.changed + counts.unchanged;
  const done = failed + stored + counts.moved + counts.skipped + counts.gone + counts.missing;
  if (failed >= MIN_FAILURES && failed > done * limits.maxFailureRate) {
    return abortFor('many-failures', `aborted because ${failed} of the ${done} URLs processed so far failed`);
  }
  const dead = hosts.filter(({ failures, breaker }) => breaker !== 'closed' && failures >= DEAD_HOST_FAILURES);
  if (dead.length > 0 && dead.length === hosts.length) {
    const names = dead.map(({ host }) => host).slice(0, 3);
    return abortFor('hosts-down', `aborted because ${names.join(', ')} failed ${DEAD_HOST_FAILURES} times in a row`);
  }
  const minutes = startedAt === null ? 0 : (now.getTime() - startedAt.getTime()) / 60_000;
  if (limits.maxMinutes !== null && minutes > limits.maxMinutes) {
    return abortFor('time-limit', `ended at its time limit of ${limits.maxMinutes} minutes`);
  }
  return { abort: false };
}

function abortFor(kind: Extract<AbortVerdict, { abort: true }>['kind'], reason: string): AbortVerdict {
  return { abort: true, kind, reason };
}
