// An excerpt of a document within a token budget: whole lines from a given line on, or one section.

import { estimateTokens } from '../model/chunk.ts';
import type { LineRange } from '../chunk/source-lines.ts';
import type { OutlineEntry } from '../model/document.ts';
import { pageSections } from '../outline/heading-path.ts';

export interface PageExcerpt {
  readonly text: string;
  readonly lines: LineRange;
  readonly tokens: number;
  /** The line to continue from; null at the end. */
  readonly nextLine: number | null;
}

/**
 * From a heading to the next one of the same or a higher level, or the lines of a definition. Found by anchor, else by text or
 * symbol; null if there is neither.
 */
export function sectionLines(outline: readonly OutlineEntry[], section: string, lastLine: number): LineRange | null {
  const name = section.replace(/^#/, '');
  const lower = name.toLowerCase();
  const byAnchor = outline.findIndex(({ anchor, definition }) => {
    return anchor === name || definition?.others?.some((other) => other.anchor === name) === true;
  });
  const byName = ({ text, definition }: OutlineEntry): boolean =>
    [text, definition?.symbol].some((known) => known?.toLowerCase() === lower);
  const at = byAnchor === -1 ? outline.findIndex(byName) : byAnchor;
  const found = pageSections('', outline)[at];
  if (found === undefined) return null;
  const end = outline.slice(at + 1).find(({ level }) => level <= found.level);
  return { first: found.line, last: Math.min(found.lastLine, end === undefined ? lastLine : end.line - 1) };
}

/** Returns at least one line, so that continuing always terminates; a single line over the budget is truncated. */
export function pageExcerpt(text: string, range: LineRange, budget: number): PageExcerpt {
  const { first } = range;
  const last = Math.min(range.last, lineCount(text));
  const lines = text.split('\n').slice(0, last);
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines.slice(first - 1)) {
    if (shown.length > 0 && chars + line.length + 1 > budget * 4) break;
    shown.push(line.slice(0, budget * 4));
    chars += line.length + 1;
  }
  const excerpt = shown.join('\n');
  const end = first + shown.length - 1;
  return {
    text: excerpt,
    lines: { first, last: Math.max(first, end) },
    tokens: estimateTokens(excerpt),
    nextLine: end < last && shown.length > 0 ? end + 1 : null,
  };
}

/** The line feed at the end of a text ends its last line, and begins none. */
function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}
