// Reads a bundle by the specification of its formats, without our writers and readers: every row, column and line is
// checked, and what it cannot read is an error. Tests compare what it read with the library the bundle was made from.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readChunkFile, type SpecifiedChunkFile } from './specified-chunk-file.ts';

const kinds = ['markdown', 'json', 'java_script', 'html', 'text', 'image', 'unknown'];
const listed = new Set([
  'llm.md',
  'outline.md',
  'catalog.llm.md',
  'index.json',
  'manifest.json',
  'manifest.min.json',
  'manifest.llm.tsv',
]);

export interface SpecifiedChunk {
  readonly ref: string;
  readonly path: string;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly label: string;
}

export interface SpecifiedFile {
  readonly path: string;
  readonly kind: string;
  readonly chunks: number;
  readonly tokens: number;
  readonly end: number;
  readonly label: string;
}

export interface SpecifiedBundle {
  readonly indexId: string;
  readonly files: readonly SpecifiedFile[];
  readonly chunks: readonly SpecifiedChunk[];
  readonly bodies: ReadonlyMap<string, SpecifiedChunkFile>;
  /** The index of the full layout; null in the compact one. */
  readonly index: SpecifiedIndex | null;
}

/** `others` are the files of a bundle that the specification does not name: the reader must not need them. */
export function readSpecifiedBundle(
  entries: ReadonlyMap<string, Uint8Array>,
  others: readonly string[],
): SpecifiedBundle {
  const text = (name: string): string => new TextDecoder('utf-8', { fatal: true }).decode(mustHave(entries, name));
  for (const name of entries.keys()) {
    const known =
      listed.has(name) ||
      others.includes(name) ||
      /^chunks\/c[0-9a-z]{4,}\.md$/.test(name) ||
      name.startsWith('images/');
    if (!known) throw new Error(`the specification has no file ${name}`);
  }
  const manifest = readTsv(text('manifest.llm.tsv'));
  const bodies = new Map(manifest.chunks.map((row) => [row.ref, readChunkFile(text(`chunks/${row.ref}.md`))]));
  const chunkFiles = [...entries.keys()].filter((name) => name.startsWith('chunks/')).length;
  if (chunkFiles !== manifest.chunks.length)
    throw new Error(`${chunkFiles} chunk files, ${manifest.chunks.length} rows`);
  for (const name of ['manifest.llm.tsv', 'chunks/'])
    if (!text('llm.md').includes(name)) throw new Error(`llm.md does not point at ${name}`);
  checkRefs(manifest.chunks);

  const isFull = entries.has('index.json');
  for (const row of manifest.chunks) checkChunkFile(row, bodies.get(row.ref)!, manifest, isFull);
  if (!isFull) {
    for (const name of ['outline.md', 'manifest.json', 'manifest.min.json'])
      if (entries.has(name)) throw new Error(`a compact bundle with ${name}`);
    return { ...manifest, bodies, index: null };
  }
  const index = readIndex(text('index.json'), manifest);
  checkManifest(text('manifest.json'), 2, index, manifest);
  checkManifest(text('manifest.min.json'), 4, index, manifest);
  checkOutline(text('outline.md'), manifest);
  checkAssets(index, entries);
  return { ...manifest, bodies, index };
}

interface Tsv {
  readonly indexId: string;
  readonly paths: readonly string[];
  readonly kinds: readonly string[];
  readonly files: readonly SpecifiedFile[];
  readonly chunks: readonly SpecifiedChunk[];
}

