// Writes manifest.min.json (format 4): all metadata of a bundle as compact JSON, with interned strings and rows as arrays.
// docs/formats.md describes the columns.

import type { Bundle, BundleChunk, BundlePage, PageList } from '../bundle/bundle.ts';
import { encodeHash } from './manifest.ts';

type Cell = string | number | null;

/** A heading below another one; the parent is -1 for the outermost. */
type HeadingRow = readonly [parent: number, heading: string];

/** Generated in parts. Each table is a pass over the pages: all rows at once would take many times the memory of their text. */
export function* manifestMin({ meta, indexId, pages }: Bundle): Generator<string> {
  const tables = collectTables(pages);
  const { directories, kinds, headings } = tables;
  const shared = { directories: directories.all, kinds: kinds.all, headings: headings.all };
  yield `${JSON.stringify({ format: 4, index_id: indexId, ...meta, ...shared }).slice(0, -1)},"files":`;
  yield* writeRows(pages, (page) => [fileRow(page, tables)]);
  yield ',"chunks":';
  let file = -1;
  yield* writeRows(pages, (page) => {
    file += 1;
    return page.chunks.map((chunk) => chunkRow(chunk, file, tables));
  });
  yield '}\n';
}

interface Tables {
  readonly directories: InternTable<string>;
  readonly kinds: InternTable<string>;
  readonly headings: InternTable<HeadingRow>;
}

function collectTables(pages: PageList): Tables {
  const tables: Tables = {
    directories: createInternTable<string>((name) => name),
    kinds: createInternTable<string>((name) => name),
    headings: createInternTable<HeadingRow>(([parent, heading]) => `${parent} ${heading}`),
  };
  for (const page of pages) {
    fileRow(page, tables);
    for (const chunk of page.chunks) chunkRow(chunk, 0, tables);
  }
  return tables;
}

function* writeRows(pages: PageList, rowsOf: (page: BundlePage) => ReadonlyArray<readonly Cell[]>): Generator<string> {
  let before = '[';
  for (const page of pages) {
    for (const row of rowsOf(page)) {
      yield before + JSON.stringify(row);
      before = ',';
    }
  }
  yield before === '[' ? '[]' : ']';
}

function fileRow(page: BundlePage, { directories, kinds }: Tables): readonly Cell[] {
  const slash = page.path.lastIndexOf('/');
  const directory = slash === -1 ? -1 : directories.intern(page.path.slice(0, slash));
  const { hash, mediaType, title, language, imageExtension } = page;
  const name = page.path.slice(slash + 1);
  return trimTrailingNulls([
    directory,
    name,
    encodeHash(hash),
    kinds.intern(mediaType),
    title,
    language,
    imageExtension,
  ]);
}

function chunkRow(chunk: BundleChunk, file: number, { kinds, headings }: Tables): readonly Cell[] {
  const { ref, lines, passageKind, tokens, anchor, symbol, jsonPath } = chunk;
  const heading = chunk.headings.reduce((parent, text) => headings.intern([parent, text]), -1);
  return trimTrailingNulls([
    ref,
    file,
    lines.first,
    lines.last,
    kinds.intern(passageKind),
    heading,
    tokens,
    anchor,
    symbol,
    jsonPath,
  ]);
}

function trimTrailingNulls(cells: readonly Cell[]): readonly Cell[] {
  let length = cells.length;
  while (length > 0 && cells[length - 1] === null) length -= 1;
  return cells.slice(0, length);
}

interface InternTable<T> {
  readonly all: T[];
  intern(item: T): number;
}

function createInternTable<T>(keyOf: (item: T) => string): InternTable<T> {
  const all: T[] = [];
  const numbers = new Map<string, number>();
  return {
    all,
    intern(item) {
      const key = keyOf(item);
      const number = numbers.get(key) ?? all.push(item) - 1;
      numbers.set(key, number);
      return number;
    },
  };
}
