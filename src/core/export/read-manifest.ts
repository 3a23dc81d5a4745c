// The facts of a bundle from its manifest: manifest.json where it is there, else manifest.llm.tsv.

import type { Chunk, ChunkKind } from '../model/chunk.ts';
import type { Sha256 } from '../model/hash.ts';
import { decodeUtf8 } from '../model/text.ts';
import type { BundleAbout, PageFacts } from './bundle.ts';
import { anchorOfHeading, pathOfFile, SAME_AS_HEADING, type ChunkRow, type FileRow } from './bundle-tables.ts';
import { ManifestJson } from './manifest-json.ts';
import { readManifestTsv, type TsvManifest } from './manifest-tsv.ts';

export interface ManifestChunk extends Omit<Chunk, 'id' | 'contentHash' | 'text' | 'tokens'> {
  readonly ref: string;
  /** What the manifest says of id and hash; null where it leaves them to be computed. */
  readonly stated: { readonly id: string; readonly contentHash: string } | null;
}

export interface ManifestPage {
  readonly facts: PageFacts;
  readonly chunks: readonly ManifestChunk[];
}

export interface Manifest {
  readonly about: BundleAbout;
  readonly indexId: string;
  readonly pages: readonly ManifestPage[];
}

const REF = /^c[0-9a-z]{4,8}$/;
const ENDING = /^[a-z0-9]{1,8}$/;
const KINDS: ReadonlySet<string> = new Set<ChunkKind>(['prose', 'code', 'table', 'data', 'operation', 'image']);

/** Null where there is none that can be read. */
export function manifestOf(files: ReadonlyMap<string, Uint8Array>): Manifest | null {
  const json = files.get('manifest.json');
  if (json !== undefined) return fromJson(decodeUtf8(json));
  const tsv = files.get('manifest.llm.tsv');
  const tables = tsv === undefined ? null : readManifestTsv(decodeUtf8(tsv));
  return tables === null ? null : fromTables(tables);
}

function fromJson(text: string): Manifest | null {
  let parsed: ReturnType<typeof ManifestJson.safeParse>;
  try {
    parsed = ManifestJson.safeParse(JSON.parse(text));
  } catch {
    return null;
  }
  if (!parsed.success) return null;
  const { name, version, origin, index_id: indexId, files } = parsed.data;
  const pages = files.map(pageFromJson);
  return pages.every(isNamedWell) ? { about: { name, version, origin }, indexId, pages } : null;
}

function pageFromJson(file: ManifestJson['files'][number]): ManifestPage {
  const { path, title, description, language, hash } = file;
  const imageEnding = file.image === null ? null : (file.image.split('.').at(-1) ?? null);
  return {
    facts: { path, title, description, language, mediaType: file.media_type, hash: hash as Sha256, imageEnding },
    chunks: file.chunks
      .toSorted((left, right) => left.ordinal - right.ordinal)
      .map(({ ref, id, content_hash, kind, headings, anchor, symbol, address, lines }) => ({
        ref,
        stated: { id, contentHash: content_hash },
        kind,
        headings,
        anchor,
        symbol,
        address,
        lines: { first: lines[0], last: lines[1] },
      })),
  };
}

function fromTables(tables: TsvManifest): Manifest | null {
  const paths = headingPaths(tables);
  if (paths === null) return null;
  const ofFile = Map.groupBy(tables.chunks, ({ file }) => file);
  const chunksAreWhole = tables.chunks.every(
    ({ file, kind, heading, first, last }) =>
      tables.files[file] !== undefined &&
      KINDS.has(tables.kinds[kind] ?? '') &&
      (heading === -1 || paths[heading] !== undefined) &&
      first >= 1 &&
      last >= first,
  );
  if (!chunksAreWhole) return null;
  const pages = tables.files.map((file, number): ManifestPage => {
    const chunks = (ofFile.get(number) ?? []).map((row) => chunkFromRow(row, tables, paths));
    return { facts: factsFromRow(file, tables, chunks), chunks };
  });
  return pages.every(isNamedWell) ? { about: tables.about, indexId: tables.indexId, pages } : null;
}

/** A heading stands after the one above it, so one pass gives all paths. Null where that does not hold. */
function headingPaths({ headings }: TsvManifest): ReadonlyArray<readonly string[]> | null {
  const paths: Array<readonly string[]> = [];
  for (const [parent, heading] of headings) {
    const above = parent === -1 ? [] : paths[parent];
    if (above === undefined || above.length > 100) return null;
    paths.push([...above, heading]);
  }
  return paths;
}

function chunkFromRow(row: ChunkRow, { kinds }: TsvManifest, paths: ReadonlyArray<readonly string[]>): ManifestChunk {
  const headings = paths[row.heading] ?? [];
  return {
    ref: row.ref,
    stated: null,
    kind: (kinds[row.kind] ?? 'prose') as ChunkKind,
    headings,
    anchor: row.anchor === SAME_AS_HEADING ? anchorOfHeading(headings.at(-1)) : row.anchor,
    symbol: row.symbol,
    address: row.address,
    lines: { first: row.first, last: row.last },
  };
}

function factsFromRow(file: FileRow, { directories }: TsvManifest, chunks: readonly ManifestChunk[]): PageFacts {
  const { hash, mediaType, description, language, imageEnding } = file;
  const title = file.title ?? chunks[0]?.headings[0] ?? '';
  return {
    path: pathOfFile(file, directories),
    title,
    description,
    language,
    mediaType,
    hash: hash as Sha256,
    imageEnding,
  };
}

function isNamedWell({ facts, chunks }: ManifestPage): boolean {
  const isHash = /^[0-9a-f]{64}$/.test(facts.hash);
  return (
    isHash && (facts.imageEnding === null || ENDING.test(facts.imageEnding)) && chunks.every(({ ref }) => REF.test(ref))
  );
}
