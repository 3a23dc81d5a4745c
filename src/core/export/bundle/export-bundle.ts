// The files of a bundle in the order of their names, and a whole bundle as a zip archive in memory, for the browser and for
// sources that fit.

import { createBundleBuilder } from './bundle-builder.ts';
import type { Bundle, BundleFormat, BundleMeta, BundlePage, ExportedPage } from './bundle.ts';
import { chunkFile } from './chunk-file.ts';
import { indexJson, type ContentOf } from './index-json.ts';
import {
  hashBatches,
  vectorFile,
  vectorFileName,
  VECTORS_JSON,
  vectorsJson,
  type BundledSpace,
} from './vector-files.ts';
import { writePointer, writeCatalog, writeOutline } from './markdown-files.ts';
import { concatBytes } from '../zip/zip-records.ts';
import { createZipWriter } from '../zip/zip-writer.ts';
import { chunkFileName, manifestJson, manifestMin } from '../manifest/manifest-json.ts';
import { manifestTables, manifestTsv, type ManifestTables } from '../manifest/manifest-tsv.ts';
import { PINAKES_JSON, pinakesJson } from '../manifest/pinakes-json.ts';
import { compareText } from '../../text/compare-text.ts';

/** `image` is set for pages with an `assetPath`. */
export type PageWithImage = ExportedPage & { readonly image?: Uint8Array };

export interface ExportedBundle {
  readonly bundle: Bundle;
  readonly zip: Uint8Array;
}

/** Pages in any order. */
export function exportBundle(
  meta: BundleMeta,
  input: readonly PageWithImage[],
  format: BundleFormat,
  {
    spaces = [],
    leftOut = [],
  }: { readonly spaces?: readonly BundledSpace[]; readonly leftOut?: Bundle['leftOut'] } = {},
): ExportedBundle {
  const pages = input.toSorted((left, right) => compareText(left.path, right.path));
  const builder = createBundleBuilder(meta, { index: format === 'full', leftOut });
  for (const page of pages) builder.add(page);
  const bundle = builder.finish();
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const textOf = ({ page, chunk }: ContentOf): string =>
    byPath.get(page.path)?.chunks.find(({ id }) => id === chunk.id)?.text ?? '';
  const zip = createZipWriter();
  const parts: Uint8Array[] = [];
  for (const entry of bundleEntries(bundle, format)) {
    if (entry.kind === 'image')
      parts.push(...zip.entry(entry.name, byPath.get(entry.page.path)?.image ?? new Uint8Array()));
    else parts.push(...zip.entry(entry.name, textsOf(entry, textOf)));
  }
  for (const { name, data } of vectorEntries(bundle, spaces)) parts.push(...zip.entry(name, data));
  return { bundle, zip: concatBytes([...parts, zip.end()]) };
}

/** Sorted by name; none if no text has a vector. */
function* vectorEntries(
  bundle: Bundle,
  spaces: readonly BundledSpace[],
): Generator<{ readonly name: string; readonly data: Uint8Array }> {
  const batches = hashBatches(bundle);
  const hashes = new Set(batches.flat());
  const found = spaces
    .map((space) => ({ ...space, rows: [...space.rows()].filter(({ contentHash }) => hashes.has(contentHash)) }))
    .filter(({ rows }) => rows.length > 0);
  if (found.length === 0) return;
  yield { name: VECTORS_JSON, data: new TextEncoder().encode(vectorsJson(found)) };
  for (const [nth, { rows }] of found.entries()) {
    const byHash = new Map(rows.map((row) => [row.contentHash, row]));
    for (const [part, batch] of batches.entries()) {
      const own = batch.flatMap((hash) => byHash.get(hash) ?? []);
      if (own.length > 0) yield { name: vectorFileName(nth + 1, part + 1), data: vectorFile(own) };
    }
  }
}

function* textsOf(
  entry: Exclude<BundleEntry, { kind: 'image' }>,
  textOf: (of: ContentOf) => string,
): Generator<string> {
  if (entry.kind === 'chunk') yield chunkFile(entry.page, entry.chunk, textOf(entry), entry.tables);
  else for (const part of entry.text) yield typeof part === 'string' ? part : JSON.stringify(textOf(part));
}

export type BundleEntry =
  /** A part that is not a text stands for the text of that chunk, as JSON. */
  | { readonly kind: 'text'; readonly name: string; readonly text: Iterable<string | ContentOf> }
  | ({ readonly kind: 'chunk'; readonly name: string; readonly tables: ManifestTables | null } & ContentOf)
  | { readonly kind: 'image'; readonly name: string; readonly page: BundlePage };

/** Lazily: a manifest is generated in parts when its entry is written. Texts of chunks are provided by the caller. */
export function* bundleEntries(bundle: Bundle, format: BundleFormat): Generator<BundleEntry> {
  const isFull = format === 'full';
  if (isFull) yield textEntry('catalog.llm.md', writeCatalog(bundle));
  const tables = isFull ? null : manifestTables(bundle.pages);
  for (const page of bundle.pages) {
    for (const chunk of page.chunks) yield { kind: 'chunk', name: chunkFileName(chunk.ref), page, chunk, tables };
  }
  yield* images(bundle);
  if (isFull) yield textEntry('index.json', indexJson(bundle));
  yield textEntry('llm.md', [writePointer(bundle, format)]);
  if (isFull) yield textEntry('manifest.json', manifestJson(bundle));
  yield textEntry('manifest.llm.tsv', manifestTsv(bundle));
  if (isFull) yield textEntry('manifest.min.json', manifestMin(bundle));
  if (isFull) yield textEntry('outline.md', writeOutline(bundle));
  yield textEntry(PINAKES_JSON, pinakesJson(bundle));
}

/** Their names do not follow the order of the paths where a path was made safe. */
function* images({ pages }: Bundle): Generator<BundleEntry> {
  const entries: BundleEntry[] = [];
  for (const page of pages) {
    if (page.assetPath !== null) entries.push({ kind: 'image', name: page.assetPath, page });
  }
  yield* entries.sort((left, right) => compareText(left.name, right.name));
}

function textEntry(name: string, text: Iterable<string | ContentOf>): BundleEntry {
  return { kind: 'text', name, text };
}
