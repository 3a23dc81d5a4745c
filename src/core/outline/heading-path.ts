// Heading paths: the page title, then the headings that contain a section. Chunks are stored with them, and answers cite them.

import { nameKey } from '../lexical/query/name-key.ts';
import { isFileUrl } from '../files/file-url.ts';
import { definedSymbols, type OutlineEntry } from '../model/document.ts';

export interface HeadingPath {
  /** Enters the next section of the page, in page order. Returns its path, outermost first. */
  enter(section: EnteredSection): readonly string[];
}

export type EnteredSection = Pick<OutlineEntry, 'level' | 'text' | 'line' | 'definition'>;

/** The root of a path: the title of the page, or any heading of level 1, as in a file that has several. */
export type PathRoot = 'title' | 'headings';

export function pathRoot(url: string): PathRoot {
  return isFileUrl(url) ? 'headings' : 'title';
}

/**
 * The first heading of a page counts as its title if it is of level 1 or has the title's text; every other heading is below the
 * title, unless it is a root itself.
 */
export function createHeadingPath(title: string, root: PathRoot): HeadingPath {
  const open: Array<{ readonly level: number; readonly text: string; readonly lastLine: number }> = [];
  let entered = 0;
  return {
    enter({ level, text, line, definition }) {
      const hints = [level === 1, entered === 0, text === title];
      const isTitle = hints.filter(Boolean).length > 1;
      const isRoot = isTitle || (root === 'headings' && level === 1);
      if (isRoot && !isTitle) open.length = 0;
      entered += 1;
      const ended = open.findIndex((section) => section.level >= level || section.lastLine < line);
      if (ended !== -1) open.length = ended;
      if (!isRoot && open.length === 0) open.push({ level: 0, text: title, lastLine: Infinity });
      open.push({ level: isRoot ? 0 : level, text, lastLine: definition?.lastLine ?? Infinity });
      return open.map((heading) => heading.text).filter((heading) => heading !== '');
    },
  };
}

/** A heading or a definition, and what is below it. */
export interface PageSection {
  /** Line of the heading or signature in the document. */
  readonly line: number;
  /** Last line of a definition with the text that describes it, or of the definition that contains a heading; otherwise Infinity. */
  readonly lastLine: number;
  readonly level: number;
  /** From the page title down to this section. */
  readonly headings: readonly string[];
  readonly anchor: string | null;
  /** As in `Chunk.symbol`; null if the section is not a definition. */
  readonly symbol: string | null;
  /** The section that contains it. */
  readonly parent: PageSection | null;
  /** The last line before the next section, whatever its level; null for the last section of the page. */
  readonly ownLastLine: number | null;
}

/** The sections of a page, in page order. */
export function pageSections(title: string, outline: readonly OutlineEntry[], root: PathRoot = 'title'): PageSection[] {
  const path = createHeadingPath(title, root);
  const open: PageSection[] = [];
  return outline.map((entry, at) => {
    const { level, anchor, line, definition } = entry;
    const next = outline[at + 1];
    const ended = open.findIndex((section) => section.level >= level || section.lastLine < line);
    if (ended !== -1) open.length = ended;
    const parent = open.at(-1) ?? null;
    const section: PageSection = {
      line,
      lastLine: Math.min(lastLineOf(entry, next, parent), parent?.lastLine ?? Infinity),
      level,
      headings: path.enter(entry),
      anchor,
      symbol: definition === undefined ? null : definedSymbols(definition),
      parent,
      ownLastLine: next === undefined ? null : next.line - 1,
    };
    open.push(section);
    return section;
  });
}

/**
 * A definition with nothing but its signature is described by the text below, up to the next section: a reference that is written as
 * prose has it there. Not below a heading with the same name, which that text is under already.
 */
function lastLineOf(
  { line, definition }: OutlineEntry,
  next: OutlineEntry | undefined,
  parent: PageSection | null,
): number {
  if (definition === undefined) return Infinity;
  if (definition.lastLine > line || isNamesake(parent?.headings.at(-1) ?? '', definition.symbol)) {
    return definition.lastLine;
  }
  return next === undefined ? Infinity : next.line - 1;
}

/** `filter()` of `QuerySet.filter`. */
function isNamesake(heading: string, symbol: string): boolean {
  const [short, long] = [nameKey(heading), nameKey(symbol)];
  return short !== '' && long.endsWith(short) && /^$|[.:#/]$/.test(long.slice(0, long.length - short.length));
}

/** The innermost section that contains a line; null if the line is above the first section. `sections` are in page order. */
export function sectionAt(sections: readonly PageSection[], line: number): PageSection | null {
  let at = sections.findLast((section) => section.line <= line) ?? null;
  while (at !== null && at.lastLine < line) at = at.parent;
  return at;
}
