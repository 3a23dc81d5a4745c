// Chunks Markdown at its headings and definitions. Of a web page, a section is one chunk with all its subsections if they fit the
// target together and define nothing; otherwise, and in a file, each section is chunked separately, so that adding or changing one
// does not change the ids of the others.

import type { Document } from '../../model/document.ts';
import type { ChunkLimits, ChunkResult, Chunker } from '../chunker.ts';
import { draftChunks } from '../draft-chunks.ts';
import { finalizeChunks } from '../finalize-chunks.ts';
import { lineCutWarnings, type CutLine } from '../text-units.ts';
import type { ChunkDraft, Unit } from '../unit.ts';
import { addBlockUnits } from './block-units.ts';
import { createSectionStarts, type SectionStart } from './section-starts.ts';
import { scanBlocks } from '../../markdown/scan-blocks.ts';
import type { Block } from '../../markdown/scan-state.ts';

export const markdownChunker: Chunker = {
  name: 'markdown',
  version: 3,
  formats: ['markdown'],

  chunk(document, limits) {
    return chunkMarkdown(document, limits);
  },
};

function chunkMarkdown(document: Document, limits: ChunkLimits): ChunkResult {
  const { text } = document;
  const blocks = scanBlocks(text);
  const found = buildSections(document, blocks, limits);
  const wholeChars = limits.cutsAtHeadings === true ? 0 : limits.targetChars;
  const sections = wholeIfShort(document, found, wholeChars);
  const cutLines: CutLine[] = [];
  const drafts: ChunkDraft[] = [];
  for (const range of groupSections(sections, wholeChars)) {
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

/** A page that fits the target is one chunk under its title, unless it has definitions. */
function wholeIfShort(document: Document, sections: readonly Section[], targetChars: number): readonly Section[] {
  const first = sections[0];
  const last = sections.at(-1);
  if (first === undefined || last === undefined || last.end - first.start > targetChars) return sections;
  if (first.isTerm || last.definitions > first.definitions) return sections;
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

/** The last subsection if all of them fit and none is a definition, otherwise the section itself. */
function lastFitting(sections: readonly Section[], index: number, end: number): number {
  const last = (sections[index]?.subtreeTo ?? index + 1) - 1;
  const hasDefinitions = (sections[last]?.definitions ?? 0) > (sections[index]?.definitions ?? 0);
  return !hasDefinitions && (sections[last]?.end ?? 0) <= end ? last : index;
}

function levelAt(sections: readonly Section[], index: number): number {
  return sections[index]?.level ?? 0;
}

interface Section extends SectionStart {
  /** Blocks of the section itself: from its heading to before the next section. */
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  /** Whether it contains anything other than a heading or front matter. A definition is never only a heading. */
  readonly hasBody: boolean;
  /** Definitions among the sections up to this one. */
  readonly definitions: number;
  /** Index after the section's last subsection. */
  subtreeTo: number;
}

/** Groups blocks under their headings and definitions, and gives each section its heading path. */
function buildSections(document: Document, blocks: readonly Block[], limits: ChunkLimits): Section[] {
  const starts = createSectionStarts(document, limits);
  const begun = blocks.map((block, index) => starts.begin(block) ?? (index === 0 ? starts.lead() : null));
  const positions = Array.from(begun.keys()).filter((index) => begun[index] !== null);
  const sections: Section[] = [];
  let definitions = 0;
  positions.forEach((from, nth) => {
    const [start, first] = [begun[from] ?? null, blocks[from]];
    if (start === null || first === undefined) return;
    const to = positions[nth + 1] ?? blocks.length;
    if (start.isDefinition) definitions += 1;
    const isBare = to - from === 1 && (first.kind === 'heading' || first.kind === 'front-matter');
    const hasBody = start.isDefinition || !isBare;
    const end = blocks[to - 1]?.end ?? first.end;
    sections.push({ ...start, from, to, start: first.start, end, hasBody, definitions, subtreeTo: 0 });
  });
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
