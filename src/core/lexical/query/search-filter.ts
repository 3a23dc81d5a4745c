// Restricts a search, an outline or a symbol list to part of the library.

import type { Chunk, PassageKind } from '../../model/chunk.ts';
import type { PageKindName } from '../../model/document.ts';
import type { FileKind } from '../../files/file-kind.ts';
import { matchesPath } from './path-filter.ts';
import { symbolStartsWith } from './symbol-parts.ts';

/** All given conditions must hold. Headings and symbols are case-insensitive, paths are case-sensitive. */
export interface SearchFilter {
  /** A URL, or a path on a site, below a base or inside a folder. */
  readonly pathPrefix?: string;
  /** Folders that a path may also be relative to, by `pathBase`. */
  readonly pathBases?: readonly string[];
  readonly passageKinds?: readonly PassageKind[];
  readonly pageKinds?: readonly PageKindName[];
  readonly fileKinds?: readonly FileKind[];
  /** Any heading of the chunk's heading path starts with it. */
  readonly headingPrefix?: string;
  /** The symbol, or a part of it after a dot, colon or hash, starts with it. */
  readonly symbolPrefix?: string;
}

/** The filters with columns in segments: a bitmap of each segment has the chunks that pass. */
export type ColumnConditions = Omit<SearchFilter, 'headingPrefix' | 'symbolPrefix'>;
/** What is compared with the chunks of the candidates, as the store has them. */
export type ChunkConditions = Pick<SearchFilter, 'headingPrefix' | 'symbolPrefix'>;

/** The two kinds of conditions of a filter; undefined for one that it has none of. */
export function conditionsOf({ headingPrefix, symbolPrefix, ...columns }: SearchFilter): {
  readonly columns: ColumnConditions | undefined;
  readonly chunks: ChunkConditions | undefined;
} {
  const chunks = {
    ...(headingPrefix === undefined ? {} : { headingPrefix }),
    ...(symbolPrefix === undefined ? {} : { symbolPrefix }),
  };
  return { columns: orUndefined(columns), chunks: orUndefined(chunks) };
}

function orUndefined<T extends object>(conditions: T): T | undefined {
  return Object.keys(conditions).length === 0 ? undefined : conditions;
}

/** What a filter is applied to. */
export interface FilterTarget {
  readonly path: string;
  /** As classified by core/classify; null if unknown. A filter by page or file kind admits no target without one. */
  readonly pageKind?: string | null;
  readonly fileKind?: FileKind;
  readonly chunk: Pick<Chunk, 'passageKind' | 'headings' | 'symbol'>;
}

export function matchesFilter(filter: SearchFilter, { path, pageKind, fileKind, chunk }: FilterTarget): boolean {
  const { pathPrefix, pathBases } = filter;
  if (pathPrefix !== undefined && !matchesPath(path, pathPrefix, pathBases)) return false;
  if (!isOneOf(filter.passageKinds, chunk.passageKind)) return false;
  if (!isOneOf(filter.pageKinds, pageKind) || !isOneOf(filter.fileKinds, fileKind)) return false;
  return chunkMatches(filter, chunk);
}

export function chunkMatches(
  { headingPrefix, symbolPrefix }: ChunkConditions,
  { headings, symbol }: Pick<Chunk, 'headings' | 'symbol'>,
): boolean {
  if (headingPrefix !== undefined && !headings.some((heading) => startsWith(heading, headingPrefix))) return false;
  return symbolPrefix === undefined || (symbol !== null && symbolStartsWith(symbol, symbolPrefix));
}

function isOneOf(wanted: readonly string[] | undefined, kind: string | null | undefined): boolean {
  return wanted === undefined || wanted.some((one) => one === kind);
}

function startsWith(text: string, prefix: string): boolean {
  return text.toLowerCase().startsWith(prefix.toLowerCase());
}
