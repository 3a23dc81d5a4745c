// Everything that crawling a page needs, created once per worker or plan.

import type { RunId } from '../../core/model/run.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { CrawlLimits, CrawlPorts } from '../context/ports.ts';
import { createReportProblem, type ReportProblem } from '../context/report-problem.ts';
import { createRunRulesLoader, type LoadRunRules } from '../context/run-rules.ts';
import { type CrawlClock, createHostRateLimiter, type HostRateLimiter } from '../politeness/host-rate-limiter.ts';
import { createHostRateTracker, type HostRateTracker } from '../politeness/host-rate-tracker.ts';
import { createRobotsCache, type RobotsCache } from '../politeness/robots-cache.ts';
import { createSiteProfileLoader, type LoadSiteProfile } from '../site/site-profile.ts';

export interface CrawlContext {
  readonly ports: CrawlPorts;
  readonly limits: CrawlLimits;
  readonly robots: RobotsCache;
  readonly rateTracker: HostRateTracker;
  readonly rateLimiter: HostRateLimiter;
  readonly clock: CrawlClock;
  readonly report: ReportProblem;
  readonly loadSiteProfile: LoadSiteProfile;
  readonly loadRunRules: LoadRunRules;
}

export interface CrawlContextOptions {
  readonly ports: CrawlPorts;
  readonly limits: CrawlLimits;
  readonly now: () => number;
  readonly random: () => number;
}

export function createCrawlContext({ ports, limits, now, random }: CrawlContextOptions): CrawlContext {
  const { store, secretFor } = ports;
  const clock = { nowMs: monotonicMs, random };
  const report = createReportProblem(store.journal);
  const loadRunRules = createRunRulesLoader({ store, secretFor, limits });
  const sourceDelayMs = async (run: RunId): Promise<number> =>
    1000 / ((await loadRunRules(run)).settings.requestsPerSecond ?? Infinity);
  const rateTracker = createHostRateTracker({ store, limits, nowMs: clock.nowMs, report, sourceDelayMs });
  const shared = {
    ports,
    limits,
    rateTracker,
    clock,
    report,
    rateLimiter: createHostRateLimiter(store.hosts, clock),
  };
  return {
    ...shared,
    robots: createRobotsCache({ ...shared, now }),
    loadSiteProfile: createSiteProfileLoader(store),
    loadRunRules,
  };
}
