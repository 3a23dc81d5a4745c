// Puts together what working on pages needs, for a worker and for a plan alike.

import type { RunId } from '../../core/model/run.ts';
import { createHostWatch } from '../polite/host-rate-tracker.ts';
import type { PageDeps } from '../../operate/page-deps.ts';
import { createReportProblem } from '../context/report-problem.ts';
import { createRobotsKeeper } from '../polite/robots-cache.ts';
import { createRulesOf, type RulesOf } from '../context/run-rules.ts';
import type { CrawlLimits, CrawlStages } from '../context/ports.ts';
import { createTurns } from '../polite/host-rate-limiter.ts';
import { createLoreOf } from '../site/site-profile.ts';

export interface Beginnings {
  readonly stages: CrawlStages;
  readonly limits: CrawlLimits;
  readonly now: () => number;
  readonly random: () => number;
}

export function createPageDeps({ stages, limits, now, random }: Beginnings): PageDeps & { readonly rulesOf: RulesOf } {
  const { store, secretFor } = stages;
  const clock = { nowMs: () => performance.now(), random };
  const report = createReportProblem(store.journal);
  const rulesOf = createRulesOf({ store, secretFor, limits });
  const ownDelayMs = async (run: RunId): Promise<number> =>
    1000 / ((await rulesOf(run)).settings.requestsPerSecond ?? Infinity);
  const watch = createHostWatch({ store, limits, nowMs: clock.nowMs, report, ownDelayMs });
  const around = { stages, limits, watch, clock, report, turns: createTurns(store.hosts, clock) };
  return {
    ...around,
    robots: createRobotsKeeper({ ...around, now }),
    loreOf: createLoreOf(store),
    rulesOf,
  };
}
