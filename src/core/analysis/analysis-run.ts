// The names of an analysis run and of its states. A specification fixes `db-setup` and the fields of a run.

export const ANALYSIS_STATUSES = ['queued', 'running', 'completed', 'failed', 'stopped'] as const;
export type AnalysisStatus = (typeof ANALYSIS_STATUSES)[number];

export type AnalysisStage =
  | 'starting'
  | 'db-setup'
  | 'page-analysis'
  | 'domain-analysis'
  | 'awarding-milestones'
  | 'completed'
  | 'failed';

/** Incremented when the analysis of pages changes: all pages are then pending. */
export const ANALYSIS_VERSION = 1;

/** The job of milestones that an analysis run found to be due. */
export const ANALYSIS_JOB = 'analysis-run';

const SUFFIX_CHARS = 6;

/** `random` returns numbers from 0 up to 1. */
export function analysisRunId(at: Date, random: () => number): string {
  const time = at.toISOString().slice(0, 19).replaceAll(/\D/g, '');
  const suffix = Array.from({ length: SUFFIX_CHARS }, () => Math.floor(random() * 36).toString(36)).join('');
  return `analysis-${time}-${suffix}`;
}
