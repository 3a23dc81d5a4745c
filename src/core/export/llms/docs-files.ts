// The interface through which a server offers the library as text files.

/** A text that is read while it is sent. */
export interface TextFile {
  /** Entity tag; differs whenever the text does. */
  readonly etag: string;
  parts(): AsyncIterable<string> | Iterable<string>;
}

export interface PageFile extends TextFile {
  readonly source: string;
  /** Empty if it has none. */
  readonly version: string;
  readonly url: string;
}

/**
 * A segment is a source as it stands in an address, with `@` and its version if one is named. Raises `source.unknown`,
 * `version.unknown` and `page.unknown`, with similar names.
 */
export interface DocsFiles {
  libraryIndex(): Promise<TextFile>;
  sourceIndex(segment: string): Promise<TextFile>;
  fullText(segment: string): Promise<TextFile>;
  /** Path and query as received. */
  page(segment: string, path: string, query: string): Promise<PageFile>;
}
