// The data of a segment for filters by kind and path, as two columns of bytes: a filter over a whole library reads one or both of
// them per segment, and no chunk. A segment never changes, and its columns neither. Headings and symbols are compared with the store.

import { chunkPath } from '../../chunk/chunk-names.ts';
import { PASSAGE_KINDS, type Chunk } from '../../model/chunk.ts';
import { PAGE_KINDS } from '../../model/document.ts';
import { FILE_KINDS, fileKindOf } from '../../files/file-kind.ts';
import type { PageUrl } from '../../model/page-url.ts';
import { createPathMatcher, pathNeedle } from '../query/path-filter.ts';
import type { ColumnConditions } from '../query/search-filter.ts';
import type { SegmentShape } from './segment.ts';

/** `kinds`: a byte for each page, its kind and that of its file, then a byte for each chunk. `urls`: of the pages, one per line. */
export type FilterField = 'kinds' | 'urls';
export type SegmentColumns = ReadonlyMap<FilterField, Uint8Array>;

export interface FilterablePage {
  readonly url: PageUrl;
  readonly pageKind: string | null;
  readonly mediaType: string;
  /** Chunks in page order. */
  readonly chunks: ReadonlyArray<Pick<Chunk, 'passageKind'>>;
}

/** Stands for pages that left the segment, and for kinds that this program does not know. */
const NO_KIND = 0;
const FILE_KIND_SHIFT = 4;
const PAGE_KIND_BITS = 0xf;

/** By page index; a page that was removed is left out. */
export function encodeFilterColumns(
  { chunks, pageStarts }: SegmentShape,
  pages: ReadonlyMap<number, FilterablePage>,
): SegmentColumns {
  const count = pageStarts.length - 1;
  const kinds = new Uint8Array(count + chunks);
  const urls = Array.from({ length: count }, (_, at) => pages.get(at)?.url ?? '');
  for (const [at, page] of [...pages].sort(([left], [right]) => left - right)) {
    kinds[at] = codeOf(PAGE_KINDS, page.pageKind) | (codeOf(FILE_KINDS, fileKindOf(page.mediaType)) << FILE_KIND_SHIFT);
    const start = pageStarts[at] ?? 0;
    // A page that was stored again has other chunks, and is about to be indexed again.
    const size = (pageStarts[at + 1] ?? 0) - start;
    for (const [ordinal, { passageKind }] of page.chunks.slice(0, size).entries())
      kinds[count + start + ordinal] = codeOf(PASSAGE_KINDS, passageKind);
  }
  return new Map([
    ['kinds', kinds],
    ['urls', new TextEncoder().encode(urls.join('\n'))],
  ]);
}

function codeOf(known: readonly string[], kind: string | null): number {
  return kind === null ? NO_KIND : known.indexOf(kind) + 1;
}

/** Sets what does not pass to 0: a byte for each chunk. */
type Exclude = (admitted: Uint8Array, shape: SegmentShape, columns: SegmentColumns) => void;

export interface ColumnFilter {
  /** The columns that it reads. */
  readonly fields: readonly FilterField[];
  /** One bit per chunk that passes; null if none does. */
  readonly mask: (shape: SegmentShape, columns: SegmentColumns) => Uint8Array | null;
}

export function createColumnFilter(filter: ColumnConditions): ColumnFilter {
  const { pathPrefix, pathBases, passageKinds, pageKinds, fileKinds } = filter;
  const fields = new Set<FilterField>();
  const excludes: Exclude[] = [];
  const use = (field: FilterField, exclude: Exclude): void => {
    fields.add(field);
    excludes.push(exclude);
  };
  if (pathPrefix !== undefined) use('urls', byPath(pathPrefix, pathBases));
  if (pageKinds !== undefined)
    use(
      'kinds',
      byPageByte((byte) => byte & PAGE_KIND_BITS, codes(PAGE_KINDS, pageKinds)),
    );
  if (fileKinds !== undefined)
    use(
      'kinds',
      byPageByte((byte) => byte >>> FILE_KIND_SHIFT, codes(FILE_KINDS, fileKinds)),
    );
  if (passageKinds !== undefined) use('kinds', byPassageKind(codes(PASSAGE_KINDS, passageKinds)));
  return {
    fields: [...fields],
    mask(shape, columns) {
      // In whole groups of eight, which are packed without looking beyond the end.
      const admitted = new Uint8Array(Math.ceil(shape.chunks / 8) * 8).fill(1, 0, shape.chunks);
      for (const exclude of excludes) exclude(admitted, shape, columns);
      return packBits(admitted);
    },
  };
}

/** 1 at the code of each wanted kind. */
function codes(known: readonly string[], wanted: readonly string[]): Uint8Array {
  const isWanted = new Uint8Array(known.length + 1);
  for (const kind of wanted) if (known.includes(kind)) isWanted[codeOf(known, kind)] = 1;
  return isWanted;
}

const EMPTY = new Uint8Array();

/** Most segments, and most pages of the others, cannot match, which is quickly seen. */
function byPath(prefix: string, bases: readonly string[] = []): Exclude {
  const matches = createPathMatcher(prefix, bases);
  const needle = pathNeedle(prefix);
  const mayMatch = (text: string): boolean => text.includes(needle) || text.includes('%');
  return (admitted, { pageStarts }, columns) => {
    const text = new TextDecoder().decode(columns.get('urls') ?? EMPTY);
    const urls = mayMatch(text) ? text.split('\n') : [];
    excludePages(admitted, pageStarts, (page) => {
      const url = urls[page] ?? '';
      return url !== '' && mayMatch(url) && matches(chunkPath(url as PageUrl));
    });
  };
}

function byPageByte(codeOfByte: (byte: number) => number, isWanted: Uint8Array): Exclude {
  return (admitted, { pageStarts }, columns) => {
    const kinds = columns.get('kinds') ?? EMPTY;
    excludePages(admitted, pageStarts, (page) => isWanted[codeOfByte(kinds[page] ?? NO_KIND)] === 1);
  };
}

function excludePages(admitted: Uint8Array, pageStarts: Uint32Array, passes: (page: number) => boolean): void {
  for (let page = 0; page + 1 < pageStarts.length; page += 1)
    if (!passes(page)) admitted.fill(0, pageStarts[page], pageStarts[page + 1]);
}

function byPassageKind(isWanted: Uint8Array): Exclude {
  return (admitted, { pageStarts, chunks }, columns) => {
    const kinds = columns.get('kinds') ?? EMPTY;
    const first = pageStarts.length - 1;
    for (let chunk = 0; chunk < chunks; chunk += 1)
      admitted[chunk] = (admitted[chunk] ?? 0) & (isWanted[kinds[first + chunk] ?? NO_KIND] ?? 0);
  };
}

function packBits(admitted: Uint8Array): Uint8Array | null {
  const bits = new Uint8Array(admitted.length / 8);
  let any = 0;
  for (let byte = 0; byte < bits.length; byte += 1) {
    let packed = 0;
    for (let bit = 0; bit < 8; bit += 1) packed |= (admitted[byte * 8 + bit] ?? 0) << bit;
    bits[byte] = packed;
    any |= packed;
  }
  return any === 0 ? null : bits;
}
