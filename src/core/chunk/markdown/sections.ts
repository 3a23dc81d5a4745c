// Groups blocks under their headings and gives each section its heading path.

import type { Document, OutlineEntry } from '../../model/document.ts';
import { createLineCounter } from '../text-units.ts';
import type { Place } from '../unit.ts';
import { readHeading } from './heading-text.ts';
import type { Block } from './scan-blocks.ts';

export interface Section extends Place {
  /** 0 for what stands before the first heading. */
  readonly level: number;
  /** Blocks of the section itself: from its heading to before the next heading of any level. */
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  /** Whether anything but a heading or front matter is in it. */
  readonly hasBody: boolean;
  /** Index after the section's last subsection. */
  subtreeTo: number;
}

export function sectionsOf(document: Document, blocks: readonly Block[]): Section[] {
  const paths = createPaths(document);
  const sections: Section[] = [];
  let from = 0;
  for (let index = 1; index <= blocks.length; index += 1) {
    if (index < blocks.length && blocks[index]?.kind !== 'heading') continue;
    const first = blocks[from];
    const last = blocks[index - 1];
    if (first === undefined || last === undefined) break;
    const isHeading = first.kind === 'heading';
    const place = isHeading ? paths.enter(first) : paths.root();
    const { start } = first;
    const hasBody = index - from > 1 || (!isHeading && first.kind !== 'front-matter');
    sections.push({ ...place, level: first.level, from, to: index, start, end: last.end, hasBody, subtreeTo: 0 });
    from = index;
  }
  closeSubtrees(sections);
  return sections;
}

/** A subtree ends before the next heading of the same or a higher level. The lead has none. */
function closeSubtrees(sections: Section[]): void {
  const open: Section[] = [];
  sections.forEach((section, index) => {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= section.level) {
      const closed = open.pop();
      if (closed !== undefined) closed.subtreeTo = index;
    }
    if (section.level === 0) section.subtreeTo = index + 1;
    else open.push(section);
  });
  for (const section of open) section.subtreeTo = sections.length;
}

interface Paths {
  enter(heading: Block): Place;
  root(): Place;
}

interface OpenHeading {
  readonly level: number;
  readonly text: string;
}

/** A page's first heading of level 1 stands for its title; any other heading is below the title. */
function createPaths(document: Document): Paths {
  const { text, title } = document;
  const byLine = new Map<number, OutlineEntry>(document.outline.map((entry) => [entry.line, entry]));
  const lineAt = createLineCounter(text);
  const stack: OpenHeading[] = [];
  let entered = 0;
  const root: readonly string[] = title === '' ? [] : [title];
  return {
    root: () => ({ headings: root, anchor: null, symbol: null, address: null }),
    enter(heading) {
      const known = byLine.get(lineAt(visibleStart(text, heading.start)));
      const read = readHeading(text.slice(heading.start, heading.end));
      const own = known?.text ?? read.text;
      const isTitle = heading.level === 1 && (entered === 0 || own === title);
      entered += 1;
      leave(stack, heading.level);
      if (!isTitle && stack.length === 0) stack.push({ level: 0, text: title });
      stack.push({ level: isTitle ? 0 : heading.level, text: own });
      const headings = stack.map((entry) => entry.text).filter((entry) => entry !== '');
      return { headings, anchor: known?.anchor ?? read.anchor, symbol: read.symbol, address: null };
    },
  };
}

/** Headings of the same or a deeper level are left behind. */
function leave(stack: OpenHeading[], level: number): void {
  while ((stack.at(-1)?.level ?? -1) >= level) stack.pop();
}

function visibleStart(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === 0x0a) at += 1;
  return at;
}