function readTsv(text: string): Tsv {
  if (!text.endsWith('\n')) throw new Error('the last row has no end');
  const [header, ...rows] = text
    .slice(0, -1)
    .split('\n')
    .map((line) => line.split('\t'));
  if (header!.length !== 3 || header![0] !== 'llmx_manifest_llm_tsv' || header![1] !== '4')
    throw new Error('not the header of version 4');
  if (!/^[0-9a-f]{64}$/.test(header![2]!)) throw new Error('no index id');
  const dirs: string[] = [];
  const tsv = {
    indexId: header![2]!,
    paths: [] as string[],
    kinds: [] as string[],
    files: [] as SpecifiedFile[],
    chunks: [] as SpecifiedChunk[],
  };
  let order = 'D';
  for (const [letter, ...cells] of rows) {
    if ('DPKFC'.indexOf(letter!) < 'DPKFC'.indexOf(order)) throw new Error(`a ${letter} row after a ${order} row`);
    order = letter!;
    if (letter === 'D') append(dirs, cells, 2, cells[1]!);
    else if (letter === 'P') append(tsv.paths, cells, 3, at(dirs, cells[1]!) + cells[2]!);
    else if (letter === 'K') append(tsv.kinds, cells, 2, oneOf(kinds, cells[1]!));
    else if (letter === 'F') {
      cellCount(cells, 6);
      const [path, kind, chunks, tokens, end, label] = cells as [string, string, string, string, string, string];
      tsv.files.push({
        path: at(tsv.paths, path),
        kind: at(tsv.kinds, kind),
        chunks: count(chunks),
        tokens: count(tokens),
        end: count(end),
        label,
      });
    } else if (letter === 'C') {
      cellCount(cells, 7);
      const [ref, path, kind, start, end, tokens, label] = cells as [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
      ];
      tsv.chunks.push({
        ref,
        path: at(tsv.paths, path),
        kind: at(tsv.kinds, kind),
        start: count(start),
        end: count(end),
        tokens: count(tokens),
        label,
      });
    } else throw new Error(`no such row: ${letter}`);
  }
  checkFileRows(tsv);
  return tsv;
}

function checkFileRows(tsv: Tsv): void {
  if (new Set(tsv.paths).size !== tsv.paths.length) throw new Error('a path twice');
  for (const file of tsv.files) {
    const own = tsv.chunks.filter((chunk) => chunk.path === file.path);
    const sum = own.reduce((total, chunk) => total + chunk.tokens, 0);
    const end = own.reduce((last, chunk) => Math.max(last, chunk.end), 0);
    if (own.length !== file.chunks || sum !== file.tokens || end !== file.end)
      throw new Error(`the F row of ${file.path} does not sum its chunks`);
    if (own.some((chunk) => chunk.kind !== file.kind)) throw new Error(`${file.path} has two kinds`);
  }
  const summed = new Set(tsv.files.map((file) => file.path));
  if (tsv.chunks.some((chunk) => !summed.has(chunk.path))) throw new Error('a chunk of a file without an F row');
}

/** Refs count in base 36, by path, then lines. */
function checkRefs(chunks: readonly SpecifiedChunk[]): void {
  let before: SpecifiedChunk | null = null;
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.ref !== `c${(index + 1).toString(36).padStart(4, '0')}`)
      throw new Error(`${chunk.ref} is not ref ${index + 1}`);
    const isOrdered =
      before === null ||
      before.path < chunk.path ||
      (before.path === chunk.path &&
        (before.start < chunk.start || (before.start === chunk.start && before.end <= chunk.end)));
    if (!isOrdered) throw new Error(`${chunk.ref} is out of order`);
    if (chunk.end < chunk.start) throw new Error(`${chunk.ref} ends before it starts`);
    before = chunk;
  }
}

