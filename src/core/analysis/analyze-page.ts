// Analyzes the stored text of a page. Pure: a stored page in, its analysis out. A specification fixes the names of the fields.

import { classifyPage, type PageClassification } from '../classify/page-kind.ts';
import { keyPhrases, type KeyPhrase, type PhraseCandidates, type TermStatistics } from './key-phrases.ts';
import type { LocatedPage } from './site-shape.ts';
import type { PlaceMatcher, PlaceMention } from '../gazetteer/match-places.ts';
import type { PlaceKind } from '../gazetteer/place.ts';
import { findLinks } from '../extract/markdown/find-links.ts';
import { PAGE_KINDS, type DocumentFormat, type OutlineEntry, type PageKindName } from '../model/document.ts';
import { fileKindOf, type FileKind } from '../files/file-kind.ts';
import type { PageUrl } from '../model/page-url.ts';

export interface StoredText {
  readonly url: PageUrl;
  readonly title: string;
  readonly mediaType: string;
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
  /** What the crawl stored with the text; the kind of the page among it, unless the page came from elsewhere. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Number of links from the start page. */
  readonly depth: number;
  /** Number of links in its menus. */
  readonly navLinks: number;
}

export type HeuristicResult = { readonly [name: string]: string | number | boolean | null };

/** A further analysis of a page that can be plugged in. */
export interface DeepHeuristic {
  readonly name: string;
  /** Stored with each result, so that a reader knows its version. */
  readonly version: number;
  /** Pure; null if it has nothing to report about the page. */
  readonly analyze: (page: StoredText) => HeuristicResult | null;
}

/** What is known about its site. */
export interface PageSite {
  readonly locate: (url: PageUrl) => LocatedPage;
  readonly terms: TermStatistics;
  readonly heuristics: readonly DeepHeuristic[];
  /** Null without a gazetteer. */
  readonly places: PlaceMatcher | null;
}

/** A place that a page mentions; a specification fixes the names. */
type PlaceFinding = {
  readonly place: string;
  readonly place_kind: PlaceKind;
  readonly place_id: number;
  readonly country_code: string | null;
  readonly method: PlaceMention['method'];
  readonly source: PlaceMention['source'];
  /** -1 in a URL. */
  readonly offset_start: number;
  readonly offset_end: number;
};

export type PageHint = 'article' | 'nav' | 'other';

/** A type, because it is stored as JSON. */
export type PageAnalysis = {
  readonly analysis_version: number;
  readonly kind: PageKindName;
  readonly confidence: number;
  readonly hint: PageHint;
  /** Findings in its title first, then in its URL and its text. */
  readonly findings: { readonly places: readonly PlaceFinding[] };
  readonly notes: readonly string[];
  readonly meta: {
    readonly method: string;
    readonly wordCount: number;
    readonly depth: number;
    readonly section: { readonly slug: string; readonly label: string } | null;
    readonly pattern: string;
    readonly navLinks: number;
    readonly contentLinks: number;
    readonly hasCode: boolean;
    /** Best effort: consumers must not rely on it. */
    readonly deepAnalysis: {
      readonly keyPhrases: readonly KeyPhrase[];
      readonly sentiment: HeuristicResult | null;
      readonly [heuristic: string]: readonly KeyPhrase[] | HeuristicResult | null;
    };
  };
};

const METHOD = 'shape@1';

const HINTS: Readonly<Record<PageKindName, PageHint>> = {
  article: 'article',
  reference: 'article',
  hub: 'nav',
  index: 'nav',
  source: 'other',
  other: 'other',
};

/** A longer text is judged by its beginning. */
const MAX_CHARS = 400_000;
const MAX_PLACES = 200;

export function analyzePage(
  page: StoredText & { readonly phrases: PhraseCandidates },
  analysisVersion: number,
  { locate, terms, heuristics, places }: PageSite,
): PageAnalysis {
  const { section, pattern } = locate(page.url);
  const text = page.text.slice(0, MAX_CHARS);
  const links = linksOf(page, text);
  const stored = storedClassification(page.metadata);
  const { pageKind, confidence } = stored ?? classifyPage({ ...page, text, links, format: formatOf(page.mediaType) });
  return {
    analysis_version: analysisVersion,
    kind: pageKind,
    confidence,
    hint: HINTS[pageKind],
    findings: { places: places === null ? [] : placesOf(page, text, places) },
    notes: stored === null ? ['classified from the stored text'] : [],
    meta: {
      method: METHOD,
      wordCount: wordCount(text),
      depth: page.depth,
      section: section === null ? null : { slug: section.slug, label: section.label },
      pattern,
      navLinks: page.navLinks,
      contentLinks: new Set(links.map(({ href }) => href)).size,
      hasCode: /^ {0,3}(?:```|~~~)/m.test(text) || formatOf(page.mediaType) === 'code',
      deepAnalysis: { keyPhrases: keyPhrases(page.phrases, terms), sentiment: null, ...plugged(page, heuristics) },
    },
  };
}

function placesOf({ url, title }: StoredText, text: string, matcher: PlaceMatcher): PlaceFinding[] {
  const mentions = [
    ...matcher.inText(title, 'title', { url }),
    ...matcher.inUrl(url, { url }),
    ...matcher.inText(text, 'text', { url }),
  ];
  return mentions.slice(0, MAX_PLACES).map(({ place, method, source, start, end }) => ({
    place: place.name,
    place_kind: place.kind,
    place_id: place.id,
    country_code: place.countryCode,
    method,
    source,
    offset_start: start,
    offset_end: end,
  }));
}

function plugged(page: StoredText, heuristics: readonly DeepHeuristic[]): Record<string, HeuristicResult | null> {
  return Object.fromEntries(
    heuristics.map(({ name, version, analyze }) => {
      const result = analyze(page);
      return [name, result === null ? null : { ...result, version }];
    }),
  );
}

/** As the crawl classified the page, which had the whole document at hand. */
function storedClassification({ pageKind, confidence }: StoredText['metadata']): PageClassification | null {
  const known = PAGE_KINDS.find((kind) => kind === pageKind);
  return known === undefined || typeof confidence !== 'number' ? null : { pageKind: known, confidence };
}

/** The links that the stored Markdown still has: those of the content. */
function linksOf({ mediaType }: StoredText, text: string) {
  const format = formatOf(mediaType);
  if (format !== 'markdown') return [];
  return findLinks(text, new Map()).map(({ target, text: words }) => ({
    href: target,
    text: words,
    rel: [],
    inContent: true,
  }));
}

const FORMATS: Readonly<Record<FileKind, DocumentFormat>> = {
  markdown: 'markdown',
  html: 'markdown',
  unknown: 'markdown',
  json: 'json',
  java_script: 'code',
  text: 'text',
  image: 'image',
};

function formatOf(mediaType: string): DocumentFormat {
  return FORMATS[fileKindOf(mediaType)];
}

function wordCount(text: string): number {
  let words = 0;
  for (const _ of text.matchAll(/[^\s]+/g)) words += 1;
  return words;
}
