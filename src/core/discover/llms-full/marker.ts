// The line, or few lines, with which a generator begins a page inside llms-full.txt. A marker is only a candidate:
// whether it is believed is decided over the whole file.

export interface Marker {
  /** Exactly how it is written, such as `h1 Source`: one generator writes all of its pages in one form. */
  readonly form: string;
  /** Forms of one family could be confused with each other. */
  readonly family: 'line' | 'front-matter' | 'wrapper' | 'heading-link';
  /** As written; null where the generator gives a title only. */
  readonly address: string | null;
  readonly title: string | null;
  /** First line of the marker and first line after it. A heading that is the page's own stays with the page. */
  readonly start: number;
  readonly end: number;
  /** Lines of the marker that belong to the page's text. */
  readonly keep: string | null;
  /** What closes the page, for wrappers. */
  readonly closing: string | null;
}
