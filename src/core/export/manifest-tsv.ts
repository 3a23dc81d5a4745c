// manifest.llm.tsv (format 4): the facts of a bundle in the fewest tokens. docs/formats.md describes each row.

import type { Bundle } from './bundle.ts';
import type { BundleTables, ChunkRow, FileRow, HeadingRow } from './bundle-tables.ts';
import { readLine, writeLine } from './tsv-cells.ts';

const HEADER = 'llmx_manifest_llm_tsv';
const FORMAT = '4';

/** The header has the three cells that every reader knows; what names the bundle follows after them. */
export function manifestTsv({ about, indexId }: Bundle, tables: BundleTables): string {
  const lines = [
    `${HEADER}\t${FORMAT}\t${indexId}\n`,
    ...tables.directories.map((name, number) => writeLine(['D', number, name])),
    ...tables.kinds.map((name, number) => writeLine(['K', number, name])),
    ...tables.headings.map(([parent, text], number) => writeLine(['P', number, parent === -1 ? '' : parent, text])),
    ...tables.files.map((file, number) => fileLine(number, file)),
    ...tables.chunks.map(chunkLine),
  ];
  lines.splice(1, 0, writeLine(['#', about.name, about.version, about.origin]));
  return lines.join('');
}

function fileLine(number: number, file: FileRow): string {
  const { directory, name, hash, mediaType, title, description, language, imageEnding } = file;
  return writeLine(['F', number, directory, name, hash, mediaType, title, description, language, imageEnding]);
}

function chunkLine({ ref, file, first, last, kind, heading, anchor, symbol, address }: ChunkRow): string {
  const lines = first === last ? `${first}` : `${first}-${last}`;
  return writeLine(['C', ref, file, lines, kind, heading, anchor, symbol, address]);
}

export interface TsvManifest extends BundleTables {
  readonly indexId: string;
  readonly about: Bundle['about'];
}

/** Null for anything that is not such a manifest. */
export function readManifestTsv(text: string): TsvManifest | null {
  const lines = text.split('\n');
  const [name, format, indexId] = (lines[0] ?? '').split('\t');
  if (name !== HEADER || format !== FORMAT || indexId === undefined) return null;
  const rows = new Map<string, string[][]>();
  for (const line of lines.slice(1)) {
    const [letter = '', ...cells] = readLine(line);
    const ofLetter = rows.get(letter) ?? [];
    ofLetter.push(cells);
    rows.set(letter, ofLetter);
  }
  const [about = []] = rows.get('#') ?? [];
  return {
    indexId,
    about: { name: about[0] ?? '', version: about[1] ?? '', origin: cell(about[2]) },
    directories: (rows.get('D') ?? []).map((cells) => cells[1] ?? ''),
    kinds: (rows.get('K') ?? []).map((cells) => cells[1] ?? ''),
    headings: (rows.get('P') ?? []).map((cells): HeadingRow => [number(cells[1] || '-1'), cells[2] ?? '']),
    files: (rows.get('F') ?? []).map(fileOf),
    chunks: (rows.get('C') ?? []).map(chunkOf),
  };
}

function fileOf([, directory, name = '', hash = '', mediaType = '', ...rest]: string[]): FileRow {
  const [title, description, language, imageEnding] = rest.map(cell);
  return {
    directory: number(directory),
    name,
    hash,
    mediaType,
    title: title ?? null,
    description: description ?? null,
    language: language ?? null,
    imageEnding: imageEnding ?? null,
  };
}

function chunkOf([ref = '', file, lines = '', kind, heading, ...rest]: string[]): ChunkRow {
  const [first, last = first] = lines.split('-');
  const [anchor, symbol, address] = rest.map(cell);
  return {
    ref,
    file: number(file),
    first: number(first),
    last: number(last),
    kind: number(kind),
    heading: number(heading),
    anchor: anchor ?? null,
    symbol: symbol ?? null,
    address: address ?? null,
  };
}

function cell(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/** Whatever is no number points at nothing, which the reader of the tables refuses. */
function number(text: string | undefined): number {
  return text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}
