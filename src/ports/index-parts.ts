// Pages and texts are sent to an external index in parts, by the beginning of their keys. A part has its own position in the outbox, and
// one process at a time indexes it, so several share the work and none sends a page of another.

/** Keys after the first and up to the last, as hexadecimal digits; keys are hashes, so parts are of one size. */
export interface KeyRange {
  readonly after: string;
  readonly end: string;
}

export interface IndexPart extends KeyRange {
  readonly nth: number;
}

/** Longer than any key. */
const LAST = 'ff'.repeat(33);
const STARTS = ['', '40', '80', 'c0'] as const;

export const ALL_KEYS: KeyRange = { after: '', end: LAST };
export const INDEX_PARTS: readonly IndexPart[] = STARTS.map((after, nth) => ({
  nth,
  after,
  end: STARTS[nth + 1] ?? LAST,
}));

/** The holder of this lease does the work that is not split into parts, such as deleting replaced points. */
export const UPKEEP = STARTS.length;
