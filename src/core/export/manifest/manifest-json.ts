// manifest.json (format 2) and manifest.min.json (format 4): the chunks of a bundle as rows under named columns, with paths and kinds in
// tables. The smaller one has no ids and hashes, and of the headings only the last.

import { z } from 'zod';
import { shortChunkId } from '../../chunk/chunk-names.ts';
import type { Bundle, BundleChunk, BundlePage } from '../bundle/bundle.ts';
import { manifestTables, type ManifestTables } from './manifest-tsv.ts';

type Cell = string | number | null | readonly string[];
type Column = readonly [name: string, cellOf: (chunk: BundleChunk, page: BundlePage, tables: ManifestTables) => Cell];

const COLUMNS: readonly Column[] = [
  ['ref', ({ ref }) => ref],
  ['id', ({ id }) => id],
  ['short_id', ({ id }) => shortChunkId(id)],
  ['slug', ({ slug }) => slug],
  ['path_i', (_, { path }, { pathNumber }) => pathNumber.get(path) ?? 0],
  ['kind_i', (_, { kind }, { kindNumber }) => kindNumber(kind)],
  ['chunk_index', ({ ordinal }) => ordinal],
  ['start_line', ({ lines }) => lines.first],
  ['end_line', ({ lines }) => lines.last],
  ['content_hash', ({ contentHash }) => contentHash],
  ['token_estimate', ({ tokens }) => tokens],
  ['heading_path', ({ headings }) => headings],
  ['heading_last', ({ headings }) => headings.at(-1) ?? null],
  ['symbol', ({ symbol }) => symbol],
  ['address', ({ jsonPath }) => jsonPath],
  ['asset_path', (_, { assetPath }) => assetPath],
];

const ONLY_MINIMAL = ['heading_last'];
const ONLY_FULL = ['id', 'short_id', 'content_hash', 'heading_path'];

export function manifestJson(bundle: Bundle): Generator<string> {
  return manifest(
    bundle,
    2,
    COLUMNS.filter(([name]) => !ONLY_MINIMAL.includes(name)),
  );
}

export function manifestMin(bundle: Bundle): Generator<string> {
  return manifest(
    bundle,
    4,
    COLUMNS.filter(([name]) => !ONLY_FULL.includes(name)),
  );
}

function* manifest({ indexId, pages }: Bundle, format: 2 | 4, columns: readonly Column[]): Generator<string> {
  const tables = manifestTables(pages);
  yield `{"format_version":${format},"index_id":"${indexId}","kinds":${JSON.stringify(tables.kinds)},"paths":[`;
  let before = '\n';
  for (const path of tables.pathNumber.keys()) {
    yield before + JSON.stringify(path);
    before = ',\n';
  }
  yield `\n],"chunk_columns":${JSON.stringify(columns.map(([name]) => name))},"chunks":[`;
  before = '\n';
  for (const page of pages) {
    for (const chunk of page.chunks) {
      yield before + JSON.stringify(columns.map(([, cellOf]) => cellOf(chunk, page, tables)));
      before = ',\n';
    }
  }
  yield '\n]}\n';
}

const ManifestJson = z.object({
  format_version: z.union([z.literal(2), z.literal(4)]),
  index_id: z.string(),
  kinds: z.array(z.string()),
  paths: z.array(z.string()),
  chunk_columns: z.array(z.string()),
  chunks: z.array(z.array(z.union([z.string(), z.number(), z.null(), z.array(z.string())]))),
});

export interface JsonManifest {
  readonly formatVersion: 2 | 4;
  readonly indexId: string;
  /** By their column names, with `path` and `kind` in place of their numbers. */
  readonly chunks: ReadonlyArray<Readonly<Record<string, Cell>>>;
}

/** Reads either file; null if the text is neither. */
export function readManifestJson(text: string): JsonManifest | null {
  let parsed: ReturnType<typeof ManifestJson.safeParse>;
  try {
    parsed = ManifestJson.safeParse(JSON.parse(text));
  } catch {
    return null;
  }
  if (!parsed.success) return null;
  const {
    format_version: formatVersion,
    index_id: indexId,
    kinds,
    paths,
    chunk_columns: columns,
    chunks,
  } = parsed.data;
  const records: Array<Record<string, Cell>> = [];
  for (const cells of chunks) {
    if (cells.length !== columns.length) return null;
    const {
      path_i: path,
      kind_i: kind,
      ...record
    } = Object.fromEntries(columns.map((name, nth) => [name, cells[nth] ?? null]));
    if (typeof path !== 'number' || typeof kind !== 'number') return null;
    const [pathName, kindName] = [paths[path], kinds[kind]];
    if (pathName === undefined || kindName === undefined) return null;
    records.push({ ...record, path: pathName, kind: kindName });
  }
  return { formatVersion, indexId, chunks: records };
}

/** File names are derived from refs only, never from the title of a page. */
export function chunkFileName(ref: string): string {
  return `chunks/${ref}.md`;
}
