// The content of a sitemap, in any format.

import type { PageUrl } from '../../model/page-url.ts';

export interface SitemapEntry {
  /** `page` in a urlset or a plain list, `sitemap` in an index. */
  readonly kind: 'page' | 'sitemap';
  readonly url: PageUrl;
  /** As written, only checked to look like a date: it orders a recrawl and is never trusted alone. */
  readonly lastModified: string | null;
}

export interface SitemapLimits {
  /** Entries of one file; the protocol allows 50,000 and sites write more. */
  readonly maxEntries: number;
  /** Bytes after decompression. */
  readonly maxDecodedBytes: number;
  /** Nesting of sitemap indexes that a crawl follows. */
  readonly maxIndexDepth: number;
}

export const DEFAULT_SITEMAP_LIMITS: SitemapLimits = {
  maxEntries: 200_000,
  maxDecodedBytes: 100_000_000,
  maxIndexDepth: 3,
};

/** Why parsing stopped before the end of the file. The entries up to there are used. */
export type SitemapStop = 'doctype' | 'malformed' | 'not-a-sitemap' | 'too-large' | 'too-many-entries';

export interface SitemapOutcome {
  readonly entries: readonly SitemapEntry[];
  /** Entries without a usable URL. */
  readonly skipped: number;
  readonly stopped: { readonly reason: SitemapStop; readonly detail: string } | null;
}

export const MAX_LOCATION_CHARS = 4096;

export function parseDate(text: string): string | null {
  const date = text.trim();
  const parts = /^\d{4}(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d)[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/.exec(date);
  if (date.length > 40 || parts === null) return null;
  const [, month = '01', day = '01', hour = '00'] = parts;
  const isCalendarDate = month >= '01' && month <= '12' && day >= '01' && day <= '31' && hour <= '24';
  return isCalendarDate ? date : null;
}

/** Whether a sitemap says that the page was modified since then. A date without a time is the end of its day, a wrong one says nothing. */
export function isModifiedSince({ lastModified }: Pick<SitemapEntry, 'lastModified'>, sinceMs: number): boolean {
  if (lastModified === null) return false;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(lastModified);
  return Date.parse(isDay ? `${lastModified}T23:59:59Z` : lastModified.replace(' ', 'T')) > sinceMs;
}
