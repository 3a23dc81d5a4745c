// Narrows a search, an outline or a list of symbols to part of the library.

import type { Chunk, ChunkKind } from '../../model/chunk.ts';

/** All that are given must hold. Headings and symbols do not mind upper and lower case; paths do. */
export interface SearchFilter {
  readonly pathPrefix?: string;
  readonly kinds?: readonly ChunkKind[];
  /** Some heading of the path starts with it. */
  readonly headingPrefix?: string;
  /** The symbol, or a part of it after a dot or colons, starts with it. */
  readonly symbolPrefix?: string;
}

/** What a filter looks at. */
export interface Filtered {
  readonly path: string;
  readonly chunk: Pick<Chunk, 'kind' | 'headings' | 'symbol'>;
}

export function admits(filter: SearchFilter, { path, chunk }: Filtered): boolean {
  const { pathPrefix, kinds, headingPrefix, symbolPrefix } = filter;
  if (pathPrefix !== undefined && !path.startsWith(pathPrefix)) return false;
  if (kinds !== undefined && !kinds.includes(chunk.kind)) return false;
  if (headingPrefix !== undefined && !chunk.headings.some((heading) => startsWith(heading, headingPrefix)))
    return false;
  return symbolPrefix === undefined || (chunk.symbol !== null && symbolStartsWith(chunk.symbol, symbolPrefix));
}

function startsWith(text: string, prefix: string): boolean {
  return text.toLowerCase().startsWith(prefix.toLowerCase());
}

function symbolStartsWith(symbol: string, prefix: string): boolean {
  if (startsWith(symbol, prefix)) return true;
  for (let at = nextPart(symbol, 0); at !== -1; at = nextPart(symbol, at)) {
    if (startsWith(symbol.slice(at), prefix)) return true;
  }
  return false;
}

function nextPart(symbol: string, from: number): number {
  for (let at = from; at < symbol.length - 1; at += 1) {
    const code = symbol.charCodeAt(at);
    if (code === 0x2e || code === 0x3a || code === 0x23) return at + 1;
  }
  return -1;
}
