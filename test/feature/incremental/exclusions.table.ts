// Pages of the corpora that a crawl rightly excludes though the oracle expects them. A page is excused only if the
// crawl itself settled it so and, where a text is named, the site's own file says no more than that.

export interface Exclusion {
  /** Null for every site. */
  readonly site: string | null;
  readonly file: RegExp;
  /** The beginning of the crawl's outcome and reason. */
  readonly outcome: string;
  readonly why: string;
  /** What the page's Markdown is, from its first to its last character. */
  readonly pattern?: RegExp;
}

export const EXCLUSIONS: readonly Exclusion[] = [
  {
    site: 'tomcat',
    file: /^tribes\//,
    outcome: 'skipped near-empty',
    why: 'pages that say nothing but TODO',
  },
  {
    site: 'nextjs',
    file: /./,
    outcome: 'skipped near-empty',
    pattern: /^# [^\n]*\s*(?:\{\/\*[^*]*\*\/\}\s*)?$/,
    why: 'pages whose text is taken from elsewhere when the site is built: here a heading and a comment for authors',
  },
  {
    site: 'glib',
    file: /^gio\/(?:file_mon|resources|testing|utils)\.html$/,
    outcome: 'skipped near-empty',
    why: 'chapters that hold their own name and one link',
  },
  {
    site: null,
    file: /(?:^|\/)404\.html$/,
    outcome: 'skipped soft-404',
    why: "the site's own page for what is not there",
  },
];
