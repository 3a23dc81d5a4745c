// Where a section of a Markdown document begins: at a heading, at a definition, and where the text continues after one.

import { definedSymbols, type Document, type OutlineEntry } from '../../model/document.ts';
import { createHeadingPath } from '../../outline/heading-path.ts';
import type { Block } from '../../markdown/scan-state.ts';
import type { ChunkLimits } from '../chunker.ts';
import { createLineCounter } from '../text-units.ts';
import type { ChunkContext } from '../unit.ts';
import { parseHeading } from './heading-text.ts';

export interface SectionStart extends ChunkContext {
  /** 0 for the lead, the blocks before the first section. */
  readonly level: number;
  readonly isDefinition: boolean;
  /** Whether it begins with a signature, not with a heading. */
  readonly isTerm: boolean;
}

export interface SectionStarts {
  /** The section that begins with the next block, in order; null if the block belongs to the section above it. */
  begin(block: Block): SectionStart | null;
  /** The section of blocks before the first heading or definition. */
  lead(): SectionStart;
}

interface OpenSection {
  readonly start: SectionStart;
  readonly lastLine: number;
}

export function createSectionStarts(document: Document, limits: ChunkLimits): SectionStarts {
  const { text, title } = document;
  const byLine = sectionsByLine(document, limits);
  const lineAt = createLineCounter(text);
  const path = createHeadingPath(title, limits.cutsAtHeadings === true ? 'headings' : 'title');
  const open: OpenSection[] = [];
  const lead: SectionStart = {
    headings: title === '' ? [] : [title],
    anchor: null,
    symbol: null,
    jsonPath: null,
    level: 0,
    isDefinition: false,
    isTerm: false,
  };
  const enter = (entry: OutlineEntry, start: Pick<SectionStart, 'symbol' | 'isTerm'>): SectionStart => {
    const { level, anchor, definition } = entry;
    const headings = path.enter(entry);
    const begun = { ...lead, ...start, headings, anchor, level, isDefinition: definition !== undefined };
    open.push({ start: begun, lastLine: definition?.lastLine ?? Infinity });
    return begun;
  };
  return {
    lead: () => lead,
    begin(block) {
      const line = lineAt(visibleStart(text, block.start));
      const hasEnded = closeAt(open, ({ lastLine }) => lastLine < line);
      const entry = byLine.get(line);
      if (block.kind === 'heading') {
        const parsed = parseHeading(text.slice(block.start, block.end));
        const heading = {
          level: block.level,
          text: parsed.text,
          line,
          ...entry,
          anchor: entry?.anchor ?? parsed.anchor,
        };
        closeAt(open, ({ start }) => start.level >= heading.level);
        const symbol = entry?.definition === undefined ? parsed.symbol : definedSymbols(entry.definition);
        return enter(heading, { symbol, isTerm: false });
      }
      if (entry?.definition !== undefined) {
        closeAt(open, ({ start }) => start.level >= entry.level);
        return enter(entry, { symbol: definedSymbols(entry.definition), isTerm: true });
      }
      if (!hasEnded) return null;
      const enclosing = open.at(-1)?.start ?? lead;
      return { ...enclosing, level: enclosing.level + 1, isDefinition: false, isTerm: false };
    },
  };
}

/** True if any section was closed. */
function closeAt(open: OpenSection[], hasEnded: (section: OpenSection) => boolean): boolean {
  const ended = open.findIndex(hasEnded);
  if (ended === -1) return false;
  open.length = ended;
  return true;
}

/** A page of thousands of tiny definitions is cut as if they were text: no chunk may be dropped for their number. */
function sectionsByLine({ outline }: Document, { maxChunks }: ChunkLimits): ReadonlyMap<number, OutlineEntry> {
  const count = outline.filter(({ definition }) => definition !== undefined).length;
  const entries = count * 2 <= maxChunks ? outline : outline.map(({ definition: _, ...heading }) => heading);
  return new Map(entries.map((entry) => [entry.line, entry]));
}

function visibleStart(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === 0x0a) at += 1;
  return at;
}
