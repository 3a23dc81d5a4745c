// A document is the result of extracting a page: its text in one canonical form, and its metadata. It depends on the
// bytes of the page only, so two crawls of the same site produce identical documents.

import type { PageUrl } from './page-url.ts';

/** The format of `text`; it selects the chunker. */
export type DocumentFormat = 'markdown' | 'json' | 'yaml' | 'code' | 'text' | 'image';

/** A section of a document: a heading or a definition, and the text below it. */
export interface OutlineEntry {
  /** 1 to 6 for a heading. A definition, and a heading inside one, is below the section that contains it. */
  readonly level: number;
  /** The heading's plain text, without Markdown marks; a definition's short name, such as `TaskGroup.create_task`. */
  readonly text: string;
  /** Fragment of the section on the page, without `#`; null if it has none. */
  readonly anchor: string | null;
  /** 1-based line of the heading or signature in the document's text. */
  readonly line: number;
  /** Set if the section defines a symbol. */
  readonly definition?: Definition;
}

export interface Definition {
  /** Full name of the function, class, option or term, such as `asyncio.TaskGroup.create_task`. */
  readonly symbol: string;
  /** Last line of the description. The text below it belongs to the enclosing section again. */
  readonly lastLine: number;
  /** Further names that share the description. */
  readonly others?: readonly DefinedName[];
}

export interface DefinedName {
  readonly symbol: string;
  readonly anchor: string | null;
}

/** Separates the names of definitions that share one description. No symbol contains it. */
const NAME_SEPARATOR = ', ';

/** All names that a section defines, as one chunk stores them: `json.load, json.loads`. */
export function definedSymbols({ symbol, others = [] }: Definition): string {
  return joinSymbols([symbol, ...others.map((other) => other.symbol)]);
}

/** The names of a chunk as its symbol. */
export function joinSymbols(names: readonly string[]): string {
  return names.join(NAME_SEPARATOR);
}

/** The inverse of `joinSymbols`. */
export function splitSymbols(symbols: string): readonly string[] {
  return symbols.split(NAME_SEPARATOR);
}

export interface Link {
  /** Absolute, not yet normalised or filtered. */
  readonly href: string;
  readonly text: string;
  /** Words of `rel`, lower case, such as `nofollow`. */
  readonly rel: readonly string[];
  /** False for links of navigation, header and footer: also followed, but not part of the document. */
  readonly inContent: boolean;
  /** For a link in the navigation, the number of lists that it is in, at least 1; absent for one that is only in the content, or in a footer. */
  readonly level?: number;
}

export interface Document {
  readonly url: PageUrl;
  readonly format: DocumentFormat;
  readonly title: string;
  readonly description: string | null;
  /** BCP 47 tag as the page states it. */
  readonly language: string | null;
  /** Programming language of a `code` document; null otherwise. */
  readonly codeLanguage: string | null;
  /** Target of `rel=canonical`, absolute; null if the page declares none. */
  readonly canonical: string | null;
  /** UTF-8, `\n` line ends, no trailing spaces outside code, one final line feed. Its SHA-256 decides whether a page changed. */
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
  readonly links: readonly Link[];
}

/** Where a line of the text, and those after it up to the next such line, were read from. */
export interface SourceLineEntry {
  /** 1-based line of the document's text. */
  readonly line: number;
  /** 1-based lines of the file, inclusive. */
  readonly first: number;
  readonly last: number;
}

/** What a page is for. A new kind goes to the end: its position is stored with segments. */
export const PAGE_KINDS = ['article', 'reference', 'hub', 'index', 'other', 'source'] as const;
export type PageKindName = (typeof PAGE_KINDS)[number];
