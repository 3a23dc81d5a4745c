// The facts of a bundle as five tables that share their strings: directories, heading paths, kinds, files, chunks.
// manifest.min.json and manifest.llm.tsv are two spellings of them.

import { createSlugger } from '../extract/heading-slug.ts';
import type { BundleChunk, BundlePage } from './bundle.ts';

/** A heading below another one; `parent` is -1 for the outermost. */
export type HeadingRow = readonly [parent: number, heading: string];

export interface FileRow {
  /** Of the directory; -1 for a file that lies in none. */
  readonly directory: number;
  readonly name: string;
  readonly hash: string;
  readonly mediaType: string;
  /** Null where the first heading of the file says the same. */
  readonly title: string | null;
  readonly description: string | null;
  readonly language: string | null;
  readonly imageEnding: string | null;
}

export interface ChunkRow {
  readonly ref: string;
  readonly file: number;
  readonly first: number;
  readonly last: number;
  readonly kind: number;
  /** Of the innermost heading; -1 where there is none. */
  readonly heading: number;
  /** `=` where it is what the innermost heading gives by itself. */
  readonly anchor: string | null;
  readonly symbol: string | null;
  readonly address: string | null;
}

export interface BundleTables {
  readonly directories: readonly string[];
  readonly headings: readonly HeadingRow[];
  readonly kinds: readonly string[];
  readonly files: readonly FileRow[];
  readonly chunks: readonly ChunkRow[];
}

export const SAME_AS_HEADING = '=';

export function tablesOf(pages: readonly BundlePage[]): BundleTables {
  const directories = createNumbers<string>((name) => name);
  const headings = createNumbers<HeadingRow>(([parent, heading]) => `${parent} ${heading}`);
  const kinds = createNumbers<string>((name) => name);
  const files: FileRow[] = [];
  const chunks: ChunkRow[] = [];
  for (const page of pages) {
    const file = files.length;
    files.push(fileRow(page, directories.of));
    for (const chunk of page.chunks) {
      const heading = chunk.headings.reduce((parent, text) => headings.of([parent, text]), -1);
      const { ref, lines, symbol, address } = chunk;
      const kind = kinds.of(chunk.kind);
      const anchor = anchorCell(chunk);
      chunks.push({ ref, file, first: lines.first, last: lines.last, kind, heading, anchor, symbol, address });
    }
  }
  return { directories: directories.all, headings: headings.all, kinds: kinds.all, files, chunks };
}

function fileRow(page: BundlePage, numberOf: (directory: string) => number): FileRow {
  const slash = page.path.lastIndexOf('/');
  const { hash, mediaType, description, language, imageEnding } = page;
  return {
    directory: slash === -1 ? -1 : numberOf(page.path.slice(0, slash)),
    name: page.path.slice(slash + 1),
    hash,
    mediaType,
    title: page.title === page.chunks[0]?.headings[0] ? null : page.title,
    description,
    language,
    imageEnding,
  };
}

function anchorCell({ anchor, headings }: BundleChunk): string | null {
  return anchor !== null && anchor === anchorOfHeading(headings.at(-1)) ? SAME_AS_HEADING : anchor;
}

export function anchorOfHeading(heading: string | undefined): string | null {
  return heading === undefined ? null : createSlugger()(heading);
}

export function pathOfFile(file: FileRow, directories: readonly string[]): string {
  return file.directory === -1 ? file.name : `${directories[file.directory] ?? ''}/${file.name}`;
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
