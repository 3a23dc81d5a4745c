// Writes and reads manifest.llm.tsv (format 4): the content of a bundle in as few tokens as possible. A row applies to those
// below it: a directory to the files that follow, a file to its headings, a heading to its chunks. docs/formats.md describes
// each cell.

import type { Bundle, BundleChunk, BundlePage, BundlePageMeta, PageList } from '../bundle/bundle.ts';
import { decodeHash, encodeHash, type Manifest, type ManifestChunk } from './manifest.ts';
import { cleanText } from '../../extract/decode/clean-text.ts';
import { createSlugger } from '../../extract/markdown/headings.ts';
import type { PassageKind } from '../../model/chunk.ts';
import type { Sha256 } from '../../model/hash.ts';

const TSV_HEADER = 'llmx_manifest_llm_tsv';
const TSV_FORMAT = '4';
/** The passage kind that needs no cell. */
const DEFAULT_KIND = 'prose';
/** The symbol is the innermost heading. */
const SAME_AS_HEADING = '=';
/** The chunk has no anchor although it has a heading. */
const NO_ANCHOR = '-';

export function* manifestTsv({ meta, indexId, pages }: Bundle): Generator<string> {
  const kinds = collectKinds(pages);
  const numbers = new Map(kinds.map((kind, number) => [kind, number]));
  yield `${TSV_HEADER}\t${TSV_FORMAT}\t${indexId}\n`;
  yield writeTsvLine(['#', meta.name, meta.version, meta.origin]);
  yield* kinds.map((kind, number) => writeTsvLine(['K', number, kind]));
  let directory = '';
  for (const page of pages) {
    const slash = page.path.lastIndexOf('/');
    const ownDirectory = page.path.slice(0, slash + 1);
    if (ownDirectory !== directory) yield writeTsvLine(['D', ownDirectory]);
    directory = ownDirectory;
    yield fileLine(page, page.path.slice(slash + 1), numbers);
    yield* chunkLines(page, numbers);
  }
}

function collectKinds(pages: PageList): string[] {
  const kinds = new Set<string>([DEFAULT_KIND]);
  for (const { mediaType, chunks } of pages) {
    kinds.add(mediaType);
    for (const { passageKind } of chunks) kinds.add(passageKind);
  }
  return [...kinds];
}

type KindNumbers = ReadonlyMap<string, number>;

function fileLine(page: BundlePage, name: string, kinds: KindNumbers): string {
  const { hash, mediaType, language, imageExtension, chunks } = page;
  const title = page.title === chunks[0]?.headings[0] ? null : page.title;
  return writeTsvLine(['F', name, encodeHash(hash), kinds.get(mediaType) ?? 0, title, language, imageExtension]);
}

function* chunkLines({ chunks }: BundlePage, kinds: KindNumbers): Generator<string> {
  let above: readonly string[] = [];
  for (const chunk of chunks) {
    const { headings } = chunk;
    const shared = sharedDepth(above, headings);
    if (shared < headings.length || headings.length < above.length) yield* headingLines(headings, shared);
    above = headings;
    yield chunkLine(chunk, kinds);
  }
}

function chunkLine(chunk: BundleChunk, kinds: KindNumbers): string {
  const { ref, lines, textLines, headings, jsonPath } = chunk;
  const isWhole = lines.last - lines.first + 1 === textLines;
  const symbol = chunk.symbol !== null && chunk.symbol === headings.at(-1) ? SAME_AS_HEADING : chunk.symbol;
  const kind = kinds.get(chunk.passageKind) ?? 0;
  const where = isWhole ? lines.first : `${lines.first}-${lines.last}`;
  return writeTsvLine(['C', ref, where, symbol, kind === 0 ? null : kind, anchorCell(chunk), jsonPath]);
}

function sharedDepth(above: readonly string[], headings: readonly string[]): number {
  let depth = 0;
  while (depth < headings.length && headings[depth] === above[depth]) depth += 1;
  return depth;
}

/** A path that only became shorter is repeated from its last heading. */
function* headingLines(headings: readonly string[], shared: number): Generator<string> {
  const from = Math.max(0, Math.min(shared, headings.length - 1));
  for (const [nth, heading] of headings.slice(from).entries()) yield writeTsvLine(['P', from + nth + 1, heading]);
  if (headings.length === 0) yield writeTsvLine(['P', 0]);
}

/** Empty if it is the default anchor of the innermost heading. */
function anchorCell({ anchor, headings }: BundleChunk): string | null {
  const ownAnchor = defaultAnchor(headings.at(-1));
  if (anchor === ownAnchor) return null;
  return anchor ?? NO_ANCHOR;
}

const KINDS: ReadonlySet<string> = new Set<PassageKind>(['prose', 'code', 'table', 'data', 'image']);
const MAX_DEPTH = 100;

interface PageDraft {
  readonly meta: BundlePageMeta;
  readonly hasTitle: boolean;
  readonly chunks: ManifestChunk[];
}

