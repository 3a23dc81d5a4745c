// Markdown is cut at its headings. A section with all its subsections is one chunk where they fit the target together;
// else each stands for itself, so that a section put in or changed leaves the names of the others alone.

import type { Document } from '../../model/document.ts';
import type { Chunker, ChunkLimits, ChunkResult } from '../chunker.ts';
import { addBlockUnits } from './block-units.ts';
import { scanBlocks, type Block } from './scan-blocks.ts';
import { sectionsOf, type Section } from './sections.ts';
import { namePieces } from '../finalize-chunks.ts';
import { piecesOfUnits } from '../draft-chunks.ts';
import { lineCutWarnings, type CutLine } from '../text-units.ts';
import type { Piece, Unit } from '../unit.ts';

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
  const sections = wholeIfShort(document, sectionsOf(document, blocks), limits.targetChars);
  const cutLines: CutLine[] = [];
  const pieces: Piece[] = [];
  for (const range of ranges(sections, limits.targetChars)) {
    const units: Unit[] = [];
    let previous: Block | null = null;
    for (let index = range.from; index < range.to; index += 1) {
      const block = blocks[index];
      if (block === undefined) break;
      addBlockUnits({ text, limits, units, cutLines }, block, previous);
      previous = block;
    }
    for (const piece of piecesOfUnits(text, units, range.place, limits)) pieces.push(piece);
  }
  return namePieces(document, pieces, limits, lineCutWarnings(text, cutLines));
}

/** A page that fits the target is one chunk, named by its title. */
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

/** Blocks that are chunked together, and the section that names them. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly place: Section;
}

/** A heading without a text of its own goes with its first subsection: alone it would answer nothing. */
function ranges(sections: readonly Section[], targetChars: number): Range[] {
  const found: Range[] = [];
  let carried: Section | null = null;
  let next = 0;
  sections.forEach((section, index) => {
    if (index < next) return;
    const first: Section = carried ?? section;
    const last = lastTogether(sections, index, first.start + targetChars);
    next = last + 1;
    if (!section.hasBody && levelAt(sections, next) > section.level) carried = first;
    else {
      found.push({ from: first.from, to: sections[last]?.to ?? section.to, place: section });
      carried = null;
    }
  });
  return found;
}

/** The last subsection where all of them end in time, else the section itself. */
function lastTogether(sections: readonly Section[], index: number, end: number): number {
  const last = (sections[index]?.subtreeTo ?? index + 1) - 1;
  return (sections[last]?.end ?? 0) <= end ? last : index;
}

function levelAt(sections: readonly Section[], index: number): number {
  return sections[index]?.level ?? 0;
}
