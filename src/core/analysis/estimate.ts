// Estimates the number of pages of a site before all of them are fetched. If the site lists its pages, from how many of the URLs that pages
// link to are in the list; otherwise from how often its URLs are linked to: Chao 1 with a log-normal interval at 95 %.

/** A type, because it is stored as JSON. */
export type SizeEstimate = {
  readonly pages: number;
  readonly low: number;
  readonly high: number;
  /** Share of the estimated pages that are stored. */
  readonly coverage: number;
};

export interface NamedUrls {
  /** Known and admitted URLs. */
  readonly known: number;
  /** URLs that exactly one fetched page links to, and URLs that exactly two link to. */
  readonly once: number;
  readonly twice: number;
  /** URLs in the lists of the site. */
  readonly listed: number;
  /** URLs that fetched pages link to, perhaps a sample, and how many of them are listed. */
  readonly linked: number;
  readonly linkedAndListed: number;
  readonly stored: number;
  readonly fetched: number;
}

/** Quantile of the normal distribution for 95 %. */
const Z = 1.96;
/** A list with a smaller share of what pages link to is a selection. */
const MIN_LISTED = 0.5;

interface Unseen {
  readonly urls: number;
  readonly high: number;
}

export function estimateSize(named: NamedUrls): SizeEstimate {
  const { known, stored, fetched } = named;
  const beyondLinks = unseenByLinks(named);
  const beyondList = unseenByList(named);
  const unseen = (beyondList ?? beyondLinks).urls;
  const mostUnseen = Math.max(unseen, beyondLinks.high, beyondList?.high ?? 0);
  const queued = Math.max(0, known - fetched);
  const share = shareOfPages(stored, fetched);
  const pages = stored + (queued + unseen) * share.mean;
  const coverage = pages === 0 ? 0 : Math.min(1, stored / pages);
  return {
    pages: Math.round(pages),
    low: Math.round(stored + queued * share.low),
    high: Math.round(stored + (queued + mostUnseen) * share.high),
    coverage: Math.round(coverage * 1000) / 1000,
  };
}

/** Chao 1. Without a URL that two pages link to there is no overlap to extrapolate from: the start page alone names each once. */
function unseenByLinks({ once, twice }: NamedUrls): Unseen {
  if (twice === 0 || once === 0) return { urls: 0, high: 0 };
  const urls = once ** 2 / (2 * twice);
  const ratio = once / twice;
  const variance = twice * (ratio ** 2 / 2 + ratio ** 3 + ratio ** 4 / 4);
  return { urls, high: urls * Math.exp(Z * Math.sqrt(Math.log(1 + variance / urls ** 2))) };
}

/** Lincoln and Petersen: the share of the linked URLs that are listed is that of all URLs. Null for a list that is a selection. */
function unseenByList({ known, listed, linked, linkedAndListed: both }: NamedUrls): Unseen | null {
  if (both === 0 || both < linked * MIN_LISTED) return null;
  const all = (listed * linked) / both;
  const spread = (((listed + 1) * (linked + 1)) / (both + 1) ** 2) * (((listed - both) * (linked - both)) / (both + 2));
  const above = (urls: number): number => Math.max(0, urls - known);
  return { urls: above(all), high: above(all + Z * Math.sqrt(Math.max(0, spread))) };
}

/** The share of the fetched URLs that became separate pages, with its interval by Wilson. */
function shareOfPages(stored: number, fetched: number): { readonly mean: number; low: number; high: number } {
  if (fetched === 0) return { mean: 1, low: 1, high: 1 };
  const share = Math.min(1, stored / fetched);
  const weight = Z ** 2 / fetched;
  const middle = share + weight / 2;
  const margin = Z * Math.sqrt((share * (1 - share)) / fetched + weight / (4 * fetched));
  return { mean: share, low: (middle - margin) / (1 + weight), high: Math.min(1, (middle + margin) / (1 + weight)) };
}
