// The port of extraction: what every reader of a format receives and gives back.

import type { Document } from '../model/document.ts';
import type { PageUrl } from '../model/page-url.ts';

/** One page as it was fetched or read from a folder. */
export interface RawPage {
  readonly url: PageUrl;
  /** The Content-Type as the server sent it, parameters included; null for a file. */
  readonly mediaType: string | null;
  readonly body: Uint8Array;
  /** A charset known from elsewhere than the Content-Type. */
  readonly charsetHint?: string | null;
  /** Response headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the verdict about a page needs to know besides its document. Only HTML fills the second half. */
export interface PageFacts {
  /** Links left out because a page may carry at most MAX_LINKS. */
  readonly linksDropped: number;
  /** What the reader should know about the extraction, such as a duplicate key; never page text. */
  readonly notes: readonly string[];
  /** Contents of robots meta tags, as written. */
  readonly robotsMeta: readonly string[];
  readonly html: HtmlFacts | null;
}

export interface HtmlFacts {
  /** Characters of visible text on the whole page, navigation included. */
  readonly visibleTextLength: number;
  /** The beginning of what the page tells readers without JavaScript. */
  readonly noscriptText: string;
  readonly scripts: number;
  readonly hasPasswordField: boolean;
  /** A meta refresh with its absolute target, null when the page reloads itself. */
  readonly refresh: { readonly seconds: number; readonly url: string | null } | null;
  readonly generator: string | null;
  /** Where the page says its Markdown form is, absolute. */
  readonly markdownAlternate: string | null;
  readonly signs: HtmlSigns;
}

/** Looked for on pages that say little; empty on all others. */
export interface HtmlSigns {
  /** Ids of elements that stand empty and wait for a script to fill them. */
  readonly emptyMounts: readonly string[];
  readonly frames: number;
  /** The target, as written, of a script that does nothing but send the reader elsewhere. */
  readonly scriptRedirect: string | null;
  /** Names of the known challenge and consent marks that the markup carries (see html-marks.table.ts). */
  readonly marks: readonly string[];
}

export interface Extraction {
  readonly document: Document;
  readonly facts: PageFacts;
}

/**
 * Reads one format. Pure: the same bytes give the same document, on any machine and whatever was read before.
 *
 * Linear in the size of the body, with no recursion beyond a fixed depth. A body that is not what it claims to be
 * throws `extract.malformed`; nothing else is thrown. The document's text is clean (see clean-text.ts), ends its lines
 * with one line feed and carries no more than MAX_LINKS links, each absolute and of a scheme that may be followed.
 *
 * `version` grows with every change that can alter a document: stored pages are then read again from their bodies.
 */
export interface Extractor {
  readonly name: string;
  readonly version: number;
  /** Lower case, without parameters. Two extractors never claim the same one. */
  readonly mediaTypes: readonly string[];
  /** Lower case, without the dot, or a whole file name. Two extractors never claim the same one. */
  readonly extensions: readonly string[];
  /** For a format inside a broader one, such as OpenAPI inside JSON: which, and how its first characters are known. */
  readonly narrows?: { readonly broader: string; readonly recognises: (head: string) => boolean };
  extract(page: RawPage): Extraction;
}

/** More links than this on one page are a trap or a dump; the rest is counted in `linksDropped`. */
export const MAX_LINKS = 5000;

export const NO_FACTS: PageFacts = { linksDropped: 0, notes: [], robotsMeta: [], html: null };
