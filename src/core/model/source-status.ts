// Where a source stands, from its latest run and what it holds.

import { ENDED_RUN_STATES, type RunState } from './run.ts';

/**
 * pending: nothing is stored and no run has begun; crawling: its first pages are being fetched; recrawling: it is being
 * crawled again and can be searched in the meantime; indexed: it can be searched; error: the latest run failed, or ended without a page.
 */
export const SOURCE_STATUSES = ['pending', 'crawling', 'indexed', 'recrawling', 'error'] as const;

export type SourceStatus = (typeof SOURCE_STATUSES)[number];

/** `latest` is null for a source without a run, such as an imported one. */
export function sourceStatus(
  latest: { readonly state: RunState; readonly counts: { readonly new: number } } | null,
  pages: number,
): SourceStatus {
  if (latest === null) return pages > 0 ? 'indexed' : 'pending';
  const { state, counts } = latest;
  if (!ENDED_RUN_STATES.some((ended) => ended === state)) {
    // More pages than this run has added: an earlier run has stored some.
    if (pages > counts.new) return 'recrawling';
    return state === 'queued' ? 'pending' : 'crawling';
  }
  if (state === 'failed') return 'error';
  return pages > 0 || state === 'completed' ? 'indexed' : 'error';
}
