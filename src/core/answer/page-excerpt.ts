// Part of a document that fits a number of tokens: whole lines from a line on, or one section of it.

import { estimateTokens } from '../model/chunk.ts';
import type { OutlineEntry } from '../model/document.ts';

export interface LineRange {
  /** 1-based and inclusive. */
  readonly first: number;
  readonly last: number;
}

export interface PagePart {
  readonly text: string;
  readonly lines: LineRange;
  readonly tokens: number;
  /** The line to go on from; null at the end. */
  readonly next: number | null;
}

/** From a heading to the next one that is not below it. By anchor, else by the heading's text; null where neither is there. */
export function sectionLines(outline: readonly OutlineEntry[], section: string, lastLine: number): LineRange | null {
  const wanted = section.replace(/^#/, '');
  const small = wanted.toLowerCase();
  const byAnchor = outline.findIndex(({ anchor }) => anchor === wanted);
  const at = byAnchor === -1 ? outline.findIndex(({ text }) => text.toLowerCase() === small) : byAnchor;
  const heading = outline[at];
  if (heading === undefined) return null;
  const end = outline.slice(at + 1).find(({ level }) => level <= heading.level);
  return { first: heading.line, last: end === undefined ? lastLine : end.line - 1 };
}

/** At least one line, so that reading on always comes to an end; a line that alone is too long is cut. */
export function pagePart(text: string, { first, last }: LineRange, budget: number): PagePart {
  const lines = text.split('\n').slice(0, last);
  const kept: string[] = [];
  let chars = 0;
  for (const line of lines.slice(first - 1)) {
    if (kept.length > 0 && chars + line.length + 1 > budget * 4) break;
    kept.push(line.slice(0, budget * 4));
    chars += line.length + 1;
  }
  const shown = kept.join('\n');
  const end = first + kept.length - 1;
  return {
    text: shown,
    lines: { first, last: Math.max(first, end) },
    tokens: estimateTokens(shown),
    next: end < last && kept.length > 0 ? end + 1 : null,
  };
}
