// pinakes.json (format 1): what an import needs and the other files of a bundle do not have. Its rows follow the paths and the chunks of
// manifest.llm.tsv, one by one.

import { z } from 'zod';
import { cleanLine } from '../../extract/decode/clean-text.ts';
import type { SiteTerms } from '../../discover/licenses.ts';
import { parsePageUrl } from '../../model/page-url.ts';
import { parseDeclaredVersion } from '../../model/declared-version.ts';
import { bundledLabel, bundledName } from '../../model/source-name.ts';
import { PASSAGE_KINDS } from '../../model/chunk.ts';
import { PAGE_KINDS, type PageKindName } from '../../model/document.ts';
import { OutlineRow, outlineRow, readOutline } from './bundled-outline.ts';
import { MAX_LINE } from './manifest-tsv.ts';
import type { Bundle, BundleChunk, BundleMeta, BundlePage, PageList } from '../bundle/bundle.ts';

export const PINAKES_JSON = 'pinakes.json';

const FILE_COLUMNS = [
  'title',
  'description',
  'language',
  'media_type_i',
  'hash',
  'asset_path',
  'warnings',
  'page_kind_i',
  'inlinks',
] as const;
const CHUNK_COLUMNS = ['chunk_index', 'passage_kind_i', 'heading_i', 'anchor', 'symbol', 'address'] as const;

/** The table of headings: each under its parent, which comes before it; the parent of an outermost one is -1. */
type HeadingRow = readonly [parent: number, heading: string];

/** More would outweigh every other signal. */
const MAX_INLINKS = 1_000_000;
/** In the column of a number: none. */
const NONE = -1;

const FileRow = z.tuple([
  z.string(),
  z.string().nullable(),
  z.string().nullable(),
  z.int(),
  z.string().regex(/^[0-9a-f]{64}$/),
  z.string().nullable(),
  z.array(z.string()),
  z.int(),
  z.int().min(0).max(MAX_INLINKS),
]);
const ChunkRow = z.tuple([
  z.int().min(0),
  z.int(),
  z.int(),
  z.string().nullable(),
  z.string().nullable(),
  z.string().nullable(),
]);

/** A text is joined from its chunks with the empty lines between them. */
const TextLine = z.int().min(1).max(MAX_LINE);

/** A table by the number of a file. */
const byFile = <Row extends z.ZodType>(row: Row) => z.record(z.string().regex(/^\d{1,9}$/), z.array(row)).optional();

const PinakesJson = z.object({
  kind: z.literal('pinakes-bundle'),
  format: z.literal(1),
  index_id: z.string(),
  name: z.string(),
  version: z.string(),
  declared_version: z.string().optional(),
  start_url: z.string().nullable(),
  /** In the words of the site. */
  usage_terms: z.array(z.string()).optional(),
  licenses: z.array(z.string()).optional(),
  media_types: z.array(z.string()),
  passage_kinds: z.array(z.enum(PASSAGE_KINDS)),
  page_kinds: z.array(z.enum(PAGE_KINDS)),
  headings: z.array(z.tuple([z.int(), z.string()])),
  files: z.array(FileRow),
  chunks: z.array(ChunkRow),
  /** By the number of a file: lines of its chunks in the extracted text, where these are not the lines of the file. */
  text_lines: byFile(z.tuple([TextLine, TextLine])),
  /** By the number of a file: its sections. */
  outlines: byFile(OutlineRow),
});

/** Generated in parts. Each table is a pass over the pages: all rows at once would take many times the memory of their text. */
export function* pinakesJson({ meta, indexId, pages }: Bundle): Generator<string> {
  const tables = collectTables(pages);
  const { name, version, declaredVersion, startUrl, terms = NO_TERMS } = meta;
  const declared = declaredVersion == null ? {} : { declared_version: declaredVersion };
  const head = {
    kind: 'pinakes-bundle',
    format: 1,
    index_id: indexId,
    name,
    version,
    start_url: startUrl,
    ...declared,
    ...(terms.usageTerms.length > 0 && { usage_terms: terms.usageTerms }),
    ...(terms.licenses.length > 0 && { licenses: terms.licenses }),
  };
  const { mediaTypes, headings } = tables;
  const kinds = { passage_kinds: PASSAGE_KINDS, page_kinds: PAGE_KINDS };
  const shared = { media_types: mediaTypes.all, ...kinds, headings: headings.all };
  yield `${JSON.stringify({ ...head, ...shared, file_columns: FILE_COLUMNS }).slice(0, -1)},"files":[`;
  let before = '\n';
  for (const page of pages) {
    yield before + JSON.stringify(fileRow(page, tables));
    before = ',\n';
  }
  yield `\n],"chunk_columns":${JSON.stringify(CHUNK_COLUMNS)},"chunks":[`;
  before = '\n';
  for (const page of pages) {
    for (const chunk of page.chunks) {
      yield before + JSON.stringify(chunkRow(chunk, tables));
      before = ',\n';
    }
  }
  yield '\n]';
  yield* tableByFile('text_lines', pages, textLines);
  yield* tableByFile('outlines', pages, ({ outline }) => outline?.map(outlineRow));
  yield '}\n';
}

