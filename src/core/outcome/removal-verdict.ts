// Decides whether the pages that a run found missing are removed at its end. A site in trouble responds with 404, redirects
// to a login or shows a notice, so its responses do not prove that pages were deleted.
//
// A mass deletion needs confirmation by the user; a run that was cut or a failing site never removes anything.

export interface RemovalEvidence {
  /** URLs that the run accepted. */
  readonly found: number;
  readonly failed: number;
  /** Accepted but never fetched: the run was stopped or hit a limit. */
  readonly dropped: number;
  /** Stored pages that are gone, have moved or are no longer to be indexed. */
  readonly missing: number;
  /** Pages stored before the run, including the missing ones. */
  readonly stored: number;
}

export type RemovalVerdict =
  | { readonly remove: true }
  | { readonly remove: false; readonly reason: 'cut' | 'failing' | 'too-many' };

/** With more failures than this the site counts as failing; a few dead links do not matter. */
const MAX_FAILED_SHARE = 0.05;
const TOLERATED_FAILURES = 3;
/** This many pages can be removed without confirmation, unless no page would be left. */
const FREE_REMOVALS = 5;
const MAX_MISSING_SHARE = 0.2;

export function removalVerdict(evidence: RemovalEvidence, isConfirmed: boolean): RemovalVerdict {
  const { found, failed, dropped, missing, stored } = evidence;
  if (dropped > 0) return { remove: false, reason: 'cut' };
  if (failed > Math.max(TOLERATED_FAILURES, found * MAX_FAILED_SHARE)) return { remove: false, reason: 'failing' };
  if (isConfirmed) return { remove: true };
  const isMass = missing >= stored || (missing > FREE_REMOVALS && missing > stored * MAX_MISSING_SHARE);
  return missing > 0 && isMass ? { remove: false, reason: 'too-many' } : { remove: true };
}
