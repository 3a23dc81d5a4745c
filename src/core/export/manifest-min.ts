// manifest.min.json (format 4): every fact of a bundle for programs that read JSON, with shared strings told once and rows
// as arrays. docs/formats.md names their places.

import type { Bundle, BundleChunk, BundlePage } from './bundle.ts';
import { hashText } from './hash-text.ts';

type Cell = string | number | null;

/** A heading below another one; the parent is -1 for the outermost. */
type HeadingRow = readonly [parent: number, heading: string];

export function manifestMin({ about, indexId, pages }: Bundle): string {
  const directories = createNumbers<string>((name) => name);
  const headings = createNumbers<HeadingRow>(([parent, heading]) => `${parent} ${heading}`);
  const kinds = createNumbers<string>((name) => name);
  const files: Array<readonly Cell[]> = [];
  const chunks: Array<readonly Cell[]> = [];
  for (const page of pages) {
    files.push(fileRow(page, directories, kinds));
    for (const chunk of page.chunks) {
      const heading = chunk.headings.reduce((parent, text) => headings.of([parent, text]), -1);
      chunks.push(chunkRow(chunk, [files.length - 1, kinds.of(chunk.kind), heading]));
    }
  }
  const tables = { directories: directories.all, kinds: kinds.all, headings: headings.all, files, chunks };
  return `${JSON.stringify({ format: 4, index_id: indexId, ...about, ...tables })}\n`;
}

function fileRow(page: BundlePage, directories: Numbers<string>, kinds: Numbers<string>): readonly Cell[] {
  const slash = page.path.lastIndexOf('/');
  const directory = slash === -1 ? -1 : directories.of(page.path.slice(0, slash));
  const { hash, mediaType, title, language, imageEnding } = page;
  const name = page.path.slice(slash + 1);
  return trimmed([directory, name, hashText(hash), kinds.of(mediaType), title, language, imageEnding]);
}

function chunkRow(
  { ref, lines, tokens, anchor, symbol, address }: BundleChunk,
  [file, kind, heading]: readonly [number, number, number],
): readonly Cell[] {
  return trimmed([ref, file, lines.first, lines.last, kind, heading, tokens, anchor, symbol, address]);
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