/** Without the files that have no rows; absent if none has. */
function* tableByFile(
  name: string,
  pages: PageList,
  rowsOf: (page: BundlePage) => readonly unknown[] | undefined,
): Generator<string> {
  let nth = 0;
  let before = `,"${name}":{\n`;
  for (const page of pages) {
    const rows = rowsOf(page);
    if (rows !== undefined) {
      yield `${before}"${nth}":${JSON.stringify(rows)}`;
      before = ',\n';
    }
    nth += 1;
  }
  if (before === ',\n') yield '\n}';
}

function textLines({ chunks }: BundlePage): ReadonlyArray<readonly [number, number]> | undefined {
  if (!chunks.some(({ textLines: own }) => own !== undefined)) return undefined;
  return chunks.map(({ textLines: own, lines: { first, last } }) => [own?.first ?? first, own?.last ?? last]);
}

interface Tables {
  readonly mediaTypes: InternTable<string>;
  readonly headings: InternTable<HeadingRow>;
}

function collectTables(pages: PageList): Tables {
  const tables: Tables = {
    mediaTypes: createInternTable<string>((name) => name),
    headings: createInternTable<HeadingRow>(([parent, heading]) => `${parent} ${heading}`),
  };
  for (const page of pages) {
    fileRow(page, tables);
    for (const chunk of page.chunks) chunkRow(chunk, tables);
  }
  return tables;
}

function fileRow(page: BundlePage, { mediaTypes }: Tables): z.input<typeof FileRow> {
  const { title, description, language, mediaType, hash, assetPath, warnings, pageKind, inlinks = 0 } = page;
  const type = mediaTypes.intern(mediaType);
  const kind = pageKind === undefined ? NONE : PAGE_KINDS.indexOf(pageKind);
  const links = Math.min(inlinks, MAX_INLINKS);
  return [title, description, language, type, hash, assetPath, [...warnings], kind, links];
}

