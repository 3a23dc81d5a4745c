// What working on one page needs.

import type { RobotsKeeper } from './robots-keeper.ts';
import type { CrawlLimits, CrawlStages } from './stages.ts';
import type { LoreOf } from './version-lore.ts';

export interface PageDeps {
  readonly stages: CrawlStages;
  readonly limits: CrawlLimits;
  readonly robots: RobotsKeeper;
  readonly random: () => number;
  readonly loreOf: LoreOf;
}