function checkChunkFile(row: SpecifiedChunk, file: SpecifiedChunkFile, manifest: Tsv, isFull: boolean): void {
  if ((file.layout === 'full') !== isFull) throw new Error(`${row.ref} has the form of the other bundle`);
  if (file.ref !== row.ref || file.start !== row.start || file.end !== row.end)
    throw new Error(`${row.ref}: the head of its file differs`);
  const path = file.layout === 'full' ? file.path : at(manifest.paths, file.path);
  const kind = file.layout === 'full' ? file.kind : at(manifest.kinds, file.kind);
  if (path !== row.path || kind !== row.kind) throw new Error(`${row.ref} names another file`);
  if (file.layout === 'compact' && file.label !== row.label) throw new Error(`${row.ref} has two labels`);
}

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const IndexChunk = z.strictObject({
  id: Hash,
  short_id: z.string().regex(/^[0-9a-f]{12}$/),
  slug: z.string().min(1).max(60),
  path: z.string().min(1),
  kind: z.enum(kinds as [string, ...string[]]),
  chunk_index: z.int().min(0),
  start_line: z.int().min(1),
  end_line: z.int().min(1),
  content: z.string(),
  content_hash: Hash,
  token_estimate: z.int().min(0),
  heading_path: z.array(z.string()),
  symbol: z.string().nullable(),
  address: z.string().nullable(),
  asset_path: z.string().startsWith('images/').nullable(),
});
const Index = z.strictObject({
  version: z.int(),
  index_id: Hash,
  files: z.array(z.looseObject({ path: z.string(), kind: z.string() })),
  chunks: z.array(IndexChunk),
  chunk_refs: z.record(Hash, z.string()),
  inverted_index: z.record(
    z.string(),
    z.array(z.strictObject({ ref: z.string(), tf: z.int().min(1), doc_len: z.int().min(1) })).min(1),
  ),
  stats: z.record(z.string(), z.number()),
  warnings: z.array(z.looseObject({ path: z.string(), message: z.string() })),
});
export type SpecifiedIndex = z.infer<typeof Index>;

function readIndex(text: string, manifest: Tsv): SpecifiedIndex {
  const index = Index.parse(JSON.parse(text));
  if (/\n/.test(text.trimEnd())) throw new Error('index.json is pretty-printed');
  if (index.index_id !== manifest.indexId) throw new Error('index.json has another index id');
  if (index.chunks.length !== manifest.chunks.length) throw new Error('index.json has other chunks');
  checkIds(index);
  for (const [position, chunk] of index.chunks.entries()) {
    const row = manifest.chunks[position]!;
    if (index.chunk_refs[chunk.id] !== row.ref) throw new Error(`chunk_refs does not give ${row.ref}`);
    const hash = sha256(chunk.content);
    if (chunk.content_hash !== hash || chunk.short_id !== chunk.id.slice(0, 12)) throw new Error(`${row.ref}: hashes`);
    const same = [chunk.path, chunk.kind, chunk.start_line, chunk.end_line, chunk.token_estimate];
    if (same.join('\t') !== [row.path, row.kind, row.start, row.end, row.tokens].join('\t'))
      throw new Error(`${row.ref} differs from its row`);
    if (Math.abs(chunk.token_estimate - chunk.content.length / 4) > 1)
      throw new Error(`${row.ref}: tokens are not characters over four`);
  }
  if (new Set(index.files.map((file) => file.path)).size !== index.files.length)
    throw new Error('a file twice in index.json');
  return index;
}

/** Occurrences of a text are counted in the order of the file, which is that of `chunk_index`. */
function checkIds({ chunks }: SpecifiedIndex): void {
  for (const [path, own] of Map.groupBy(chunks, (chunk) => chunk.path)) {
    const occurrences = new Map<string, number>();
    for (const [position, chunk] of own.toSorted((a, b) => a.chunk_index - b.chunk_index).entries()) {
      if (chunk.chunk_index !== position) throw new Error(`${path}: chunk ${position} is missing`);
      const nth = occurrences.get(chunk.content_hash) ?? 0;
      occurrences.set(chunk.content_hash, nth + 1);
      if (chunk.id !== sha256(`${path}\n${chunk.content_hash}\n${nth}`))
        throw new Error(`${path}: the id of chunk ${position}`);
    }
  }
}

const minColumns = [
  'ref',
  'slug',
  'path_i',
  'kind_i',
  'chunk_index',
  'start_line',
  'end_line',
  'token_estimate',
  'heading_last',
  'symbol',
  'address',
  'asset_path',
];
const columns = [
  ...minColumns.slice(0, 1),
  'id',
  'short_id',
  ...minColumns.slice(1, 7),
  'content_hash',
  'token_estimate',
  'heading_path',
  'symbol',
  'address',
  'asset_path',
];

