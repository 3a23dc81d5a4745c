// Holds a run to its limits: pages, time, and how much of it may fail. Once a run gave up, that is remembered with the run,
// so whoever conducts it next brings it to the same end.

import type { EndedRunState } from '../../core/model/run.ts';
import type { Run, RunLease } from '../../store/port.ts';
import { giveUpVerdict } from '../../operate/give-up.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import type { RunRules } from '../context/run-rules.ts';
import type { CrawlLimits, CrawlStages } from '../context/ports.ts';

export interface RunLimitsDeps {
  readonly stages: CrawlStages;
  readonly limits: CrawlLimits;
  readonly report: ReportProblem;
}

/** How a run that gave up ends. */
export interface GivenUp {
  readonly state: EndedRunState;
  readonly reason: string;
}

export interface RunLimits {
  /** Takes out of the queue what may not be asked any more. Not null when the run gave up. */
  apply(run: Run): Promise<GivenUp | null>;
}

const GAVE_UP = 'gave-up';
const PIECE = 1000;
/** Hosts are looked at more rarely than counters: they are other rows. */
const LOOKS_BETWEEN_HOSTS = 20;

export function createRunLimits(lease: RunLease, rules: RunRules, deps: RunLimitsDeps): RunLimits {
  const { store } = deps.stages;
  const { maxPages, maxMinutes } = rules.settings;
  let looks = 0;

  async function gaveUpBefore(): Promise<string | null> {
    const reached = await store.journal.milestones(lease.run.id);
    const reason = reached.find(({ kind }) => kind === GAVE_UP)?.details['reason'];
    return typeof reason === 'string' ? reason : null;
  }
  let known: Promise<string | null> | null = null;

  async function reasonNow(run: Run): Promise<string | null> {
    known ??= gaveUpBefore();
    const before = await known;
    if (before !== null || run.state !== 'running') return before;
    const hosts = looks++ % LOOKS_BETWEEN_HOSTS === 0 ? await store.hosts.list(run.id) : [];
    const { maxFailureRate } = deps.limits;
    const verdict = giveUpVerdict(run, hosts, { maxFailureRate, maxMinutes }, new Date());
    if (!verdict.giveUp) return null;
    const { kind, reason } = verdict;
    await store.journal.reach(run.id, GAVE_UP, { kind, reason });
    const target = rules.start;
    const severity = kind === 'time-limit' ? 'warning' : 'error';
    await deps.report({
      run: run.id,
      kind,
      severity,
      scope: 'run',
      target,
      message: `The run gave up: ${reason}. Nothing was removed`,
      details: {},
    });
    // Nobody claims from a run that is stopping: in-flight pages may still find links, and nobody takes them.
    await store.runs.control(run.id, 'stop');
    known = Promise.resolve(reason);
    return reason;
  }

  return {
    async apply(run) {
      const stored = run.counts.new + run.counts.changed + run.counts.unchanged;
      if (maxPages !== null && stored >= maxPages && run.state === 'running') {
        while ((await store.frontier.overflow(lease, overflowReason(maxPages), PIECE)) > 0);
      }
      const reason = await reasonNow(run);
      if (reason === null) return null;
      while ((await store.runs.dropUnasked(lease, GAVE_UP, PIECE)) > 0);
      return { state: stored === 0 || run.counts.failed > 0 ? 'failed' : 'partial', reason };
    },
  };
}

export function overflowReason(maxPages: number): string {
  return `overflow: the limit of ${maxPages} pages was reached`;
}
