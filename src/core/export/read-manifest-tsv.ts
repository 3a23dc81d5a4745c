// Reads manifest.llm.tsv, row after row.

import type { ChunkKind } from '../model/chunk.ts';
import type { Sha256 } from '../model/hash.ts';
import type { PageFacts } from './bundle/bundle.ts';
import { anchorOfHeading } from './anchor-of-heading.ts';
import { hashOfText } from './hash-text.ts';
import type { Manifest, ManifestChunk } from './manifest/manifest.ts';
import { NO_ANCHOR, SAME_AS_HEADING, TSV_FORMAT, TSV_HEADER, USUAL_KIND } from './manifest/manifest-tsv.ts';
import { readLine } from './tsv-cells.ts';

const KINDS: ReadonlySet<string> = new Set<ChunkKind>(['prose', 'code', 'table', 'data', 'operation', 'image']);
const MAX_DEPTH = 100;

interface Draft {
  readonly facts: PageFacts;
  readonly hasTitle: boolean;
  readonly chunks: ManifestChunk[];
}

interface Reading {
  about: Manifest['about'];
  readonly kinds: Map<string, string>;
  directory: string;
  headings: string[];
  readonly pages: Draft[];
}

/** Null for anything that is not such a manifest. */
export function readManifestTsv(text: string): Manifest | null {
  const lines = text.split('\n');
  const [name, format, indexId] = (lines[0] ?? '').split('\t');
  if (name !== TSV_HEADER || format !== TSV_FORMAT || indexId === undefined) return null;
  const reading: Reading = {
    about: { name: '', version: '', origin: null },
    kinds: new Map(),
    directory: '',
    headings: [],
    pages: [],
  };
  for (const line of lines.slice(1)) if (line !== '' && !readRow(readLine(line), reading)) return null;
  return { about: reading.about, indexId, pages: reading.pages.map(titled) };
}

/** False for a row that cannot be. */
type ReadRow = (cells: readonly string[], reading: Reading) => boolean;

const ROWS: Readonly<Record<string, ReadRow>> = {
  '#': ([name = '', version = '', origin = ''], reading) => {
    reading.about = { name, version, origin: origin || null };
    return true;
  },
  K: ([letter = '', kind = ''], reading) => {
    reading.kinds.set(letter, kind);
    return true;
  },
  D: ([directory = ''], reading) => {
    reading.directory = directory;
    return true;
  },
  F: readFile,
  P: readHeading,
  C: readChunk,
};

/** Rows of a letter that is not known are left to newer readers. */
function readRow([letter = '', ...cells]: string[], reading: Reading): boolean {
  return ROWS[letter]?.(cells, reading) ?? true;
}

function readFile(cells: readonly string[], reading: Reading): boolean {
  const [name = '', hash = '', kind = '', title = '', language = '', imageEnding = ''] = cells;
  const facts: PageFacts = {
    path: reading.directory + name,
    title,
    description: null,
    language: language || null,
    mediaType: reading.kinds.get(kind) ?? '',
    hash: (hashOfText(hash) ?? '') as Sha256,
    imageEnding: imageEnding || null,
  };
  reading.pages.push({ facts, hasTitle: title !== '', chunks: [] });
  reading.headings = [];
  return true;
}

function readHeading([depthCell = '', heading = '']: readonly string[], reading: Reading): boolean {
  const depth = /^\d{1,3}$/.test(depthCell) ? Number(depthCell) : -1;
  if (depth < 0 || depth > MAX_DEPTH || depth > reading.headings.length + 1) return false;
  reading.headings = depth === 0 ? [] : [...reading.headings.slice(0, depth - 1), heading];
  return true;
}

function readChunk(cells: readonly string[], reading: Reading): boolean {
  const [ref = '', lineCell = '', symbol = '', kindCell = '', anchor = '', address = ''] = cells;
  const lines = readLines(lineCell);
  const kind = kindCell === '' ? USUAL_KIND : reading.kinds.get(kindCell);
  const page = reading.pages.at(-1);
  if (page === undefined || lines === null || !isChunkKind(kind)) return false;
  const { headings } = reading;
  const heading = headings.at(-1);
  const names = { anchor: anchorOf(anchor, heading), symbol: symbolOf(symbol, heading), address: address || null };
  page.chunks.push({ ref, stated: null, kind, headings, lines, ...names });
  return true;
}

function isChunkKind(kind: string | undefined): kind is ChunkKind {
  return kind !== undefined && KINDS.has(kind);
}

function anchorOf(cell: string, heading: string | undefined): string | null {
  return cell === NO_ANCHOR ? null : cell || anchorOfHeading(heading);
}

function symbolOf(cell: string, heading: string | undefined): string | null {
  return cell === SAME_AS_HEADING ? (heading ?? null) : cell || null;
}

/** `7` or `7-12`, from 1; null for anything else. */
function readLines(cell: string): { readonly first: number; readonly last: number | null } | null {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(cell);
  if (match === null) return null;
  const first = Number(match[1]);
  const last = match[2] === undefined ? null : Number(match[2]);
  return first < 1 || (last !== null && last < first) ? null : { first, last };
}

function titled({ facts, hasTitle, chunks }: Draft): Manifest['pages'][number] {
  return { facts: hasTitle ? facts : { ...facts, title: chunks[0]?.headings[0] ?? '' }, chunks };
}
