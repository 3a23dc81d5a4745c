// What working on one page needs.

import type { HostWatch } from './host-watch.ts';
import type { ReportProblem } from './report-problem.ts';
import type { RobotsKeeper } from './robots-keeper.ts';
import type { CrawlLimits, CrawlStages } from './stages.ts';
import type { TurnClock, Turns } from './turns.ts';
import type { LoreOf } from './version-lore.ts';

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
