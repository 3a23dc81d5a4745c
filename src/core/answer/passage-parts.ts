// Splits a chunk into parts that can be read alone. Each part is under one heading and knows its own lines, so that an answer
// can show some of them and cite exactly what it shows.

import type { Chunk } from '../model/chunk.ts';
import { sectionAt, type PageSection } from '../outline/heading-path.ts';
import { stripLinkTargets } from '../rank/strip-link-targets.ts';
import { countLines, passageBlocks, type PassageBlock } from './passage-blocks.ts';

export interface PassagePart {
  /** From the page title down to the heading that the part is under. */
  readonly headings: readonly string[];
  readonly anchor: string | null;
  /** The section of that heading; null if the page has none, or its outline is unknown. */
  readonly section: PageSection | null;
  readonly lines: { readonly first: number; readonly last: number };
  /** Without headings, which the citation has, and without link targets. A signature stays with its description. */
  readonly text: string;
  /** The Markdown of its blocks, with headings and link targets. */
  readonly blocks: readonly string[];
}

type PartSource = Pick<Chunk, 'headings' | 'anchor' | 'lines' | 'text'>;

/** Headings without text below them are left out; a chunk that has nothing else is one part. */
export function passageParts(chunk: PartSource, sections: readonly PageSection[]): PassagePart[] {
  const text = stripLinkTargets(chunk.text);
  const original = originalBlocks(chunk.text, text);
  const { first, last } = chunk.lines;
  const refAt = (line: number): Location => {
    const section = sectionAt(sections, line);
    return section === null ? { headings: chunk.headings, anchor: chunk.anchor, section } : refOf(section);
  };
  let under = refAt(first);
  const { inside, shift } = sectionsInside(text, sections, chunk.lines);
  const parts: PassagePart[] = [];
  let continues = false;
  for (const block of passageBlocks(text, new Set(inside.keys()))) {
    const entered = inside.get(block.line);
    if (entered !== undefined) {
      under = refOf(entered);
      continues = false;
      if (isHeadingLine(block.text)) continue;
    }
    const lines = {
      first: clamp(first + block.line - shift, first, last),
      last: clamp(first + block.line + countLines(block.text) - 1 - shift, first, last),
    };
    if (lines.first > (under.section?.lastLine ?? Infinity)) {
      under = refAt(lines.first);
      continues = false;
    }
    const part = { ...under, lines, text: block.text, blocks: [original(block)] };
    if (!continues || !extendLast(parts, part)) parts.push(part);
    continues = entered !== undefined || (block.closingFence === null && introducesNext(block.text.trimEnd()));
  }
  return parts.length > 0 ? parts : [{ ...under, lines: chunk.lines, text: text.trim(), blocks: [chunk.text] }];
}

/** Gives the Markdown of a block with its links, if stripping their targets has left the lines as they were. */
function originalBlocks(written: string, stripped: string): (block: PassageBlock) => string {
  const lines = written.split('\n');
  const isAligned = lines.length === countLines(stripped);
  return ({ text, line }) => (isAligned ? lines.slice(line, line + countLines(text)).join('\n') : text);
}

function extendLast(parts: PassagePart[], { lines, text, blocks }: PassagePart): boolean {
  const before = parts.at(-1);
  if (before === undefined || before.text.length + text.length >= LONG_CHARS) return false;
  const joined = { first: before.lines.first, last: lines.last };
  const separator = lines.first <= before.lines.last + 1 ? '\n' : '\n\n';
  parts[parts.length - 1] = {
    ...before,
    lines: joined,
    text: `${before.text}${separator}${text}`,
    blocks: [...before.blocks, ...blocks],
  };
  return true;
}

type Location = Pick<PassagePart, 'headings' | 'anchor' | 'section'>;

function refOf(section: PageSection): Location {
  return { headings: section.headings, anchor: section.anchor, section };
}

/** Shorter blocks say little alone. */
const SHORT_CHARS = 80;
/** A longer part is not extended. */
const LONG_CHARS = 1200;

/** A line that ends in a colon stays with what it introduces, and a very short block with the next one. */
function introducesNext(block: string): boolean {
  return block.length < SHORT_CHARS || block.endsWith(':');
}

/**
 * The sections that begin in a chunk, by the index of their heading or signature in its text. A chunk that continues a table or a fence
 * begins with lines that were added to it: `shift` says how many.
 */
function sectionsInside(
  text: string,
  sections: readonly PageSection[],
  { first, last }: Chunk['lines'],
): { readonly inside: ReadonlyMap<number, PageSection>; readonly shift: number } {
  const added = Math.max(0, countLines(text) - (last - first + 1));
  const beginning = sections.filter(({ line }) => line >= first && line <= last);
  if (beginning.length === 0) return { inside: new Map(), shift: 0 };
  const lines = text.split('\n');
  for (let shift = 0; shift <= added; shift += 1) {
    if (beginning.every((section) => mayBegin(section, lines[section.line - first + shift] ?? '')))
      return { inside: new Map(beginning.map((section) => [section.line - first + shift, section])), shift };
  }
  return { inside: new Map(), shift: 0 };
}

/** The first line of a definition is a signature of any form, unless a heading defines the symbol. */
function mayBegin({ symbol }: PageSection, line: string): boolean {
  return isHeadingLine(line) || (symbol !== null && line.trim() !== '');
}

function isHeadingLine(line: string): boolean {
  return line.trimStart().startsWith('#');
}

function clamp(line: number, first: number, last: number): number {
  return Math.min(last, Math.max(first, line));
}
