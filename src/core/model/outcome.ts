// How a URL's turn in a run can end. Stored as small numbers, because a large store holds a hundred million of them.

/** Never renumber: these numbers are in databases. */
export const OUTCOME_CODES = {
  /** Indexed, and no page was known. */
  new: 1,
  /** Indexed, and an older content was replaced. */
  changed: 2,
  unchanged: 3,
  /** The site says it is gone; the page stays until the end of the run confirms that it is not the site that is ill. */
  missing: 4,
  /** Proven gone; its page was removed. */
  gone: 5,
  /** An alias of another URL. */
  moved: 6,
  /** Fetched, but not knowledge, or asked not to be indexed. */
  skipped: 7,
  failed: 8,
  /** Not asked any more because the run was stopped or cut. */
  dropped: 9,
  /** Never asked: a rule of scope, robots or the query policy refused it. */
  refused: 10,
} as const;

export type OutcomeName = keyof typeof OUTCOME_CODES;

export const OUTCOME_NAMES = Object.keys(OUTCOME_CODES) as readonly OutcomeName[];
