// Reads a plain-text sitemap: one absolute address a line. Lines that are none are counted, and a file of nothing
// else is no sitemap.

import { parsePageUrl } from '../model/page-url.ts';
import { MAX_LOCATION, type SitemapEntry, type SitemapOutcome } from './sitemap/sitemap-entry.ts';
import type { SitemapTextReader } from './sitemap/sitemap-xml.ts';

export function createSitemapListReader(maxEntries: number): SitemapTextReader {
  const entries: SitemapEntry[] = [];
  let skipped = 0;
  let rest = '';
  let stopped: SitemapOutcome['stopped'] = null;

  function take(line: string): void {
    const text = line.trim();
    if (text === '') return;
    const url = /^https?:\/\/\S+$/.test(text) && text.length <= MAX_LOCATION ? parsePageUrl(text) : null;
    if (url === null) skipped += 1;
    else if (entries.length < maxEntries) entries.push({ kind: 'page', url, lastModified: null });
    else stopped ??= { because: 'too-many-entries', detail: `more than ${maxEntries}` };
  }

  return {
    write(text) {
      const lines = (rest + text).split(/\r\n|\n|\r/);
      // A line longer than any address is not kept growing; what is left of it is no address either.
      rest = (lines.pop() ?? '').slice(0, MAX_LOCATION + 1);
      for (const line of lines) if (stopped === null) take(line);
      return stopped === null;
    },
    end() {
      if (stopped === null) take(rest);
      if (entries.length === 0) stopped ??= { because: 'not-a-sitemap', detail: 'no line is an address' };
      return { format: 'text', entries, skipped, stopped };
    },
  };
}
