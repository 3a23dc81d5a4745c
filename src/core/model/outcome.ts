// The possible outcomes of a URL in a run. Stored as small numbers, because a large store holds a hundred million of them.

/** Never renumber: these numbers are in databases. */
export const OUTCOME_CODES = {
  /** Indexed; there was no stored page before. */
  new: 1,
  /** Indexed; earlier content was replaced. */
  changed: 2,
  unchanged: 3,
  /** The site reports it gone; the page stays until the end of the run rules out an outage of the site. */
  missing: 4,
  /** Confirmed gone; its page was removed. */
  gone: 5,
  /** An alias of another URL. */
  moved: 6,
  /** Fetched, but without content, or marked noindex. */
  skipped: 7,
  failed: 8,
  /** Not fetched, because the run was stopped or hit a limit. */
  dropped: 9,
  /** Never fetched: excluded by a rule of the URL filter, robots.txt or the query policy. */
  excluded: 10,
} as const;

export type OutcomeName = keyof typeof OUTCOME_CODES;

export const OUTCOME_NAMES = Object.keys(OUTCOME_CODES) as readonly OutcomeName[];

/** Every outcome of an accepted URL; an excluded one was never accepted. */
export const SETTLED_OUTCOMES = OUTCOME_NAMES.filter((name) => name !== 'excluded');

/** Pages that a run found and that are stored. */
export function storedPages(counts: Readonly<Record<'new' | 'changed' | 'unchanged', number>>): number {
  return counts.new + counts.changed + counts.unchanged;
}

/** URLs that were accepted and have no outcome yet. */
export function unsettledUrls(counts: Readonly<Record<OutcomeName | 'found', number>>): number {
  return SETTLED_OUTCOMES.reduce((left, name) => left - counts[name], counts.found);
}
