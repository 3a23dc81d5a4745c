// Pages of the corpora that a crawl rightly leaves out though the oracle expects them. A page is excused only where the
// crawl itself settled it so.

export interface Exclusion {
  /** Null for every site. */
  readonly site: string | null;
  readonly file: RegExp;
  /** How outcome and reason of the crawl begin. */
  readonly outcome: string;
  readonly why: string;
}

export const EXCLUSIONS: readonly Exclusion[] = [
  {
    site: 'tomcat',
    file: /^tribes\//,
    outcome: 'skipped near-empty',
    why: 'pages that say nothing but TODO',
  },
  {
    site: null,
    file: /(?:^|\/)404\.html$/,
    outcome: 'skipped soft-404',
    why: "the site's own page for what is not there",
  },
];
