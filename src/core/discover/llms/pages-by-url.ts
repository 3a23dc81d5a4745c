// Believes or doubts markers that state an address. One generator writes one form, so only the commonest form begins
// pages. A marker that may be a quotation makes the text before it and after it a gap: neither end is sure.

import type { PageUrl } from '../../model/page-url.ts';
import { createFenceTracker } from '../markdown/fence-tracker.ts';
import { pageText, type LlmsFullGap, type LlmsFullPage, type LlmsFullSplit } from './llms-full-page.ts';
import type { Marker } from '../llms-full/marker.ts';

export interface StatedMarker extends Marker {
  readonly url: PageUrl;
  /** llms.txt or the sitemap has this page as well. */
  readonly known: boolean;
}

export function believedPages(lines: readonly string[], stated: readonly StatedMarker[], form: string): LlmsFullSplit {
  const markers = boundaries(stated, form);
  const doubts = doubtsAbout(lines, markers, form);
  const pages: LlmsFullPage[] = [];
  const gaps: LlmsFullGap[] = [];
  markers.forEach((marker, index) => {
    const end = markers[index + 1]?.start ?? lines.length;
    const nextDoubt = doubts[index + 1];
    const doubt = doubts[index] ?? (nextDoubt === undefined ? undefined : `its end is not sure: ${nextDoubt}`);
    const part = doubt ?? partOf(lines, marker, end);
    if (typeof part === 'string') gaps.push({ firstLine: marker.start + 1, lastLine: end, because: part });
    else pages.push(part);
  });
  return { form, pages, gaps };
}

/** Other forms of the same family could be pages too; they are kept as boundaries, to be doubted. */
function boundaries(stated: readonly StatedMarker[], form: string): StatedMarker[] {
  const family = stated.find((marker) => marker.form === form)?.family;
  return stated.filter((marker) => marker.form === form || (marker.family === family && marker.known));
}

function doubtsAbout(lines: readonly string[], markers: readonly StatedMarker[], form: string): (string | undefined)[] {
  const times = new Map<PageUrl, number>();
  for (const { url } of markers) times.set(url, (times.get(url) ?? 0) + 1);
  const listed = markers.filter(({ known }) => known).length / markers.length >= MOSTLY_LISTED;
  const fenced = fencedMarkers(lines, markers);
  return markers.map((marker, index) => {
    if ((times.get(marker.url) ?? 0) > 1) return 'the address stands more than once in the file';
    if (marker.form !== form) return `it is marked as "${marker.form}", the others as "${form}"`;
    if (!marker.known && listed) return 'nearly all other pages are listed in llms.txt, this one is not';
    if (!marker.known && fenced[index] === true) return 'it stands inside fenced code';
    return undefined;
  });
}

const MOSTLY_LISTED = 0.9;

/** Every page begins outside of code, so an open fence ends at a marker: pages do leave fences open. */
function fencedMarkers(lines: readonly string[], markers: readonly StatedMarker[]): boolean[] {
  const fence = createFenceTracker();
  return markers.map((marker, index) => {
    fence.reset();
    const from = markers[index - 1]?.end ?? 0;
    for (let at = from; at < marker.start; at += 1) fence.take(lines[at] ?? '');
    return fence.isOpen();
  });
}

/** A sentence where the part cannot be used. */
function partOf(lines: readonly string[], marker: StatedMarker, next: number): LlmsFullPage | string {
  const end = marker.closing === null ? next : closingLine(lines, marker, next);
  if (end === null) return `${marker.closing} is missing`;
  const body = pageText(lines, marker.end, end);
  if (body === '') return 'it holds no text';
  const text = marker.keep === null ? body : `${marker.keep}\n\n${body}`;
  const title = marker.title ?? firstHeading(body);
  return {
    url: marker.url,
    title,
    text,
    confidence: marker.known ? 'confirmed' : 'stated',
    firstLine: marker.start + 1,
  };
}

/** The last one before the next page: a page may quote the tag. */
function closingLine(lines: readonly string[], { closing, end }: StatedMarker, next: number): number | null {
  for (let at = next - 1; at >= end; at -= 1) {
    if (lines[at]?.trim() !== closing) continue;
    return /^\s*<\/document_contents?>\s*$/.test(lines[at - 1] ?? '') ? at - 1 : at;
  }
  return null;
}

function firstHeading(text: string): string | null {
  return /^# +(\S.*)$/m.exec(text.slice(0, 2000))?.[1]?.trim() ?? null;
}
