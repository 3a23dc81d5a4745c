// The files of a bundle in the order of their names, and a whole bundle as a zip archive in memory, for the browser and for
// sources that fit.

import { createBundleBuilder } from './bundle-builder.ts';
import type { Bundle, BundleChunk, BundleFormat, BundleMeta, BundlePage, ExportedPage } from './bundle.ts';
import { chunkFile } from './chunk-file.ts';
import { writePointer, writeCatalog, writeOutline } from './markdown-files.ts';
import { concatBytes } from '../zip/zip-records.ts';
import { createZipWriter } from '../zip/zip-writer.ts';
import { chunkFileName, imageFileName, manifestJson } from '../manifest/manifest-json.ts';
import { manifestMin } from '../manifest/manifest-min.ts';
import { manifestTsv } from '../manifest/manifest-tsv.ts';

/** `image` is set for pages with an `imageExtension`. */
export type PageWithImage = ExportedPage & { readonly image?: Uint8Array };

export interface ExportedBundle {
  readonly bundle: Bundle;
  readonly zip: Uint8Array;
}

/** Pages in any order. */
export function exportBundle(meta: BundleMeta, input: readonly PageWithImage[], format: BundleFormat): ExportedBundle {
  const pages = input.toSorted((left, right) => (left.path < right.path ? -1 : Number(left.path > right.path)));
  const builder = createBundleBuilder(meta, { index: format === 'full' });
  for (const page of pages) builder.add(page);
  const bundle = builder.finish();
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const zip = createZipWriter();
  const parts: Uint8Array[] = [];
  for (const entry of bundleEntries(bundle, format)) {
    const data = dataOf(entry, entry.kind === 'text' ? undefined : byPath.get(entry.page.path), format);
    parts.push(...zip.entry(entry.name, data));
  }
  return { bundle, zip: concatBytes([...parts, zip.end()]) };
}

function dataOf(
  entry: BundleEntry,
  page: PageWithImage | undefined,
  format: BundleFormat,
): Uint8Array | Iterable<string> {
  switch (entry.kind) {
    case 'text':
      return entry.text;
    case 'chunk': {
      const text = page?.chunks.find(({ id }) => id === entry.chunk.id)?.text ?? '';
      return [chunkFile(entry.page, entry.chunk, text, format)];
    }
    case 'image':
      return page?.image ?? new Uint8Array();
  }
}

export type BundleEntry =
  | { readonly kind: 'text'; readonly name: string; readonly text: Iterable<string> }
  | { readonly kind: 'chunk'; readonly name: string; readonly page: BundlePage; readonly chunk: BundleChunk }
  | { readonly kind: 'image'; readonly name: string; readonly page: BundlePage };

/** Lazily: a manifest is generated in parts when its entry is written. Texts of chunks are provided by the caller. */
export function* bundleEntries(bundle: Bundle, format: BundleFormat): Generator<BundleEntry> {
  const isFull = format === 'full';
  if (isFull) yield textEntry('catalog.llm.md', writeCatalog(bundle));
  for (const page of bundle.pages) {
    for (const chunk of page.chunks) yield { kind: 'chunk', name: chunkFileName(chunk.ref), page, chunk };
  }
  if (isFull) yield* images(bundle);
  if (isFull && bundle.indexJson !== null) yield textEntry('index.json', bundle.indexJson());
  yield textEntry('llm.md', [writePointer(bundle, format)]);
  if (isFull) yield textEntry('manifest.json', manifestJson(bundle));
  yield textEntry('manifest.llm.tsv', manifestTsv(bundle));
  if (!isFull) return;
  yield textEntry('manifest.min.json', manifestMin(bundle));
  yield textEntry('outline.md', writeOutline(bundle));
}

function* images({ pages }: Bundle): Generator<BundleEntry> {
  for (const page of pages) {
    const [first] = page.chunks;
    if (page.imageExtension === null || first === undefined) continue;
    yield { kind: 'image', name: imageFileName(first.ref, page.imageExtension), page };
  }
}

function textEntry(name: string, content: Iterable<string>): BundleEntry {
  return { kind: 'text', name, text: content };
}
