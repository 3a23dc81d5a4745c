// What a library holds, without a query: a chunk by its name, the outline of pages, the symbols.

import { chunkRef, shortChunkId } from '../chunk/chunk-names.ts';
import { chunkSections } from '../lexical/chunk-sections.ts';
import type { IndexEntry, LexicalIndex } from '../lexical/standalone/lexical-index.ts';
import { admits, type SearchFilter } from '../lexical/query/search-filter.ts';

/** By id, by an unambiguous beginning of it of at least 12 digits, or by ref. */
export function getChunk(index: LexicalIndex, name: string): IndexEntry | null {
  if (/^c[0-9a-z]{4,8}$/.test(name)) {
    const position = Number.parseInt(name.slice(1), 36) - 1;
    const entry = index.entries[position];
    return entry !== undefined && chunkRef(position) === name ? entry : null;
  }
  if (!/^[0-9a-f]{12,64}$/.test(name)) return null;
  const found = index.entries.filter(({ chunk }) => chunk.id.startsWith(name));
  return found.length === 1 ? (found[0] ?? null) : null;
}

export interface OutlinePage {
  readonly path: string;
  readonly title: string;
  readonly sections: readonly OutlineSection[];
}

export interface OutlineSection {
  /** From below the title down. */
  readonly headings: readonly string[];
  readonly anchor: string | null;
  /** Short id of the chunk that the section begins in. */
  readonly chunk: string;
  readonly line: number;
  /** Of all chunks of the section. */
  readonly tokens: number;
}

/** Pages in the order of their paths, sections in the order of the page; chunks of one section are one entry. */
export function listOutline(index: Pick<LexicalIndex, 'entries'>, filter: SearchFilter = {}): OutlinePage[] {
  const pages: Array<OutlinePage & { readonly sections: OutlineSection[] }> = [];
  for (const entry of index.entries) {
    if (!admits(filter, entry)) continue;
    let page = pages.at(-1);
    if (page?.path !== entry.path) {
      page = { path: entry.path, title: entry.title, sections: [] };
      pages.push(page);
    }
    addSections(page.sections, entry);
  }
  return pages;
}

function addSections(sections: OutlineSection[], { title, chunk }: IndexEntry): void {
  for (const { headings: path, anchor, line, tokens } of chunkSections(chunk)) {
    const headings = path[0] === title ? path.slice(1) : path;
    const last = sections.at(-1);
    if (last !== undefined && last.anchor === anchor && last.headings.join('\n') === headings.join('\n'))
      sections[sections.length - 1] = { ...last, tokens: last.tokens + tokens };
    else sections.push({ headings, anchor, chunk: shortChunkId(chunk.id), line, tokens });
  }
}

export interface SymbolEntry {
  readonly symbol: string;
  readonly path: string;
  readonly anchor: string | null;
  readonly chunk: string;
  readonly line: number;
}

/** Sorted by symbol, then by the order of the entries. A symbol cut into several chunks is listed once. */
export function listSymbols(index: Pick<LexicalIndex, 'entries'>, filter: SearchFilter = {}): SymbolEntry[] {
  const symbols: SymbolEntry[] = [];
  const seen = new Set<string>();
  for (const entry of index.entries) {
    const { symbol, anchor, id, lines } = entry.chunk;
    if (symbol === null || !admits(filter, entry)) continue;
    const key = `${entry.path}\n${symbol}`;
    if (seen.has(key)) continue;
    seen.add(key);
    symbols.push({ symbol, path: entry.path, anchor, chunk: shortChunkId(id), line: lines.first });
  }
  return symbols.sort((left, right) => (left.symbol < right.symbol ? -1 : Number(left.symbol > right.symbol)));
}
