// Heading paths: the page title, then the headings that contain a section. Chunks are stored with them, and answers cite them.

import type { OutlineEntry } from '../model/document.ts';

export interface HeadingPath {
  /** Enters the next heading of the page, in page order. Returns its path, outermost first. */
  enter(level: number, text: string): readonly string[];
}

/** The first level-1 heading of a page counts as its title; every other heading is below the title. */
export function createHeadingPath(title: string): HeadingPath {
  const open: Array<{ readonly level: number; readonly text: string }> = [];
  let entered = 0;
  return {
    enter(level, text) {
      const isTitle = level === 1 && (entered === 0 || text === title);
      entered += 1;
      while ((open.at(-1)?.level ?? -1) >= level) open.pop();
      if (!isTitle && open.length === 0) open.push({ level: 0, text: title });
      open.push({ level: isTitle ? 0 : level, text });
      return open.map((heading) => heading.text).filter((heading) => heading !== '');
    },
  };
}

/** A heading and what is below it. */
export interface PageSection {
  /** Line of the heading in the document. */
  readonly line: number;
  readonly level: number;
  /** From the page title down to this heading. */
  readonly headings: readonly string[];
  readonly anchor: string | null;
  /** Of a definition; null for any other section. */
  readonly symbol: string | null;
  /** The section that contains it. */
  readonly parent: PageSection | null;
  /** The last line before the next section, whatever its level; null for the last section of the page. */
  readonly ownLastLine: number | null;
}

/** In page order. */
export function pageSections(title: string, outline: readonly OutlineEntry[]): PageSection[] {
  const path = createHeadingPath(title);
  const open: PageSection[] = [];
  return outline.map(({ level, text, anchor, line }, at) => {
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    const next = outline[at + 1];
    const section = {
      line,
      level,
      headings: path.enter(level, text),
      anchor,
      symbol: null,
      parent: open.at(-1) ?? null,
      ownLastLine: next === undefined ? null : next.line - 1,
    };
    open.push(section);
    return section;
  });
}
