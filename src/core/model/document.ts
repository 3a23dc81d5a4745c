// A document is what extraction leaves of a page: its text in one canonical form, and what was learnt on the way.
// It depends on the page's own bytes alone, so two crawls of one site agree to the byte.

import type { PageUrl } from './page-url.ts';

/** Says what `text` is written in, and so which chunker cuts it. */
export type DocumentFormat = 'markdown' | 'html' | 'json' | 'openapi' | 'code' | 'text' | 'image';

export interface OutlineEntry {
  /** 1 to 6. */
  readonly level: number;
  /** The heading's plain text, without Markdown marks. */
  readonly text: string;
  /** The fragment that leads to the heading on the page, without `#`; null where the page gives none. */
  readonly anchor: string | null;
  /** 1-based line of the heading in the document's text. */
  readonly line: number;
}

export interface Link {
  /** Absolute, still to be normalised and judged by scope. */
  readonly href: string;
  readonly text: string;
  /** Words of `rel`, lower case, such as `nofollow`. */
  readonly rel: readonly string[];
  /** False for links of navigation, header and footer: followed as well, but no part of the document. */
  readonly inContent: boolean;
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
  /** What `rel=canonical` names, absolute; null where nothing is said. */
  readonly canonical: string | null;
  /** UTF-8, `\n` line ends, no trailing spaces outside code, one final line feed. Its SHA-256 decides whether a page changed. */
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
  readonly links: readonly Link[];
}
