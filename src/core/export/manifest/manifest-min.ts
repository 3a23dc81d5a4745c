// manifest.min.json (format 4): every fact of a bundle for programs that read JSON, with shared strings told once and rows
// as arrays. docs/formats.md names their places.

import type { Bundle, BundleChunk, BundlePage, PageList } from '../bundle/bundle.ts';
import { hashText } from '../hash-text.ts';

type Cell = string | number | null;

/** A heading below another one; the parent is -1 for the outermost. */
type HeadingRow = readonly [parent: number, heading: string];

/** Piece by piece. Each table is a walk over the pages: all rows at once would take many times the memory of their text. */
export function* manifestMin({ about, indexId, pages }: Bundle): Generator<string> {
  const tables = tablesOf(pages);
  const { directories, kinds, headings } = tables;
  const shared = { directories: directories.all, kinds: kinds.all, headings: headings.all };
  yield `${JSON.stringify({ format: 4, index_id: indexId, ...about, ...shared }).slice(0, -1)},"files":`;
  yield* rowPieces(pages, (page) => [fileRow(page, tables)]);
  yield ',"chunks":';
  let file = -1;
  yield* rowPieces(pages, (page) => {
    file += 1;
    return page.chunks.map((chunk) => chunkRow(chunk, file, tables));
  });
  yield '}\n';
}

interface Tables {
  readonly directories: Numbers<string>;
  readonly kinds: Numbers<string>;
  readonly headings: Numbers<HeadingRow>;
}

function tablesOf(pages: PageList): Tables {
  const tables: Tables = {
    directories: createNumbers<string>((name) => name),
    kinds: createNumbers<string>((name) => name),
    headings: createNumbers<HeadingRow>(([parent, heading]) => `${parent} ${heading}`),
  };
  for (const page of pages) {
    fileRow(page, tables);
    for (const chunk of page.chunks) chunkRow(chunk, 0, tables);
  }
  return tables;
}

function* rowPieces(pages: PageList, rowsOf: (page: BundlePage) => ReadonlyArray<readonly Cell[]>): Generator<string> {
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
  const directory = slash === -1 ? -1 : directories.of(page.path.slice(0, slash));
  const { hash, mediaType, title, language, imageEnding } = page;
  const name = page.path.slice(slash + 1);
  return trimmed([directory, name, hashText(hash), kinds.of(mediaType), title, language, imageEnding]);
}

function chunkRow(chunk: BundleChunk, file: number, { kinds, headings }: Tables): readonly Cell[] {
  const { ref, lines, kind, tokens, anchor, symbol, address } = chunk;
  const heading = chunk.headings.reduce((parent, text) => headings.of([parent, text]), -1);
  return trimmed([ref, file, lines.first, lines.last, kinds.of(kind), heading, tokens, anchor, symbol, address]);
}

function trimmed(cells: readonly Cell[]): readonly Cell[] {
  let length = cells.length;
  while (length > 0 && cells[length - 1] === null) length -= 1;
  return cells.slice(0, length);
}

interface Numbers<T> {
  readonly all: T[];
  of(item: T): number;
}

function createNumbers<T>(keyOf: (item: T) => string): Numbers<T> {
  const all: T[] = [];
  const known = new Map<string, number>();
  return {
    all,
    of(item) {
      const key = keyOf(item);
      const number = known.get(key) ?? all.push(item) - 1;
      known.set(key, number);
      return number;
    },
  };
}
