// Collects the outline while a page is written: headings, and definitions with the line where each one ends.

import type { DefinedName, OutlineEntry } from '../../../model/document.ts';

export interface OutlineWriter {
  /** Adds a heading. If it defines a symbol, the definition ends before the next heading of its level. */
  heading(entry: OutlineEntry, symbol: string | null): void;
  /** Begins a definition; its level follows from the section that contains it. False if too many others contain it. */
  open(entry: Omit<OutlineEntry, 'level' | 'definition'>, names: DefinedNames): boolean;
  /** Ends the definition that was opened last. */
  close(lastLine: number): void;
  /** As `close`, but the description goes on below the list, up to the next heading or definition. */
  closeLater(): void;
  /** Full name of the definition that contains the next section: a heading of this level, or a term. Null if none does. */
  owner(level?: number): string | null;
  /** Ends all definitions and returns the entries in page order. */
  finish(lastLine: number): readonly OutlineEntry[];
}

export interface DefinedNames {
  readonly symbol: string;
  readonly others: readonly DefinedName[];
}

/** Definitions inside one another. Deeper ones are plain text: the path to a section stays short. */
const MAX_NESTED = 4;

interface OpenSection {
  readonly index: number;
  readonly level: number;
  /** A heading ends at the next one, a term with its list, and a loose term before the next heading or definition. */
  readonly kind: 'heading' | 'term' | 'loose-term';
  readonly names: DefinedNames | null;
}

export function createOutlineWriter(): OutlineWriter {
  const entries: OutlineEntry[] = [];
  const open: OpenSection[] = [];
  const closeInnermost = (lastLine: number): OpenSection['kind'] | null => {
    const closed = open.pop();
    const entry = entries[closed?.index ?? -1];
    if (closed === undefined || entry === undefined) return null;
    if (closed.names !== null) entries[closed.index] = { ...entry, definition: definitionOf(closed.names, lastLine) };
    return closed.kind;
  };
  const closeLoose = (line: number): void => {
    while (open.at(-1)?.kind === 'loose-term') closeInnermost(line - 1);
  };
  return {
    heading(entry, symbol) {
      closeLoose(entry.line);
      const term = open.findLast(({ kind }) => kind === 'term');
      const level = term === undefined ? entry.level : Math.max(entry.level, term.level + 1);
      for (let top = open.at(-1); top?.kind === 'heading' && top.level >= level; top = open.at(-1))
        closeInnermost(entry.line - 1);
      const names = symbol === null ? null : { symbol, others: [] };
      open.push({ index: entries.length, level, kind: 'heading', names });
      entries.push({ ...entry, level });
    },
    open(entry, names) {
      closeLoose(entry.line);
      if (open.filter(({ kind }) => kind === 'term').length >= MAX_NESTED) return false;
      const level = (open.at(-1)?.level ?? 1) + 1;
      open.push({ index: entries.length, level, kind: 'term', names });
      entries.push({ level, ...entry });
      return true;
    },
    close(lastLine) {
      while (open.length > 0 && closeInnermost(lastLine) !== 'term');
    },
    closeLater() {
      const term = open.findLastIndex(({ kind }) => kind === 'term');
      const section = open[term];
      if (section !== undefined) open.splice(term, open.length - term, { ...section, kind: 'loose-term' });
    },
    owner: (level = Infinity) =>
      open.findLast(
        (section) =>
          section.names !== null && (section.kind === 'term' || (section.kind === 'heading' && section.level < level)),
      )?.names?.symbol ?? null,
    finish(lastLine) {
      while (open.length > 0) closeInnermost(lastLine);
      return entries;
    },
  };
}

function definitionOf({ symbol, others }: DefinedNames, lastLine: number): NonNullable<OutlineEntry['definition']> {
  return others.length === 0 ? { symbol, lastLine } : { symbol, lastLine, others };
}