interface ParseState {
  meta: Manifest['meta'];
  readonly kinds: Map<string, string>;
  directory: string;
  headings: string[];
  readonly pages: PageDraft[];
}

/** Null if the text is not such a manifest. */
export function readManifestTsv(text: string): Manifest | null {
  const lines = text.split('\n');
  const [name, format, indexId] = (lines[0] ?? '').split('\t');
  if (name !== TSV_HEADER || format !== TSV_FORMAT || indexId === undefined) return null;
  const state: ParseState = {
    meta: { name: '', version: '', origin: null },
    kinds: new Map(),
    directory: '',
    headings: [],
    pages: [],
  };
  for (const line of lines.slice(1)) if (line !== '' && !readRow(readTsvLine(line), state)) return null;
  return { meta: state.meta, indexId, pages: state.pages.map(withTitle) };
}

/** False if the row is invalid. */
type ReadRow = (cells: readonly string[], state: ParseState) => boolean;

const ROWS: Readonly<Record<string, ReadRow>> = {
  '#': ([name = '', version = '', origin = ''], state) => {
    state.meta = { name, version, origin: origin || null };
    return true;
  },
  K: ([letter = '', kind = ''], state) => {
    state.kinds.set(letter, kind);
    return true;
  },
  D: ([directory = ''], state) => {
    state.directory = directory;
    return true;
  },
  F: readFile,
  P: readHeading,
  C: readChunk,
};

/** Unknown row types are ignored, for forward compatibility. */
function readRow([letter = '', ...cells]: string[], state: ParseState): boolean {
  return ROWS[letter]?.(cells, state) ?? true;
}

function readFile(cells: readonly string[], state: ParseState): boolean {
  const [name = '', hash = '', kind = '', title = '', language = '', imageExtension = ''] = cells;
  const meta: BundlePageMeta = {
    path: state.directory + name,
    title,
    description: null,
    language: language || null,
    mediaType: state.kinds.get(kind) ?? '',
    hash: (decodeHash(hash) ?? '') as Sha256,
    imageExtension: imageExtension || null,
  };
  state.pages.push({ meta, hasTitle: title !== '', chunks: [] });
  state.headings = [];
  return true;
}

function readHeading([depthCell = '', heading = '']: readonly string[], state: ParseState): boolean {
  const depth = /^\d{1,3}$/.test(depthCell) ? Number(depthCell) : -1;
  if (depth < 0 || depth > MAX_DEPTH || depth > state.headings.length + 1) return false;
  state.headings = depth === 0 ? [] : [...state.headings.slice(0, depth - 1), heading];
  return true;
}

function readChunk(cells: readonly string[], state: ParseState): boolean {
  const [ref = '', lineCell = '', symbol = '', kindCell = '', anchor = '', jsonPath = ''] = cells;
  const lines = readLines(lineCell);
  const kind = kindCell === '' ? DEFAULT_KIND : state.kinds.get(kindCell);
  const page = state.pages.at(-1);
  if (page === undefined || lines === null || !isPassageKind(kind)) return false;
  const { headings } = state;
  const heading = headings.at(-1);
  const names = { anchor: anchorOf(anchor, heading), symbol: symbolOf(symbol, heading), jsonPath: jsonPath || null };
  page.chunks.push({ ref, declared: null, passageKind: kind, headings, lines, ...names });
  return true;
}

function isPassageKind(kind: string | undefined): kind is PassageKind {
  return kind !== undefined && KINDS.has(kind);
}

function anchorOf(cell: string, heading: string | undefined): string | null {
  return cell === NO_ANCHOR ? null : cell || defaultAnchor(heading);
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

function withTitle({ meta, hasTitle, chunks }: PageDraft): Manifest['pages'][number] {
  return { meta: hasTitle ? meta : { ...meta, title: chunks[0]?.headings[0] ?? '' }, chunks };
}

function writeTsvLine(cells: ReadonlyArray<string | number | null>): string {
  const written = cells.map((cell) => (cell === null ? '' : escapeCell(String(cell))));
  while (written.at(-1) === '') written.pop();
  return `${written.join('\t')}\n`;
}

function readTsvLine(line: string): string[] {
  const cells = line.split('\t');
  return cells.map((cell) => cleanText(cell.includes('\\') ? cell.replaceAll(/\\(.)/g, unescapeChar) : cell));
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const UNESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

function escapeCell(cell: string): string {
  return /[\\\t\n\r]/.test(cell) ? cell.replaceAll(/[\\\t\n\r]/g, (char) => ESCAPES[char] ?? char) : cell;
}

function unescapeChar(_: string, char: string): string {
  return UNESCAPES[char] ?? char;
}

/** The anchor that a heading gets if no other heading with the same text precedes it. */
function defaultAnchor(heading: string | undefined): string | null {
  return heading === undefined ? null : createSlugger()(heading);
}
