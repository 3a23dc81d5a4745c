// The words for each outcome, which every interface shows. docs/reference/outcomes.md is generated from it.

import type { OutcomeName } from '../model/outcome.ts';

export interface OutcomeLabel {
  /** After a count: `3 not found`. */
  readonly label: string;
  /** Heading of a list of such URLs. */
  readonly title: string;
  readonly description: string;
}

/** Labels in the order in which lists show them. */
export const OUTCOME_LABELS: Readonly<Record<OutcomeName, OutcomeLabel>> = {
  new: { label: 'new', title: 'New', description: 'Page stored for the first time' },
  changed: { label: 'changed', title: 'Changed', description: 'Page content changed' },
  unchanged: { label: 'unchanged', title: 'Unchanged', description: 'Page fetched or revalidated, unchanged' },
  moved: { label: 'moved', title: 'Moved', description: 'URL is an alias of another page' },
  skipped: {
    label: 'skipped',
    title: 'Skipped: fetched but not stored',
    description: 'Page fetched but not stored: no content, or marked noindex',
  },
  removed: { label: 'removed', title: 'Removed', description: 'Stored page confirmed as deleted and removed' },
  'not-found': {
    label: 'not found',
    title: 'Not found',
    description: 'The site does not have the URL, and it was never stored',
  },
  missing: {
    label: 'missing',
    title: 'Missing, not removed yet',
    description: 'Stored page not found; the end of the run confirms it',
  },
  failed: { label: 'failed', title: 'Failed', description: 'URL failed after its last attempt' },
  dropped: {
    label: 'dropped',
    title: 'Dropped: not fetched',
    description: 'URL not fetched: the run was stopped or reached a limit',
  },
  excluded: {
    label: 'excluded',
    title: 'Excluded by a rule',
    description: 'URL not fetched: a rule of the URL filter, robots.txt or the query policy excludes it',
  },
};

export const SHOWN_OUTCOMES = Object.keys(OUTCOME_LABELS) as readonly OutcomeName[];

/** Outcomes of URLs without a stored page, which have reasons; the first one needs attention most. */
export const EXPLAINED_OUTCOMES = [
  'failed',
  'excluded',
  'skipped',
  'missing',
  'not-found',
  'removed',
  'dropped',
] as const satisfies readonly OutcomeName[];
