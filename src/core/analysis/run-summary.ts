// The summary and the progress of an analysis run, in fields that a specification fixes.

import type { MilestoneDetails } from '../model/milestone.ts';
import { thousands } from '../text/plural.ts';
import type { AnalysisStage } from './analysis-run.ts';
import { compareText } from '../text/compare-text.ts';

/** Types, because they are stored as JSON. */
export type PageCounts = {
  readonly processed: number;
  readonly updated: number;
  /** Analyzed and not written: those of a dry run. */
  readonly unchanged: number;
  readonly failed: number;
  /** Mentions of places. */
  readonly placesInserted: number;
  readonly hubsInserted: number;
  readonly hubsUpdated: number;
  readonly kinds: Readonly<Record<string, number>>;
};

type Skipped = { readonly skipped: true };

export type DomainCounts = { readonly completed: true; readonly analyzed: number; readonly limit: number | null };

export type MilestoneCounts = {
  readonly count: number;
  readonly dryRun: boolean;
  readonly awarded: ReadonlyArray<{
    readonly scope: string;
    readonly kind: string;
    readonly details: MilestoneDetails;
  }>;
};

export type RunSteps = {
  readonly dbSetup?: { readonly ensured: true };
  readonly pages?: PageCounts | Skipped;
  readonly domains?: DomainCounts | Skipped;
  readonly milestones?: MilestoneCounts;
};

export const SKIPPED: Skipped = { skipped: true };

export const NO_PAGES: PageCounts = {
  processed: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  placesInserted: 0,
  hubsInserted: 0,
  hubsUpdated: 0,
  kinds: {},
};

/** The result of one page is its kind; null if it could not be analysed. */
export function addPages(
  counts: PageCounts,
  kinds: ReadonlyArray<string | null>,
  { isDryRun, places }: { readonly isDryRun: boolean; readonly places: number },
): PageCounts {
  const known = kinds.filter((kind) => kind !== null);
  const sums = new Map(Object.entries(counts.kinds));
  for (const kind of known) sums.set(kind, (sums.get(kind) ?? 0) + 1);
  return {
    ...counts,
    processed: counts.processed + kinds.length,
    updated: counts.updated + (isDryRun ? 0 : known.length),
    unchanged: counts.unchanged + (isDryRun ? known.length : 0),
    placesInserted: counts.placesInserted + places,
    failed: counts.failed + kinds.length - known.length,
    kinds: Object.fromEntries([...sums].sort(([a], [b]) => compareText(a, b))),
  };
}

/** Sentences for people; a step without news has none. */
export function highlightsOf({ pages, domains, milestones }: RunSteps): readonly string[] {
  const lines: string[] = [];
  const add = (n: number, one: string, many: string): void => {
    if (n > 0) lines.push(`${thousands(n)} ${n === 1 ? one : many}`);
  };
  if (pages !== undefined && 'processed' in pages) {
    add(pages.updated, 'page updated', 'pages updated');
    add(pages.failed, 'page failed', 'pages failed');
    add(pages.hubsInserted, 'new hub detected', 'new hubs detected');
  }
  if (domains !== undefined && 'completed' in domains) add(domains.analyzed, 'host analyzed', 'hosts analyzed');
  if (milestones !== undefined && !milestones.dryRun) add(milestones.count, 'milestone awarded', 'milestones awarded');
  return lines;
}

export type AnalysisProgress = {
  readonly stage: AnalysisStage;
  readonly processed: number;
  readonly total: number;
  readonly percentage: number;
  readonly pagesPerSec: number;
  readonly etaSeconds: number | null;
};

/** `ms` is how long this worker took for the `done` ones of the processed. */
export function progressOf(
  stage: AnalysisStage,
  { processed, total }: { readonly processed: number; readonly total: number },
  { done, ms }: { readonly done: number; readonly ms: number },
): AnalysisProgress {
  const pagesPerSec = ms <= 0 ? 0 : Math.round((done * 10_000) / ms) / 10;
  return {
    stage,
    processed,
    total,
    percentage: total === 0 ? 100 : Math.min(100, Math.floor((processed * 100) / total)),
    pagesPerSec,
    etaSeconds: pagesPerSec === 0 ? null : Math.ceil(Math.max(0, total - processed) / pagesPerSec),
  };
}
