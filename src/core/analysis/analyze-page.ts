// What the stored text of a page says about it. Pure: a stored page in, its analysis out. A specification fixes the names of the fields.

import { classifyPage, type PageClassification } from '../classify/page-kind.ts';
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
}

export type PageHint = 'article' | 'nav' | 'other';

/** A type, because it is stored as JSON. */
export type PageAnalysis = {
  readonly analysis_version: number;
  readonly kind: PageKindName;
  readonly confidence: number;
  readonly hint: PageHint;
  readonly notes: readonly string[];
  readonly meta: {
    readonly method: string;
    readonly wordCount: number;
    readonly contentLinks: number;
    readonly hasCode: boolean;
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

export function analyzePage(page: StoredText, analysisVersion: number): PageAnalysis {
  const text = page.text.slice(0, MAX_CHARS);
  const links = linksOf(page, text);
  const stored = storedClassification(page.metadata);
  const { pageKind, confidence } = stored ?? classifyPage({ ...page, text, links, format: formatOf(page.mediaType) });
  return {
    analysis_version: analysisVersion,
    kind: pageKind,
    confidence,
    hint: HINTS[pageKind],
    notes: stored === null ? ['classified from the stored text'] : [],
    meta: {
      method: METHOD,
      wordCount: wordCount(text),
      contentLinks: new Set(links.map(({ href }) => href)).size,
      hasCode: /^ {0,3}(?:```|~~~)/m.test(text) || formatOf(page.mediaType) === 'code',
    },
  };
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
