// Splits llms-full.txt into the pages it was made of, each with its real URL. Where the file does not make that sure,
// the text is left as a gap and the page is crawled instead: a passage under a wrong address is worse than none.

import { getDomain } from 'tldts';
import { parsePageUrl, type PageUrl } from '../../model/page-url.ts';
import type { KnownPage, LlmsFullSplit } from './llms-full-page.ts';
import { markerAt } from './page-markers.ts';
import type { Marker } from '../llms-full/marker.ts';
import { indexPages } from '../llms-full/page-key.ts';
import { believedPages, type StatedMarker } from './pages-by-url.ts';
import { pagesByHeading, pagesByMarkedTitle } from './pages-by-title.ts';

/** Grows with every change of what is made of a file. */
export const LLMS_FULL_SPLIT_VERSION = 1;

export interface LlmsFullFile {
  readonly text: string;
  /** Where it was found. */
  readonly url: PageUrl;
  /** What llms.txt lists, in its order; sitemap pages may follow, without titles. */
  readonly known: readonly KnownPage[];
}

export function splitLlmsFull(file: LlmsFullFile): LlmsFullSplit {
  const lines = file.text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const markers = findMarkers(lines);
  const stated = statedMarkers(markers, file);
  const form = dominantForm(stated, lines.length);
  if (form !== null) return believedPages(lines, stated, form);
  const titled = markers.filter(({ address }) => address === null);
  const titleForm = dominantForm(titled, lines.length);
  return titleForm === null
    ? pagesByHeading(lines, file.known)
    : pagesByMarkedTitle(
        lines,
        titled.filter((marker) => marker.form === titleForm),
        file.known,
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

/** Addresses on other sites are citations, not pages of this one; nobody may put words into another site's mouth. */
function statedMarkers(markers: readonly Marker[], file: LlmsFullFile): StatedMarker[] {
  const pages = indexPages(file.known);
  const home = siteOf(file.url);
  return markers.flatMap((marker) => {
    const url = marker.address === null ? null : parsePageUrl(marker.address, file.url);
    if (url === null || !url.startsWith('http') || siteOf(url) !== home) return [];
    return [{ ...marker, url: pages.readersUrl(url), known: pages.has(url) }];
  });
}

/** The registrable domain, or host and port where there is none. */
function siteOf(url: PageUrl): string {
  const { host, hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? host;
}

/** A file that begins with much text of its own was not written in this form. */
const MAX_PREAMBLE = 0.2;
const SHORT_PREAMBLE_LINES = 200;

function dominantForm(markers: readonly Marker[], lines: number): string | null {
  const first = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const { form, start } of markers) {
    counts.set(form, (counts.get(form) ?? 0) + 1);
    if (!first.has(form)) first.set(form, start);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || (first.get(a[0]) ?? 0) - (first.get(b[0]) ?? 0));
  if (best === undefined) return null;
  const preamble = first.get(best[0]) ?? 0;
  const single = best[1] === 1;
  if (single && preamble > 2) return null;
  return preamble <= Math.max(SHORT_PREAMBLE_LINES, lines * MAX_PREAMBLE) ? best[0] : null;
}
