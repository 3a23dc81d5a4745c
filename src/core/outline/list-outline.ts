// Lists what a library contains: the outline of its pages, its symbols, and single chunks by id.

import { chunkRef, shortChunkId } from '../chunk/chunk-names.ts';
import { parseHeading } from '../chunk/markdown/heading-text.ts';
import { scanBlocks } from '../markdown/scan-blocks.ts';
import { estimateTokens, type Chunk } from '../model/chunk.ts';
import { definedSymbols, splitSymbols, type DefinedName, type OutlineEntry } from '../model/document.ts';
import { pageSections, pathRoot, type PageSection } from './heading-path.ts';
import type { IndexEntry } from '../lexical/segment/fields.ts';
import { matchesFilter, type SearchFilter } from '../lexical/query/search-filter.ts';
import { isExactSymbol, symbolStartsWith } from '../lexical/query/symbol-parts.ts';
import { compareText } from '../text/compare-text.ts';
import { countLineBreaks } from '../text/lines.ts';

/** All chunks of a library, in the order of `compareChunks`. */
interface Entries {
  readonly entries: readonly IndexEntry[];
}

/** By id, by an unambiguous prefix of at least 12 digits, or by ref. */
export function getChunk({ entries }: Entries, name: string): IndexEntry | null {
  if (/^c[0-9a-z]{4,8}$/.test(name)) {
    const position = Number.parseInt(name.slice(1), 36) - 1;
    const entry = entries[position];
    return entry !== undefined && chunkRef(position) === name ? entry : null;
  }
  if (!/^[0-9a-f]{12,64}$/.test(name)) return null;
  const found = entries.filter(({ chunk }) => chunk.id.startsWith(name));
  return found.length === 1 ? (found[0] ?? null) : null;
}

export interface OutlinePage {
  readonly path: string;
  readonly title: string;
  readonly sections: readonly OutlineSection[];
}

export interface OutlineSection {
  /** From the level below the title down. */
  readonly headings: readonly string[];
  readonly anchor: string | null;
  /** Short id of the chunk where the section begins. */
  readonly chunkId: string;
  readonly line: number;
  /** Total of the section. */
  readonly tokens: number;
}

/** Pages sorted by path, sections in page order; the chunks of one section form one entry. */
export function listOutline({ entries }: Entries, filter: SearchFilter = {}): OutlinePage[] {
  const pages: Array<OutlinePage & { readonly sections: OutlineSection[] }> = [];
  for (const entry of entries) {
    if (!matchesFilter(filter, entry)) continue;
    let page = pages.at(-1);
    if (page?.path !== entry.path) {
      page = { path: entry.path, title: entry.title, sections: [] };
      pages.push(page);
    }
    addSections(page.sections, entry, chunkSections(entry.chunk));
  }
  return pages;
}

/** A stored page: the headings that the extractor found, and its chunks without their texts. */
export interface OutlinedPage {
  readonly url: string;
  readonly path: string;
  readonly title: string;
  readonly outline: readonly OutlineEntry[];
  /** Chunks in page order. */
  readonly chunks: readonly OutlinedChunk[];
}

export type OutlinedChunk = Omit<Chunk, 'text' | 'contentHash' | 'jsonPath'>;

/** As `listOutline`, of one page and without its texts: tokens of the sections inside a chunk are estimated by their lines. */
export function outlinePage({ url, path, title, outline, chunks }: OutlinedPage): OutlinePage {
  const sections: OutlineSection[] = [];
  const onPage = pageSections(title, outline, pathRoot(url));
  for (const chunk of chunks) addSections(sections, { title, chunk }, outlinedSections(chunk, onPage));
  return { path, title, sections };
}

function addSections(
  sections: OutlineSection[],
  { title, chunk }: { readonly title: string; readonly chunk: Pick<Chunk, 'id'> },
  ofChunk: readonly ChunkSection[],
): void {
  for (const { headings: path, anchor, line, tokens } of ofChunk) {
    const headings = path[0] === title ? path.slice(1) : path;
    const last = sections.at(-1);
    if (last !== undefined && last.anchor === anchor && last.headings.join('\n') === headings.join('\n'))
      sections[sections.length - 1] = { ...last, tokens: last.tokens + tokens };
    else sections.push({ headings, anchor, chunkId: shortChunkId(chunk.id), line, tokens });
  }
}

export interface SymbolEntry {
  readonly symbol: string;
  readonly path: string;
  readonly anchor: string | null;
  readonly chunkId: string;
  readonly line: number;
}

export interface SymbolChunk {
  readonly path: string;
  readonly chunk: Omit<Chunk, 'text' | 'contentHash' | 'jsonPath'>;
  /** The page's outline, for anchors of symbols that share a chunk; without it they get the chunk's anchor. */
  readonly outline?: readonly OutlineEntry[];
}

