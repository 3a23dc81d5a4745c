// The extractor port: what the extractor of every format receives and returns.

import type { Document, SourceLineEntry } from '../model/document.ts';
import { pinakesError } from '../model/errors.ts';
import type { PageUrl } from '../model/page-url.ts';
import { titleFromUrl } from './decode/media-type.ts';

/** One page as fetched, or as read from a folder. */
export interface RawPage {
  readonly url: PageUrl;
  /** The Content-Type as the server sent it, parameters included; null for a file. */
  readonly mediaType: string | null;
  readonly body: Uint8Array;
  /** A charset from a source other than the Content-Type. */
  readonly charsetHint?: string | null;
  /** Response headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The package that a file belongs to: it is chunked like a web page, because ranking was measured with those. */
  readonly packageName?: string;
}

/** What the page verdict needs in addition to the document. Only HTML pages have `html`. */
export interface ExtractedMetadata {
  /** Links dropped because a page has more than MAX_LINKS. */
  readonly linksDropped: number;
  /** Remarks about the extraction, such as a duplicate key; never page text. */
  readonly notes: readonly string[];
  /** Contents of robots meta tags, as written. */
  readonly robotsMeta: readonly string[];
  readonly html: HtmlMetadata | null;
  /** The version that the page states for the documented product; absent if it states none. */
  readonly declaredVersion?: string;
  /** Set if a file has more pages than its format's limit. */
  readonly pagesLeftOut?: { readonly read: number; readonly left: number };
  /** Set if the text of a local file has other lines than the file. */
  readonly lineOrigins?: readonly SourceLineEntry[];
}

export interface HtmlMetadata {
  /** Characters of visible text on the whole page, including navigation. */
  readonly visibleTextLength: number;
  /** The beginning of the page's noscript text. */
  readonly noscriptText: string;
  readonly scripts: number;
  readonly hasPasswordField: boolean;
  /** A meta refresh with its absolute target; `url` is null if the page reloads itself. */
  readonly refresh: { readonly seconds: number; readonly url: string | null } | null;
  readonly generator: string | null;
  /** Absolute URL of the page's Markdown version, from `<link rel=alternate>`. */
  readonly markdownAlternate: string | null;
  readonly thinPageSignals: ThinPageSignals;
}

/** Signals that a page with little text is not a document; empty for all other pages. */
export interface ThinPageSignals {
  /** Ids of empty elements that a script is meant to fill. */
  readonly emptyMounts: readonly string[];
  readonly frames: number;
  /** The target, as written, of a script that only redirects. */
  readonly scriptRedirect: string | null;
  /** Names of the challenge and consent markers found in the markup (see interstitial-markers.table.ts). */
  readonly interstitialMarkers: readonly string[];
}

export interface Extraction {
  readonly document: Document;
  readonly metadata: ExtractedMetadata;
}

/**
 * Extracts one format. Pure: the same bytes give the same document, on any machine and whatever was extracted before.
 *
 * Linear in the size of the body, with no recursion beyond a fixed depth. A body that is not what it claims to be
 * throws `extract.malformed`, one over a limit of its format `extract.limit` or `archive.bomb`, one with a password
 * `extract.encrypted`, and one that has only pictures of text `extract.scanned`; nothing else is thrown. The document's text
 * is clean (see clean-text.ts) and ends its lines with one line feed. It has at most MAX_LINKS links, each absolute and with
 * a scheme that may be followed.
 *
 * `version` is incremented with every change that can alter a document: stored bodies are then extracted again.
 */
export interface Extractor {
  readonly name: string;
  readonly version: number;
  /** Lower case, without parameters. Two extractors never claim the same one. */
  readonly mediaTypes: readonly string[];
  /** Lower case, without the dot, or a whole file name. Two extractors never claim the same one. */
  readonly extensions: readonly string[];
  /** For a format inside a broader one, such as OpenAPI inside JSON: which one, and how to recognize its first characters. */
  readonly narrows?: { readonly broader: string; readonly recognizes: (head: string) => boolean };
  /** For a format whose code is loaded with its first file; its `extract` throws `extract.unsupported`. */
  readonly extractAsync?: (page: RawPage) => Promise<Extraction>;
  extract(page: RawPage): Extraction;
}

/** What is known of a format before its code is loaded. */
type FormatClaims = Omit<Extractor, 'extract' | 'extractAsync'>;
type LoadedFormat = (page: RawPage) => Extraction | Promise<Extraction>;

/** The extractor of a format whose code is loaded with its first file. */
export function lazyExtractor(claims: FormatClaims, load: () => Promise<LoadedFormat>): Extractor {
  return {
    ...claims,
    extract: ({ url, mediaType }) => {
      throw pinakesError('extract.unsupported', { url, mediaType: mediaType ?? claims.name });
    },
    extractAsync: async (page) => (await load())(page),
  };
}

/** A page with more links is a trap or a dump; the rest is counted in `linksDropped`. */
export const MAX_LINKS = 5000;

export const NO_METADATA: ExtractedMetadata = { linksDropped: 0, notes: [], robotsMeta: [], html: null };

type TextFields = Pick<Document, 'format' | 'text'> & Partial<Pick<Document, 'title' | 'codeLanguage' | 'links'>>;

/** A file that is kept as text, named by its URL unless it has a title. */
export function textDocument({ url }: RawPage, { format, text, ...fields }: TextFields): Document {
  const { title = titleFromUrl(url), codeLanguage = null, links = [] } = fields;
  const unknown = { description: null, language: null, codeLanguage, canonical: null };
  return { url, format, title, ...unknown, text, outline: [], links };
}
