// A run is one crawl of one version of a source. It is in one of the live states until it ends in exactly one ended state.

export type SourceId = number & { readonly __brand: 'source' };
export type VersionId = number & { readonly __brand: 'version' };
export type RunId = number & { readonly __brand: 'run' };

export const LIVE_RUN_STATES = ['queued', 'running', 'paused', 'stopping'] as const;

/**
 * completed: every accepted URL is stored, unchanged or legitimately left out; partial: the frontier was drained, but
 * some URLs failed; stopped: on request; failed: the run was aborted, with a reason.
 */
export const ENDED_RUN_STATES = ['completed', 'partial', 'stopped', 'failed'] as const;

export type LiveRunState = (typeof LIVE_RUN_STATES)[number];
export type EndedRunState = (typeof ENDED_RUN_STATES)[number];
export type RunState = LiveRunState | EndedRunState;
export const RUN_STATES = [...LIVE_RUN_STATES, ...ENDED_RUN_STATES] as const;

/**
 * incremental discovers, updates and removes; refresh fetches stored pages only; full extracts everything again; retry
 * fetches what failed before, and follows newly found links.
 */
export type RunMode = 'incremental' | 'refresh' | 'full' | 'retry';
