// manifest.llm.tsv (format 4): the files and chunks of a bundle, one row each, in few tokens. Rows refer to the tables above them by
// number, so a row that was found by a search still says which file and which lines. No cell has a tab or a line feed in it.

import type { Sha256 } from '../../model/hash.ts';
import { lastLine, type Bundle, type PageList } from '../bundle/bundle.ts';
import { chunkLabel, fileLabel } from '../bundle/labels.ts';
import type { FileKind } from '../../files/file-kind.ts';

const HEADER = 'llmx_manifest_llm_tsv';
const FORMAT = '4';

/** The numbers by which rows and compact chunks refer to files and their kinds. */
export interface ManifestTables {
  readonly pathNumber: ReadonlyMap<string, number>;
  readonly kinds: readonly FileKind[];
  readonly kindNumber: (kind: FileKind) => number;
}

export function manifestTables(pages: PageList): ManifestTables {
  const pathNumber = new Map<string, number>();
  const kinds = new Set<FileKind>();
  for (const { path, kind } of pages) {
    pathNumber.set(path, pathNumber.size);
    kinds.add(kind);
  }
  const sorted = [...kinds].sort();
  return { pathNumber, kinds: sorted, kindNumber: (kind) => sorted.indexOf(kind) };
}

export function* manifestTsv({ indexId, pages }: Bundle): Generator<string> {
  const tables = manifestTables(pages);
  const directories = new Map<string, number>();
  for (const path of tables.pathNumber.keys()) {
    const [directory] = splitPath(path);
    if (!directories.has(directory)) directories.set(directory, directories.size);
  }
  yield row([HEADER, FORMAT, indexId]);
  for (const [directory, number] of directories) yield row(['D', number, directory]);
  for (const [path, number] of tables.pathNumber) {
    const [directory, name] = splitPath(path);
    yield row(['P', number, directories.get(directory) ?? 0, name]);
  }
  for (const [number, kind] of tables.kinds.entries()) yield row(['K', number, kind]);
  yield* fileRows(pages, tables);
  yield* chunkRows(pages, tables);
}

function* fileRows(pages: PageList, { pathNumber, kindNumber }: ManifestTables): Generator<string> {
  for (const page of pages) {
    const { path, kind, chunks } = page;
    const tokens = chunks.reduce((total, chunk) => total + chunk.tokens, 0);
    const numbers = [pathNumber.get(path) ?? 0, kindNumber(kind), chunks.length, tokens, lastLine(page)];
    yield row(['F', ...numbers, fileLabel(page)]);
  }
}

function* chunkRows(pages: PageList, { pathNumber, kindNumber }: ManifestTables): Generator<string> {
  for (const { path, kind, chunks } of pages) {
    const file = [pathNumber.get(path) ?? 0, kindNumber(kind)];
    for (const chunk of chunks) {
      const { ref, lines, tokens } = chunk;
      yield row(['C', ref, ...file, lines.first, lines.last, tokens, chunkLabel(chunk)]);
    }
  }
}

/** The directory is empty or ends in a slash. */
export function splitPath(path: string): readonly [directory: string, name: string] {
  const end = path.lastIndexOf('/') + 1;
  return [path.slice(0, end), path.slice(end)];
}

/** An import restores the empty lines between chunks: a larger number would fill the memory. */
export const MAX_LINE = 20_000_000;

function row(cells: ReadonlyArray<string | number>): string {
  return `${cells.join('\t')}\n`;
}

export interface TsvManifest {
  readonly indexId: Sha256;
  readonly kinds: readonly string[];
  /** Paths by file number. */
  readonly paths: readonly string[];
  readonly files: readonly TsvFile[];
  readonly chunks: readonly TsvChunk[];
}

export interface TsvFile {
  readonly path: string;
  readonly kind: string;
  readonly chunks: number;
  readonly tokens: number;
  readonly lastLine: number;
  readonly label: string;
}

export interface TsvChunk {
  readonly ref: string;
  readonly path: string;
  readonly kind: string;
  readonly lines: { readonly first: number; readonly last: number };
  readonly tokens: number;
  readonly label: string;
}

interface TablesRead {
  readonly directories: string[];
  readonly kinds: string[];
  readonly paths: string[];
  readonly files: TsvFile[];
  readonly chunks: TsvChunk[];
}

/** Null if the text is not such a manifest. */
export function readManifestTsv(text: string): TsvManifest | null {
  const [header = '', ...lines] = text.split('\n');
  const [name, format, indexId, ...more] = header.split('\t');
  if (name !== HEADER || format !== FORMAT || !/^[0-9a-f]{64}$/.test(indexId ?? '') || more.length > 0) return null;
  if (lines.pop() !== '') return null;
  const tables: TablesRead = { directories: [], kinds: [], paths: [], files: [], chunks: [] };
  for (const line of lines) {
    const [letter = '', ...cells] = line.split('\t');
    if (ROWS[letter]?.(cells, tables) !== true) return null;
  }
  const { kinds, paths, files, chunks } = tables;
  return { indexId: indexId as Sha256, kinds, paths, files, chunks };
}

/** Each returns whether the row is valid. */
const ROWS: Readonly<Record<string, (cells: readonly string[], tables: TablesRead) => boolean>> = {
  D: ([number, directory, ...more], { directories }) => append(directories, number, directory, more),
  P: ([number, directoryNumber, name, ...more], { directories, paths }) => {
    const directory = at(directories, directoryNumber);
    return directory !== undefined && name !== undefined && append(paths, number, directory + name, more);
  },
  K: ([number, kind, ...more], { kinds }) => append(kinds, number, kind, more),
  F: readFileRow,
  C: readChunkRow,
};

function readFileRow(cells: readonly string[], { paths, kinds, files }: TablesRead): boolean {
  const [pathCell, kindCell, chunks, tokens, last, label] = cells;
  const [path, kind] = [at(paths, pathCell), at(kinds, kindCell)];
  if (cells.length !== 6 || path === undefined || kind === undefined || label === undefined) return false;
  if (![chunks, tokens, last].every(isCount)) return false;
  files.push({ path, kind, chunks: Number(chunks), tokens: Number(tokens), lastLine: Number(last), label });
  return true;
}

function readChunkRow(cells: readonly string[], { paths, kinds, chunks }: TablesRead): boolean {
  const [ref = '', pathCell, kindCell, firstCell, lastCell, tokens, label] = cells;
  const [path, kind] = [at(paths, pathCell), at(kinds, kindCell)];
  if (cells.length !== 7 || path === undefined || kind === undefined || label === undefined) return false;
  if (![firstCell, lastCell, tokens].every(isCount) || !/^c[0-9a-z]{4,8}$/.test(ref)) return false;
  const lines = { first: Number(firstCell), last: Number(lastCell) };
  if (lines.first < 1 || lines.last < lines.first || lines.last > MAX_LINE) return false;
  chunks.push({ ref, path, kind, lines, tokens: Number(tokens), label });
  return true;
}

function append(
  table: string[],
  number: string | undefined,
  value: string | undefined,
  more: readonly string[],
): boolean {
  if (value === undefined || more.length > 0 || number !== String(table.length)) return false;
  table.push(value);
  return true;
}

function at(table: readonly string[], cell: string | undefined): string | undefined {
  return isCount(cell) ? table[Number(cell)] : undefined;
}

function isCount(cell: string | undefined): cell is string {
  return /^(?:0|[1-9]\d{0,11})$/.test(cell ?? '');
}
