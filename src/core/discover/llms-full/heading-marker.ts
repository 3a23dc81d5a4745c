// A page that begins with a heading: `# Title` with `Source: …` under it, `# [Title](address)` or `# Title (/path)`.

import { inlineLinks } from '../markdown/inline-links.ts';
import { isAddress } from './front-matter.ts';
import { labelledAt } from './labelled-line.ts';
import type { Marker } from './marker.ts';

const MAX_HEADING = 1000;

export function headingMarker(lines: readonly string[], at: number): Marker | null {
  const line = lines[at] ?? '';
  const heading = line.length > MAX_HEADING ? null : /^(#{1,3})[ \t]+(\S.*)$/.exec(line);
  if (heading === null) return null;
  const [, marks = '#', rest = ''] = heading;
  const text = rest.trim();
  const next = lines[at + 1]?.trim() === '' ? at + 2 : at + 1;
  const labelled = labelledAt(lines[next]);
  if (labelled !== null) {
    const { label, address } = labelled;
    const form = `h${marks.length} ${next - at} ${label}`;
    return {
      form,
      family: 'line',
      address,
      title: text,
      start: at,
      end: next + 1,
      keep: `${marks} ${text}`,
      closing: null,
    };
  }
  const named = linkedTitle(text) ?? pathTitle(text);
  if (named === null) return null;
  const { address, title, how } = named;
  const form = `h${marks.length} ${how}`;
  return {
    form,
    family: 'heading-link',
    address,
    title,
    start: at,
    end: at + 1,
    keep: `${marks} ${title}`,
    closing: null,
  };
}

interface NamedHeading {
  readonly title: string;
  readonly address: string;
  readonly how: string;
}

function linkedTitle(text: string): NamedHeading | null {
  const [link] = inlineLinks(text);
  const whole = link !== undefined && link.start === 0 && link.end === text.length;
  return whole && isAddress(link.target) ? { title: link.text, address: link.target, how: 'link' } : null;
}

function pathTitle(text: string): NamedHeading | null {
  const open = text.endsWith(')') ? text.lastIndexOf(' (') : -1;
  const address = text.slice(open + 2, -1);
  return open > 0 && isAddress(address) ? { title: text.slice(0, open), address, how: 'path' } : null;
}
