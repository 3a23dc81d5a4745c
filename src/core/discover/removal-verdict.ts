// Whether pages that a run found gone may be removed at its end. A site that is ill says 404, redirects to a login or
// answers with a notice; what it says then is no proof.

export interface RunFindings {
  /** URLs that the run accepted. */
  readonly found: number;
  readonly failed: number;
  /** Accepted and never asked: the run was stopped or cut. */
  readonly dropped: number;
  /** Known pages that are gone, moved away or not to be kept any more. */
  readonly missing: number;
  /** Pages that were known before the run, those included. */
  readonly known: number;
}

export type RemovalVerdict =
  | { readonly remove: true }
  | { readonly remove: false; readonly because: 'cut' | 'failing' | 'too-many' };

/** More failures than this and the site is ill. A few dead links are not. */
const MOST_FAILED_SHARE = 0.05;
const FEW_FAILED = 3;
/** So many may go in any case, unless nothing would be left. */
const FEW_MISSING = 5;
const MOST_MISSING_SHARE = 0.2;

export function removalVerdict(findings: RunFindings, isConfirmed: boolean): RemovalVerdict {
  const { found, failed, dropped, missing, known } = findings;
  if (dropped > 0) return { remove: false, because: 'cut' };
  if (failed > Math.max(FEW_FAILED, found * MOST_FAILED_SHARE)) return { remove: false, because: 'failing' };
  if (isConfirmed) return { remove: true };
  const isMass = missing >= known || (missing > FEW_MISSING && missing > known * MOST_MISSING_SHARE);
  return missing > 0 && isMass ? { remove: false, because: 'too-many' } : { remove: true };
}