function chunkRow(chunk: BundleChunk, { headings }: Tables): z.input<typeof ChunkRow> {
  const { ordinal, passageKind, anchor, symbol, jsonPath } = chunk;
  const heading = chunk.headings.reduce((parent, text) => headings.intern([parent, text]), -1);
  return [ordinal, PASSAGE_KINDS.indexOf(passageKind), heading, anchor, symbol, jsonPath];
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

export interface PinakesManifest {
  readonly meta: BundleMeta;
  /** What the bundle calls itself, to be compared with what was expected; `meta` has what may be used as a name. */
  readonly stated: { readonly name: string; readonly version: string };
  readonly indexId: string;
  /** Files in the order of their paths. */
  readonly files: ReadonlyArray<Omit<BundlePage, 'path' | 'kind' | 'chunks' | 'hash'> & { readonly hash: string }>;
  /** Chunks in the order of their refs. */
  readonly chunks: ReadonlyArray<
    Pick<BundleChunk, 'ordinal' | 'passageKind' | 'headings' | 'anchor' | 'symbol' | 'jsonPath'>
  >;
  /** By the number of the file, then in the order of the refs. */
  readonly textLines: ReadonlyMap<number, ReadonlyArray<BundleChunk['lines']>>;
}

/** `docs.example.dev-en-latest-guide` */
const MAX_NAME_WORDS = 6;
/** `5.2-rc.1-preview` */
const MAX_VERSION_WORDS = 2;

/** Every string is a name or a title: it is cleaned like the text of a page, and is one line. A name or version that is none is empty. Null if the text is not such a file. */
export function readPinakesJson(text: string): PinakesManifest | null {
  let parsed: ReturnType<typeof PinakesJson.safeParse>;
  try {
    parsed = PinakesJson.safeParse(cleanStrings(JSON.parse(text)));
  } catch {
    return null;
  }
  if (!parsed.success) return null;
  const { name, version, start_url: startUrl, index_id: indexId } = parsed.data;
  const files = readFiles(parsed.data);
  if (files === null) return null;
  const paths = headingPaths(parsed.data.headings);
  if (paths === null) return null;
  const kinds = parsed.data.passage_kinds;
  const chunks: Array<PinakesManifest['chunks'][number]> = [];
  for (const [ordinal, kindNumber, heading, anchor, symbol, jsonPath] of parsed.data.chunks) {
    const passageKind = kinds[kindNumber];
    const headings = heading === -1 ? [] : paths[heading];
    if (passageKind === undefined || headings === undefined) return null;
    chunks.push({ ordinal, passageKind, headings, anchor, symbol, jsonPath });
  }
  const lines = Object.entries(parsed.data.text_lines ?? {}).map(([nth, rows]) => {
    return [Number(nth), rows.map(([first, last]) => ({ first, last }))] as const;
  });
  const declaredVersion = parseDeclaredVersion(parsed.data.declared_version ?? '');
  const terms = readTerms(parsed.data);
  const meta = {
    name: bundledName(name, MAX_NAME_WORDS),
    version: bundledLabel(version, MAX_VERSION_WORDS),
    declaredVersion,
    startUrl,
    ...(hasTerms(terms) && { terms }),
  };
  return { meta, stated: { name, version }, indexId, files, chunks, textLines: new Map(lines) };
}

/** Not a reviver of JSON.parse, which is called for each of many thousand numbers. */
function cleanStrings(value: unknown): unknown {
  if (typeof value === 'string') return cleanLine(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cleanStrings);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cleanStrings(member)]));
}

const NO_TERMS: SiteTerms = { usageTerms: [], licenses: [] };

const MAX_TERMS = 20;
const MAX_TERM_CHARS = 2000;

/** A bundle may be hostile, so few are kept. */
function readTerms({ usage_terms: usageTerms = [], licenses = [] }: z.output<typeof PinakesJson>): SiteTerms {
  return {
    usageTerms: shortTexts(usageTerms),
    licenses: shortTexts(licenses.filter((url) => parsePageUrl(url)?.startsWith('http'))),
  };
}

function shortTexts(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text !== '' && text.length <= MAX_TERM_CHARS).slice(0, MAX_TERMS);
}

function hasTerms({ usageTerms, licenses }: SiteTerms): boolean {
  return usageTerms.length > 0 || licenses.length > 0;
}

/** Null if the sections of a file are not in order. */
function readFiles({
  files,
  media_types: mediaTypes,
  page_kinds: pageKinds,
  outlines = {},
}: z.output<typeof PinakesJson>): PinakesManifest['files'] | null {
  const read: Array<PinakesManifest['files'][number]> = [];
  for (const [nth, row] of files.entries()) {
    const rows = outlines[nth];
    const outline = rows === undefined ? undefined : readOutline(rows);
    if (outline === null) return null;
    read.push({ ...readFileRow(row, mediaTypes, pageKinds), ...(outline !== undefined && { outline }) });
  }
  return read;
}

function readFileRow(
  row: z.output<typeof FileRow>,
  mediaTypes: readonly string[],
  pageKinds: readonly PageKindName[],
): PinakesManifest['files'][number] {
  const [title, description, language, typeNumber, hash, assetPath, warnings, kindNumber, inlinks] = row;
  const pageKind = pageKinds[kindNumber];
  return {
    title,
    description,
    language,
    mediaType: mediaTypes[typeNumber] ?? '',
    hash,
    assetPath,
    warnings,
    ...(pageKind !== undefined && { pageKind }),
    ...(inlinks > 0 && { inlinks }),
  };
}

/** More would let a small file fill the memory. */
const MAX_DEPTH = 100;

function headingPaths(rows: readonly HeadingRow[]): Array<readonly string[]> | null {
  const paths: Array<readonly string[]> = [];
  for (const [parent, heading] of rows) {
    const above = parent === -1 ? [] : paths[parent];
    if (above === undefined || above.length >= MAX_DEPTH) return null;
    paths.push([...above, heading]);
  }
  return paths;
}
