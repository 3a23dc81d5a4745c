// What a sitemap says, whatever it is written in.

import type { PageUrl } from '../../model/page-url.ts';

export interface SitemapEntry {
  /** `page` in a urlset or a plain list, `sitemap` in an index. */
  readonly kind: 'page' | 'sitemap';
  readonly url: PageUrl;
  /** As written, only checked to look like a date: it orders a recrawl and is never believed alone. */
  readonly lastModified: string | null;
}

export interface SitemapLimits {
  /** Entries of one file; the protocol allows 50,000 and sites write more. */
  readonly maxEntries: number;
  /** Octets after decompression. */
  readonly maxDecodedBytes: number;
  /** Indexes inside indexes that a crawl follows. */
  readonly maxIndexDepth: number;
}

export const DEFAULT_SITEMAP_LIMITS: SitemapLimits = {
  maxEntries: 200_000,
  maxDecodedBytes: 100_000_000,
  maxIndexDepth: 3,
};

/** Why reading ended before the end of the file. What was read until then is used. */
export type SitemapStop = 'doctype' | 'malformed' | 'not-a-sitemap' | 'too-large' | 'too-many-entries';

export interface SitemapOutcome {
  readonly format: 'xml' | 'text' | null;
  readonly entries: readonly SitemapEntry[];
  /** Entries without a usable address. */
  readonly skipped: number;
  readonly stopped: { readonly because: SitemapStop; readonly detail: string } | null;
}

export const MAX_LOCATION = 4096;

export function dateOrNull(text: string): string | null {
  const date = text.trim();
  const parts = /^\d{4}(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d)[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/.exec(date);
  if (date.length > 40 || parts === null) return null;
  const [, month = '01', day = '01', hour = '00'] = parts;
  const isOfCalendar = month >= '01' && month <= '12' && day >= '01' && day <= '31' && hour <= '24';
  return isOfCalendar ? date : null;
}