/** Exact matches first, then by symbol, then in entry order. A symbol that spans several chunks is listed once. */
export function listSymbols(
  { entries }: { readonly entries: readonly SymbolChunk[] },
  filter: SearchFilter = {},
): SymbolEntry[] {
  const { symbolPrefix = '' } = filter;
  const symbols: SymbolEntry[] = [];
  const seen = new Set<string>();
  for (const entry of entries) {
    if (!matchesFilter(filter, entry)) continue;
    const { id, lines } = entry.chunk;
    for (const { symbol, anchor } of namesOf(entry)) {
      const key = [entry.path, symbol, anchor].join('\n');
      if (seen.has(key) || !symbolStartsWith(symbol, symbolPrefix)) continue;
      seen.add(key);
      symbols.push({ symbol, path: entry.path, anchor, chunkId: shortChunkId(id), line: lines.first });
    }
  }
  const exact = new Set(symbols.filter(({ symbol }) => isExactSymbol(symbol, symbolPrefix)));
  return symbols.sort(
    (left, right) => Number(exact.has(right)) - Number(exact.has(left)) || compareText(left.symbol, right.symbol),
  );
}

function namesOf({ chunk, outline = [] }: SymbolChunk): readonly DefinedName[] {
  const { symbol: symbols, anchor } = chunk;
  const names = symbols === null ? [] : splitSymbols(symbols);
  if (names.length < 2) return names.map((symbol) => ({ symbol, anchor }));
  const entry = outline.find(
    ({ anchor: own, definition }) =>
      own === anchor && definition !== undefined && definedSymbols(definition) === symbols,
  );
  const anchors = new Map(entry?.definition?.others?.map((other) => [other.symbol, other.anchor]));
  return names.map((symbol) => ({ symbol, anchor: anchors.get(symbol) ?? anchor }));
}

interface ChunkSection {
  readonly headings: readonly string[];
  readonly anchor: string | null;
  readonly line: number;
  readonly tokens: number;
}

/**
 * The sections inside a chunk, in text order: a short page is one chunk, and all its headings are listed. The first section
 * is the chunk's own; the others begin at headings inside it.
 */
function chunkSections(chunk: Chunk): ChunkSection[] {
  const { headings, anchor, lines, text } = chunk;
  const starts = innerHeadings(chunk);
  const own = { headings, anchor, line: lines.first, tokens: chunk.tokens };
  if (starts.length === 0) return [own];
  const tokensUpTo = (from: number, next: number): number => estimateTokens(text.slice(from, starts[next]?.start));
  return [
    { ...own, tokens: tokensUpTo(0, 0) },
    ...starts.map(({ start, ...section }, nth) => ({ ...section, tokens: tokensUpTo(start, nth + 1) })),
  ];
}

function outlinedSections(chunk: OutlinedChunk, onPage: readonly PageSection[]): ChunkSection[] {
  const { passageKind, headings, anchor, lines, tokens } = chunk;
  const own = { headings, anchor, line: lines.first, tokens };
  if (passageKind !== 'prose' && passageKind !== 'table') return [own];
  const inside = onPage.filter(({ line }) => line > lines.first && line <= lines.last);
  const sections: readonly ChunkSection[] = [own, ...inside.map((section) => ({ ...section, tokens: 0 }))];
  const total = lines.last - lines.first + 1;
  return sections.map((section, nth) => {
    const end = sections[nth + 1]?.line ?? lines.last + 1;
    return { ...section, tokens: Math.round((tokens * (end - section.line)) / total) };
  });
}

interface HeadingPath {
  /** The headings from the title down to this one. */
  enter(heading: { readonly level: number; readonly text: string }, isFirst: boolean): string[];
}

function createHeadingPath(headings: readonly string[]): HeadingPath {
  const above: Array<{ readonly level: number; readonly text: string }> = [];
  let base = headings;
  return {
    enter({ level, text }, isFirst) {
      while ((above.at(-1)?.level ?? 0) >= level) above.pop();
      above.push({ level, text });
      // The heading that the chunk begins with is the last of its path.
      if (isFirst && text === headings.at(-1)) base = headings.slice(0, -1);
      return [...base, ...above.map((ancestor) => ancestor.text)];
    },
  };
}

interface InnerSection extends Omit<ChunkSection, 'tokens'> {
  readonly start: number;
}

function innerHeadings({ passageKind, headings, lines, text }: Chunk): InnerSection[] {
  // In code a line that begins with # is a comment.
  if ((passageKind !== 'prose' && passageKind !== 'table') || !text.includes('\n#')) return [];
  const path = createHeadingPath(headings);
  const inner: InnerSection[] = [];
  scanBlocks(text).forEach(({ kind: block, level, start, end }, nth) => {
    if (block !== 'heading') return;
    const heading = parseHeading(text.slice(start, end));
    const at = path.enter({ level, text: heading.text }, nth === 0);
    if (nth > 0)
      inner.push({ headings: at, anchor: heading.anchor, line: lines.first + countLineBreaks(text, start), start });
  });
  return inner;
}
