// Attributes pages by markers with a URL. A generator writes one form, so only the most common form starts pages. A marker
// that may be a quotation turns the text before and after it into a gap, because neither end is certain.

import type { PageUrl } from '../../model/page-url.ts';
import { endsInFence } from '../../markdown/scan-blocks.ts';
import { pageText, type LlmsFullGap, type LlmsFullPage, type LlmsFullSplit } from './llms-full-page.ts';
import type { Marker } from './page-markers.ts';

export interface UrlMarker extends Marker {
  readonly url: PageUrl;
  /** Whether llms.txt or the sitemap lists this page too. */
  readonly listed: boolean;
}

export function pagesByUrl(
  lines: readonly string[],
  candidates: readonly UrlMarker[],
  markerStyle: string,
): LlmsFullSplit {
  const markers = boundaries(candidates, markerStyle);
  const doubts = findDoubts(lines, markers, markerStyle);
  const pages: LlmsFullPage[] = [];
  const gaps: LlmsFullGap[] = [];
  markers.forEach((marker, index) => {
    const end = markers[index + 1]?.start ?? lines.length;
    const nextDoubt = doubts[index + 1];
    const doubt = doubts[index] ?? (nextDoubt === undefined ? undefined : `its end is not sure: ${nextDoubt}`);
    const page = doubt ?? pageAt(lines, marker, end);
    if (typeof page === 'string') gaps.push({ firstLine: marker.start + 1, lastLine: end, reason: page });
    else pages.push(page);
  });
  return { markerStyle, pages, gaps };
}

/** Other forms of the same family could be pages too; they are kept as boundaries, with a doubt. */
function boundaries(candidates: readonly UrlMarker[], markerStyle: string): UrlMarker[] {
  const family = candidates.find((marker) => marker.markerStyle === markerStyle)?.family;
  return candidates.filter(
    (marker) => marker.markerStyle === markerStyle || (marker.family === family && marker.listed),
  );
}

function findDoubts(
  lines: readonly string[],
  markers: readonly UrlMarker[],
  markerStyle: string,
): (string | undefined)[] {
  const times = new Map<PageUrl, number>();
  for (const { url } of markers) times.set(url, (times.get(url) ?? 0) + 1);
  const mostlyListed = markers.filter(({ listed }) => listed).length / markers.length >= MOSTLY_LISTED_SHARE;
  const fenced = fencedMarkers(lines, markers);
  return markers.map((marker, index) => {
    if ((times.get(marker.url) ?? 0) > 1) return 'the address stands more than once in the file';
    if (marker.markerStyle !== markerStyle)
      return `it is marked as "${marker.markerStyle}", the others as "${markerStyle}"`;
    if (!marker.listed && mostlyListed) return 'nearly all other pages are listed in llms.txt, this one is not';
    if (!marker.listed && fenced[index] === true) return 'it stands inside fenced code';
    return undefined;
  });
}

const MOSTLY_LISTED_SHARE = 0.9;

/** Every page starts outside code, so a marker closes an open fence: some pages leave fences open. */
function fencedMarkers(lines: readonly string[], markers: readonly UrlMarker[]): boolean[] {
  return markers.map(({ start }, index) => endsInFence(lines.slice(markers[index - 1]?.end ?? 0, start).join('\n')));
}

/** The page of a marker, or the reason why there is none. */
function pageAt(lines: readonly string[], marker: UrlMarker, next: number): LlmsFullPage | string {
  const end = marker.closing === null ? next : closingLine(lines, marker, next);
  if (end === null) return `${marker.closing} is missing`;
  const body = pageText(lines, marker.end, end);
  if (body === '') return 'it holds no text';
  const text = marker.retained === null ? body : `${marker.retained}\n\n${body}`;
  const title = marker.title ?? firstHeading(body);
  return {
    url: marker.url,
    title,
    text,
    confidence: marker.listed ? 'confirmed' : 'stated',
    firstLine: marker.start + 1,
  };
}

/** The last closing tag before the next page: a page may quote the tag. */
function closingLine(lines: readonly string[], { closing, end }: UrlMarker, next: number): number | null {
  for (let at = next - 1; at >= end; at -= 1) {
    if (lines[at]?.trim() !== closing) continue;
    return /^\s*<\/document_contents?>\s*$/.test(lines[at - 1] ?? '') ? at - 1 : at;
  }
  return null;
}

function firstHeading(text: string): string | null {
  return /^# +(\S.*)$/m.exec(text.slice(0, 2000))?.[1]?.trim() ?? null;
}
