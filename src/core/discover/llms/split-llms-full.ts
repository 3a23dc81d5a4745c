// Splits llms-full.txt into its pages, each with its real URL. Where the file is ambiguous, the text becomes a gap and the
// page is crawled instead: a passage with a wrong URL is worse than none.

import { parsePageUrl, type PageUrl } from '../../model/page-url.ts';
import { siteOf } from '../../url/site.ts';
import { createPageIndex, type ListedPage, type LlmsFullSplit } from './llms-full-page.ts';
import { markerAt, type Marker } from './page-markers.ts';
import { pagesByUrl, type UrlMarker } from './pages-by-url.ts';
import { pagesByHeading, pagesByMarkedTitle } from './pages-by-title.ts';

/** Incremented when the result of splitting changes. */
export const LLMS_FULL_SPLIT_VERSION = 1;

export interface LlmsFullFile {
  readonly text: string;
  /** URL of the file. */
  readonly url: PageUrl;
  /** The pages of llms.txt in its order; pages of the sitemap may follow, without titles. */
  readonly listed: readonly ListedPage[];
}

export function splitLlmsFull(file: LlmsFullFile): LlmsFullSplit {
  const lines = file.text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const markers = findMarkers(lines);
  const withUrl = urlMarkers(markers, file);
  const markerStyle = dominantStyle(withUrl, lines.length);
  if (markerStyle !== null) return pagesByUrl(lines, withUrl, markerStyle);
  const titled = markers.filter(({ url }) => url === null);
  const titleStyle = dominantStyle(titled, lines.length);
  return titleStyle === null
    ? pagesByHeading(lines, file.listed)
    : pagesByMarkedTitle(
        lines,
        titled.filter((marker) => marker.markerStyle === titleStyle),
        file.listed,
      );
}

function findMarkers(lines: readonly string[]): Marker[] {
  const markers: Marker[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const marker = markerAt(lines, at);
    if (marker === null) continue;
    markers.push(marker);
    at = marker.end - 1;
  }
  return markers;
}

/** URLs of other sites are citations, not pages of this one; a file must not attribute text to another site. */
function urlMarkers(markers: readonly Marker[], file: LlmsFullFile): UrlMarker[] {
  const pages = createPageIndex(file.listed);
  const ownSite = siteOf(file.url);
  return markers.flatMap((marker) => {
    const url = marker.url === null ? null : parsePageUrl(marker.url, file.url);
    if (url === null || !url.startsWith('http') || siteOf(url) !== ownSite) return [];
    return [{ ...marker, url: pages.preferredUrl(url), listed: pages.has(url) }];
  });
}

/** A file with a long preamble before its first marker was not written in this form. */
const MAX_PREAMBLE = 0.2;
const SHORT_PREAMBLE_LINES = 200;

function dominantStyle(markers: readonly Marker[], lines: number): string | null {
  const first = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const { markerStyle, start } of markers) {
    counts.set(markerStyle, (counts.get(markerStyle) ?? 0) + 1);
    if (!first.has(markerStyle)) first.set(markerStyle, start);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || (first.get(a[0]) ?? 0) - (first.get(b[0]) ?? 0));
  if (best === undefined) return null;
  const preamble = first.get(best[0]) ?? 0;
  const single = best[1] === 1;
  if (single && preamble > 2) return null;
  return preamble <= Math.max(SHORT_PREAMBLE_LINES, lines * MAX_PREAMBLE) ? best[0] : null;
}
