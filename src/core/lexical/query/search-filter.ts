// Restricts a search, an outline or a symbol list to part of the library.

import type { Chunk, PassageKind } from '../../model/chunk.ts';
import type { PageKindName } from '../../model/document.ts';
import type { FileKind } from '../../model/file-kind.ts';
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

/** What a filter is applied to. */
export interface FilterTarget {
  readonly path: string;
  /** As classified by core/classify; null if unknown. A filter by page or file kind admits no target without one. */
  readonly pageKind?: string | null;
  readonly fileKind?: FileKind;
  readonly chunk: Pick<Chunk, 'passageKind' | 'headings' | 'symbol'>;
}

export function matchesFilter(filter: SearchFilter, { path, pageKind, fileKind, chunk }: FilterTarget): boolean {
  const { pathPrefix, pathBases, headingPrefix, symbolPrefix } = filter;
  if (pathPrefix !== undefined && !matchesPath(path, pathPrefix, pathBases)) return false;
  if (!isOneOf(filter.passageKinds, chunk.passageKind)) return false;
  if (!isOneOf(filter.pageKinds, pageKind) || !isOneOf(filter.fileKinds, fileKind)) return false;
  if (headingPrefix !== undefined && !chunk.headings.some((heading) => startsWith(heading, headingPrefix)))
    return false;
  return symbolPrefix === undefined || (chunk.symbol !== null && symbolStartsWith(chunk.symbol, symbolPrefix));
}

function isOneOf(wanted: readonly string[] | undefined, kind: string | null | undefined): boolean {
  return wanted === undefined || wanted.some((one) => one === kind);
}

function startsWith(text: string, prefix: string): boolean {
  return text.toLowerCase().startsWith(prefix.toLowerCase());
}
