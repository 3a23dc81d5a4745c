// The possible outcomes of a URL in a run. Stored as small numbers, because a large store holds a hundred million of them.

/** These numbers are in databases, and the schema limits their range. */
export const OUTCOME_CODES = {
  /** Indexed; there was no stored page before. */
  new: 1,
  /** Indexed; earlier content was replaced. */
  changed: 2,
  unchanged: 3,
  /** A stored page that the site no longer has, or that a rule excludes now; it stays until the end of the run rules out an outage. */
  missing: 4,
  /** A stored page whose deletion was confirmed; the page was removed. */
  removed: 5,
  /** An alias of another URL. */
  moved: 6,
  /** Fetched, but not stored: no content, or marked noindex. */
  skipped: 7,
  failed: 8,
  /** Not fetched, because the run was stopped or hit a limit. */
  dropped: 9,
  /** Not fetched, because a rule of the URL filter, robots.txt or the query policy excludes it, whenever that was decided. */
  excluded: 10,
  /** The site does not have it, and it was never stored. */
  'not-found': 11,
} as const;

export type OutcomeName = keyof typeof OUTCOME_CODES;

export const OUTCOME_NAMES = Object.keys(OUTCOME_CODES) as readonly OutcomeName[];

/** Every outcome of an accepted URL; an excluded one does not count as accepted. */
export const SETTLED_OUTCOMES = OUTCOME_NAMES.filter((name) => name !== 'excluded');

/** Pages that a run found and that are stored. */
export function storedPages(counts: Readonly<Record<'new' | 'changed' | 'unchanged', number>>): number {
  return counts.new + counts.changed + counts.unchanged;
}

/** URLs that were accepted and have no outcome yet. */
export function unsettledUrls(counts: Readonly<Record<OutcomeName | 'found', number>>): number {
  return SETTLED_OUTCOMES.reduce((left, name) => left - counts[name], counts.found);
}