function checkManifest(text: string, version: 2 | 4, index: SpecifiedIndex, tsv: Tsv): void {
  const Manifest = z.object({
    format_version: z.literal(version),
    index_id: z.literal(index.index_id),
    paths: z.array(z.string()),
    kinds: z.array(z.enum(kinds as [string, ...string[]])),
    chunk_columns: z.array(z.string()),
    chunks: z.array(z.array(z.unknown())),
  });
  const manifest = Manifest.parse(JSON.parse(text));
  const expected = version === 2 ? columns : minColumns;
  if ([...manifest.chunk_columns].sort().join() !== [...expected].sort().join())
    throw new Error(`columns of manifest ${version}: ${manifest.chunk_columns.join()}`);
  if (manifest.chunks.length !== index.chunks.length) throw new Error(`manifest ${version} has other chunks`);
  for (const [position, row] of manifest.chunks.entries()) {
    const cells = Object.fromEntries(manifest.chunk_columns.map((column, nth) => [column, row[nth]]));
    const { content: _content, path, kind, heading_path: headings, ...record } = index.chunks[position]!;
    const found = {
      ...cells,
      path: manifest.paths[Number(cells['path_i'])],
      kind: manifest.kinds[Number(cells['kind_i'])],
    };
    const wanted: Record<string, unknown> = { ...record, path, kind, ref: tsv.chunks[position]!.ref };
    if (version === 2) wanted['heading_path'] = headings;
    else wanted['heading_last'] = headings.at(-1) ?? null;
    for (const [name, value] of Object.entries(found)) {
      if (name.endsWith('_i')) continue;
      if (JSON.stringify(value) !== JSON.stringify(wanted[name]))
        throw new Error(`manifest ${version}, row ${position}, ${name}`);
    }
  }
}

function checkOutline(text: string, manifest: Tsv): void {
  const lines = text.split('\n');
  for (const file of manifest.files) {
    const heads = lines.filter(
      (line) => line.startsWith(`### ${file.path} (${file.kind}, `) && /, \d+ lines?\)$/.test(line),
    );
    if (heads.length !== 1) throw new Error(`outline.md has ${heads.length} headers for ${file.path}`);
  }
  const found = lines
    .filter((line) => line.startsWith('- c'))
    .map((line) => /^- (c[0-9a-z]{4,}) \((\d+)-(\d+)\) (.+)$/.exec(line)?.slice(1, 4).join());
  const wanted = manifest.chunks.map((chunk) => [chunk.ref, chunk.start, chunk.end].join());
  if (found.join('\n') !== wanted.join('\n')) throw new Error('outline.md does not list the chunks');
}

/** Images are in the bundle as they are, and nothing else is in their folder. */
function checkAssets(index: SpecifiedIndex, entries: ReadonlyMap<string, Uint8Array>): void {
  const named = new Set(index.chunks.flatMap((chunk) => chunk.asset_path ?? []));
  for (const path of named) mustHave(entries, path);
  for (const name of entries.keys())
    if (name.startsWith('images/') && !named.has(name)) throw new Error(`no chunk names ${name}`);
}

function append(table: string[], cells: readonly string[], cellsExpected: number, value: string): void {
  cellCount(cells, cellsExpected);
  if (count(cells[0]!) !== table.length) throw new Error(`entry ${cells[0]} where ${table.length} was due`);
  table.push(value);
}

function cellCount(cells: readonly string[], expected: number): void {
  if (cells.length !== expected)
    throw new Error(`${cells.length} cells where ${expected} were due: ${cells.join('|')}`);
}

function at(table: readonly string[], index: string): string {
  const value = table[count(index)];
  if (value === undefined) throw new Error(`no entry ${index}`);
  return value;
}

function count(cell: string): number {
  if (!/^(?:0|[1-9]\d*)$/.test(cell)) throw new Error(`not a number: ${cell}`);
  return Number(cell);
}

function oneOf(values: readonly string[], value: string): string {
  if (!values.includes(value)) throw new Error(`no such kind: ${value}`);
  return value;
}

function mustHave(entries: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const body = entries.get(name);
  if (body === undefined) throw new Error(`the bundle has no ${name}`);
  return body;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
