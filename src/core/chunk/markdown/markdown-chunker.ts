// Chunks Markdown at its headings. A section is one chunk with all its subsections if they fit the target together;
// otherwise each section is chunked separately, so that adding or changing one does not change the ids of the others.

import type { Document, OutlineEntry } from '../../model/document.ts';
import type { ChunkLimits, ChunkResult, Chunker } from '../chunker.ts';
import { draftChunks } from '../draft-chunks.ts';
import { finalizeChunks } from '../finalize-chunks.ts';
import { createLineCounter, lineCutWarnings, type CutLine } from '../text-units.ts';
import type { ChunkContext, ChunkDraft, Unit } from '../unit.ts';
import { addBlockUnits } from './block-units.ts';
import { createHeadingPath } from '../../outline/heading-path.ts';
import { parseHeading } from './heading-text.ts';
import { scanBlocks } from '../../markdown/scan-blocks.ts';
import type { Block } from '../../markdown/scan-state.ts';

export const markdownChunker: Chunker = {
  name: 'markdown',
  version: 1,
  formats: ['markdown'],

  chunk(document, limits) {
    return chunkMarkdown(document, limits);
  },
};

function chunkMarkdown(document: Document, limits: ChunkLimits): ChunkResult {
  const { text } = document;
  const blocks = scanBlocks(text);
  const sections = wholeIfShort(document, buildSections(document, blocks), limits.targetChars);
  const cutLines: CutLine[] = [];
  const drafts: ChunkDraft[] = [];
  for (const range of groupSections(sections, limits.targetChars)) {
    const units: Unit[] = [];
    let previous: Block | null = null;
    for (let index = range.from; index < range.to; index += 1) {
      const block = blocks[index];
      if (block === undefined) break;
      addBlockUnits({ text, limits, units, cutLines }, block, previous);
      previous = block;
    }
    for (const draft of draftChunks(text, units, range.section, limits)) drafts.push(draft);
  }
  return finalizeChunks(document, drafts, limits, lineCutWarnings(text, cutLines));
}

/** A page that fits the target is one chunk under its title. */
function wholeIfShort(document: Document, sections: readonly Section[], targetChars: number): readonly Section[] {
  const first = sections[0];
  const last = sections.at(-1);
  if (first === undefined || last === undefined || last.end - first.start > targetChars) return sections;
  const isTitled = first.headings.length === 1 && sections.every((section, index) => index === 0 || section.level > 1);
  const { title } = document;
  const headings = isTitled || title === '' ? first.headings.slice(0, 1) : [title];
  const symbol = isTitled ? first.symbol : null;
  return [{ ...first, headings, symbol, to: last.to, end: last.end, hasBody: true, subtreeTo: 1 }];
}

/** Blocks that are chunked together, and the section that gives them their context. */
interface SectionRange {
  readonly from: number;
  readonly to: number;
  readonly section: Section;
}

/** A heading without text below it goes with its first subsection: alone it would answer nothing. */
function groupSections(sections: readonly Section[], targetChars: number): SectionRange[] {
  const ranges: SectionRange[] = [];
  let carriedSection: Section | null = null;
  let next = 0;
  sections.forEach((section, index) => {
    if (index < next) return;
    const first: Section = carriedSection ?? section;
    const last = lastFitting(sections, index, first.start + targetChars);
    next = last + 1;
    if (!section.hasBody && levelAt(sections, next) > section.level) carriedSection = first;
    else {
      ranges.push({ from: first.from, to: sections[last]?.to ?? section.to, section });
      carriedSection = null;
    }
  });
  return ranges;
}

/** The last subsection if all of them fit, otherwise the section itself. */
function lastFitting(sections: readonly Section[], index: number, end: number): number {
  const last = (sections[index]?.subtreeTo ?? index + 1) - 1;
  return (sections[last]?.end ?? 0) <= end ? last : index;
}

function levelAt(sections: readonly Section[], index: number): number {
  return sections[index]?.level ?? 0;
}

interface Section extends ChunkContext {
  /** 0 for the lead, the blocks before the first heading. */
  readonly level: number;
  /** Blocks of the section itself: from its heading to before the next heading of any level. */
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  /** Whether it contains anything other than a heading or front matter. */
  readonly hasBody: boolean;
  /** Index after the section's last subsection. */
  subtreeTo: number;
}

/** Groups blocks under their headings and gives each section its heading path. */
function buildSections(document: Document, blocks: readonly Block[]): Section[] {
  const paths = createHeadingPaths(document);
  const sections: Section[] = [];
  let from = 0;
  for (let index = 1; index <= blocks.length; index += 1) {
    if (index < blocks.length && blocks[index]?.kind !== 'heading') continue;
    const first = blocks[from];
    const last = blocks[index - 1];
    if (first === undefined || last === undefined) break;
    const isHeading = first.kind === 'heading';
    const context = isHeading ? paths.enter(first) : paths.root();
    const { start } = first;
    const hasBody = index - from > 1 || (!isHeading && first.kind !== 'front-matter');
    sections.push({ ...context, level: first.level, from, to: index, start, end: last.end, hasBody, subtreeTo: 0 });
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

interface HeadingPaths {
  enter(heading: Block): ChunkContext;
  root(): ChunkContext;
}

function createHeadingPaths(document: Document): HeadingPaths {
  const { text, title } = document;
  const byLine = new Map<number, OutlineEntry>(document.outline.map((entry) => [entry.line, entry]));
  const lineAt = createLineCounter(text);
  const path = createHeadingPath(title);
  const root: readonly string[] = title === '' ? [] : [title];
  return {
    root: () => ({ headings: root, anchor: null, symbol: null, jsonPath: null }),
    enter(heading) {
      const outlineEntry = byLine.get(lineAt(visibleStart(text, heading.start)));
      const parsed = parseHeading(text.slice(heading.start, heading.end));
      const headings = path.enter(heading.level, outlineEntry?.text ?? parsed.text);
      return { headings, anchor: outlineEntry?.anchor ?? parsed.anchor, symbol: parsed.symbol, jsonPath: null };
    },
  };
}

function visibleStart(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === 0x0a) at += 1;
  return at;
}
