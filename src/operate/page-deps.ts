// What working on one page needs.

import type { HostWatch } from '../crawl/polite/host-rate-tracker.ts';
import type { ReportProblem } from '../crawl/context/report-problem.ts';
import type { RobotsKeeper } from '../crawl/polite/robots-cache.ts';
import type { CrawlLimits, CrawlStages } from '../crawl/context/ports.ts';
import type { TurnClock, Turns } from '../crawl/polite/host-rate-limiter.ts';
import type { LoreOf } from '../crawl/site/site-profile.ts';

export interface PageDeps {
  readonly stages: CrawlStages;
  readonly limits: CrawlLimits;
  readonly robots: RobotsKeeper;
  readonly watch: HostWatch;
  readonly turns: Turns;
  readonly clock: TurnClock;
  readonly report: ReportProblem;
  readonly loreOf: LoreOf;
}
