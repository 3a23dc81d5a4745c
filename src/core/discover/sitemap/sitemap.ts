// Parses a sitemap as a stream: compressed or not, XML or a plain list, of any size, within limits.

import {
  DEFAULT_SITEMAP_LIMITS,
  MAX_LOCATION_CHARS,
  type SitemapEntry,
  type SitemapLimits,
  type SitemapOutcome,
} from './sitemap-entry.ts';
import { createXmlSitemapReader, type SitemapTextReader } from './sitemap-xml.ts';
import { createDecompressor } from '../../extract/archive/gunzip.ts';
import { parsePageUrl, type PageUrl } from '../../model/page-url.ts';

export interface SitemapReader {
  /** False once nothing more will be parsed: the caller may close the connection. */
  push(octets: Uint8Array): boolean;
  end(): SitemapOutcome;
}

export function createSitemapReader(file: PageUrl, limits: SitemapLimits = DEFAULT_SITEMAP_LIMITS): SitemapReader {
  let reader: SitemapTextReader | null = null;
  let decoder: TextDecoder | null = null;
  let reading = true;

  function takeText(text: string): void {
    const start = reader === null ? text.trimStart() : text;
    if (start === '' || !reading) return;
    reader ??= start.startsWith('<')
      ? createXmlSitemapReader(file, limits.maxEntries)
      : createTextSitemapReader(limits.maxEntries);
    reading = reader.write(start);
  }

  const decompressor = createDecompressor(limits.maxDecodedBytes, (octets) => {
    decoder ??= new TextDecoder(detectEncoding(octets));
    takeText(decoder.decode(octets, { stream: true }));
  });

  return {
    push: (octets) => decompressor.push(octets, false) && reading,
    end() {
      decompressor.push(new Uint8Array(), true);
      if (decoder !== null) takeText(decoder.decode());
      const outcome = reader?.end() ?? EMPTY;
      const stopped = decompressor.stopped();
      return stopped === null ? outcome : { ...outcome, stopped: { reason: stopped, detail: STOPS[stopped] } };
    },
  };
}

const EMPTY: SitemapOutcome = {
  entries: [],
  skipped: 0,
  stopped: { reason: 'not-a-sitemap', detail: 'the file is empty' },
};

const STOPS = {
  'too-large': 'the decoded file is larger than the limit',
  malformed: 'the compressed data is damaged',
} as const;

/** Sitemaps are UTF-8 by their protocol; some are saved as UTF-16 with a byte order mark. */
function detectEncoding(octets: Uint8Array): string {
  if (octets[0] === 0xff && octets[1] === 0xfe) return 'utf-16le';
  return octets[0] === 0xfe && octets[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/**
 * Where to look if robots.txt names no sitemap. A single location: sites with another one name it there, and every further
 * guess would cost a request on all sites without a sitemap, before their first page.
 */
export const DEFAULT_SITEMAP_PATH = '/sitemap.xml';

/** Whether a sitemap index at this nesting depth is followed. */
export function mayFollowIndex(depth: number, limits: SitemapLimits = DEFAULT_SITEMAP_LIMITS): boolean {
  return depth < limits.maxIndexDepth;
}

/** A plain-text sitemap: one absolute URL per line. Other lines are counted; a file without any URL is not a sitemap. */
function createTextSitemapReader(maxEntries: number): SitemapTextReader {
  const entries: SitemapEntry[] = [];
  let skipped = 0;
  let rest = '';
  let stopped: SitemapOutcome['stopped'] = null;

  function addLine(line: string): void {
    const text = line.trim();
    if (text === '') return;
    const url = /^https?:\/\/\S+$/.test(text) && text.length <= MAX_LOCATION_CHARS ? parsePageUrl(text) : null;
    if (url === null) skipped += 1;
    else if (entries.length < maxEntries) entries.push({ kind: 'page', url, lastModified: null });
    else stopped ??= { reason: 'too-many-entries', detail: `more than ${maxEntries}` };
  }

  return {
    write(text) {
      const lines = (rest + text).split(/\r\n|\n|\r/);
      // A line longer than any URL does not grow further; its rest is not a URL either.
      rest = (lines.pop() ?? '').slice(0, MAX_LOCATION_CHARS + 1);
      for (const line of lines) if (stopped === null) addLine(line);
      return stopped === null;
    },
    end() {
      if (stopped === null) addLine(rest);
      if (entries.length === 0) stopped ??= { reason: 'not-a-sitemap', detail: 'no line is a URL' };
      return { entries, skipped, stopped };
    },
  };
}
