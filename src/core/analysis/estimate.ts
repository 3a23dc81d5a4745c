// Estimates the number of pages of a site from how often its URLs are named: Chao 1 with a log-normal interval at 95 %.

/** A type, because it is stored as JSON. */
export type SizeEstimate = {
  readonly pages: number;
  /** Number of known pages. */
  readonly low: number;
  readonly high: number;
  /** Share of the estimated pages that are stored. */
  readonly coverage: number;
};

export interface NamedUrls {
  /** Known and admitted URLs. */
  readonly known: number;
  /** URLs that exactly one fetched page or list names, and URLs that exactly two name. */
  readonly once: number;
  readonly twice: number;
  readonly stored: number;
  /** Share of the fetched URLs that became separate pages. */
  readonly newShare: number;
}

/** Quantile of the normal distribution for 95 %. */
const Z = 1.96;

export function estimateSize({ known, once, twice, stored, newShare }: NamedUrls): SizeEstimate {
  const pairs = Math.max(1, twice);
  const unseen = once ** 2 / (2 * pairs);
  // Without a URL that two name there is no overlap to extrapolate from: the start page alone names each once.
  const pages = Math.round(known + (twice === 0 ? 0 : unseen));
  const ratio = once / pairs;
  const variance = pairs * (ratio ** 2 / 2 + ratio ** 3 + ratio ** 4 / 4);
  const spread = unseen === 0 ? 1 : Math.exp(Z * Math.sqrt(Math.log(1 + variance / unseen ** 2)));
  const distinct = pages * newShare;
  const coverage = distinct === 0 ? 0 : Math.min(1, stored / distinct);
  return { pages, low: known, high: Math.round(known + unseen * spread), coverage: Math.round(coverage * 1000) / 1000 };
}
