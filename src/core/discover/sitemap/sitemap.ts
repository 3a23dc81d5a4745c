// Reads one sitemap file as it arrives: gzip or not, XML or a plain list, of any size, within limits.

import type { PageUrl } from '../../model/page-url.ts';
import { createDecompressor } from '../../extract/archive/gunzip.ts';
import { DEFAULT_SITEMAP_LIMITS, type SitemapLimits, type SitemapOutcome } from './sitemap-entry.ts';
import { createSitemapListReader } from '../sitemap-list.ts';
import { createSitemapXmlReader, type SitemapTextReader } from './sitemap-xml.ts';

export interface SitemapReader {
  /** False once nothing more will be read: the caller may close the connection. */
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
      ? createSitemapXmlReader(file, limits.maxEntries)
      : createSitemapListReader(limits.maxEntries);
    reading = reader.write(start);
  }

  const decompressor = createDecompressor(limits.maxDecodedBytes, (octets) => {
    decoder ??= new TextDecoder(encodingOf(octets));
    takeText(decoder.decode(octets, { stream: true }));
  });

  return {
    push: (octets) => decompressor.push(octets, false) && reading,
    end() {
      decompressor.push(new Uint8Array(), true);
      if (decoder !== null) takeText(decoder.decode());
      const outcome = reader?.end() ?? EMPTY;
      const stopped = decompressor.stopped();
      return stopped === null ? outcome : { ...outcome, stopped: { because: stopped, detail: STOPS[stopped] } };
    },
  };
}

const EMPTY: SitemapOutcome = {
  format: null,
  entries: [],
  skipped: 0,
  stopped: { because: 'not-a-sitemap', detail: 'the file is empty' },
};

const STOPS = {
  'too-large': 'the decoded file is larger than the limit',
  malformed: 'the compressed data is damaged',
} as const;

/** Sitemaps are UTF-8 by their protocol; some are saved as UTF-16 with a byte order mark. */
function encodingOf(octets: Uint8Array): string {
  if (octets[0] === 0xff && octets[1] === 0xfe) return 'utf-16le';
  return octets[0] === 0xfe && octets[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/**
 * Where to look when robots.txt names no sitemap. One place: sites that have theirs elsewhere say so there, and every other
 * guess would be asked of all the sites that have none, before their first page.
 */
export const SITEMAP_PLACE = '/sitemap.xml';

/** May an index that was reached over this many others be followed further? */
export function followsIndex(depth: number, limits: SitemapLimits = DEFAULT_SITEMAP_LIMITS): boolean {
  return depth < limits.maxIndexDepth;
}
