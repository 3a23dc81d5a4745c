// Recognises a marker at a line of llms-full.txt, in any of the forms that generators write.

import { frontMatterAt, isRule, type FrontMatter } from '../llms-full/front-matter.ts';
import { headingMarker } from '../llms-full/heading-marker.ts';
import { labelledAt } from '../llms-full/labelled-line.ts';
import type { Marker } from '../llms-full/marker.ts';
import { wrapperMarker } from '../llms-full/wrapper-marker.ts';

export function markerAt(lines: readonly string[], at: number): Marker | null {
  const line = lines[at] ?? '';
  if (line.startsWith('-') || line.startsWith('=')) return ruleMarker(lines, at);
  if (line.startsWith('#')) return headingMarker(lines, at);
  if (line.startsWith('<')) return wrapperMarker(lines, at) ?? commentMarker(line, at);
  return plainMarker(lines, at);
}

/** `---` before `Source: …`, before a heading with its source, or around front matter. */
function ruleMarker(lines: readonly string[], at: number): Marker | null {
  const line = lines[at] ?? '';
  if (!isRule(line) && !/^={3,}\s*$/.test(line)) return null;
  const front = frontMatterAt(lines, at);
  if (front !== null) return frontMatterMarker(front, at, lines);
  const next = lines[at + 1]?.trim() === '' ? at + 2 : at + 1;
  const labelled = labelledAt(lines[next]);
  if (labelled === null) return null;
  return lineMarker(`rule ${next - at} ${labelled.label}`, labelled.address, { start: at, end: next + 1 });
}

function frontMatterMarker(front: FrontMatter, at: number, lines: readonly string[]): Marker | null {
  if (front.url === null && front.title === null) return null;
  const dashes = (lines[at] ?? '').trim().length > 3 ? 'long' : 'short';
  return {
    form: front.url === null ? `front-matter ${dashes} title` : `front-matter ${dashes} ${front.urlKey}`,
    family: 'front-matter',
    address: front.url,
    title: front.title,
    start: at,
    end: front.end,
    keep: null,
    closing: null,
  };
}

function commentMarker(line: string, at: number): Marker | null {
  const inside = /^<!--\s*(\S.{0,2100}?)\s*-->\s*$/.exec(line)?.[1];
  const labelled = labelledAt(inside);
  if (labelled === null) return null;
  return lineMarker(`comment ${labelled.label}`, labelled.address, { start: at, end: at + 1 });
}

/** A line of its own after a blank one. The weakest form: prose cites its sources in the same way. */
function plainMarker(lines: readonly string[], at: number): Marker | null {
  if (at > 0 && lines[at - 1]?.trim() !== '') return null;
  const labelled = labelledAt(lines[at]);
  if (labelled === null) return null;
  return lineMarker(`plain ${labelled.label}`, labelled.address, { start: at, end: at + 1 });
}

function lineMarker(form: string, address: string, place: Pick<Marker, 'start' | 'end'>): Marker {
  return { form, family: 'line', address, title: null, ...place, keep: null, closing: null };
}
