// Exports a version of a source as a zip archive. Two passes over its pages: the first collects metadata, builds the
// index and scans for secrets; the second writes the texts. Neither holds more than one page in memory.

import { chunkPath } from '../core/chunk/chunk-names.ts';
import { createBundleBuilder } from '../core/export/bundle/bundle-builder.ts';
import type { Bundle, BundleFormat, BundlePage, LeftOutFile } from '../core/export/bundle/bundle.ts';
import { chunkFile } from '../core/export/bundle/chunk-file.ts';
import { bundleEntries, type BundleEntry } from '../core/export/bundle/export-bundle.ts';
import { leftOutFile } from '../core/export/bundle/left-out-file.ts';
import { storedTerms } from '../core/discover/licenses.ts';
import { webStartUrl } from '../core/export/llms/served-path.ts';
import {
  VECTORS_JSON,
  hashBatches,
  vectorFile,
  vectorFileName,
  vectorsJson,
} from '../core/export/bundle/vector-files.ts';
import { createZipWriter } from '../core/export/zip/zip-writer.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { Checkpoint } from '../platform/checkpoint.ts';
import { minorGc } from '../platform/v8-heap.ts';
import type { Store } from '../store/port.ts';
import type { Source, Version } from '../store/port/sources.ts';
import type { StoredSpace } from '../store/port/vectors.ts';
import { exportedPage } from './exported-page.ts';
import { decompressBody } from '../platform/compress-body.ts';
import { compareText } from '../core/text/compare-text.ts';

export interface ExportRequest {
  readonly source: Source;
  readonly version: Version;
  readonly format: BundleFormat;
  /** Whether vectors are included: then the bytes depend on the model, and on the machine that ran it. */
  readonly vectors: boolean;
}

export interface ExportDeps {
  readonly store: Store;
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** After each page and file: an export may take minutes, on a thread that has other work. */
  readonly checkpoint: Checkpoint;
  /** Called as the export progresses. */
  readonly onProgress: (progress: {
    readonly step: 'read' | 'written';
    readonly done: number;
    readonly total: number;
  }) => void;
}

/** Summary of the written export. */
export interface ExportSummary {
  readonly indexId: Sha256;
  readonly files: number;
  readonly chunks: number;
  readonly tokens: number;
  readonly secrets: Bundle['secrets'];
  /** Files that are not in a bundle, and that no rule of the user leaves out. */
  readonly leftOut?: Bundle['leftOut'];
}

const BATCH_SIZE = 1000;
const ENTRIES_PER_GC = 32;

export async function exportSource(request: ExportRequest, deps: ExportDeps): Promise<Bundle> {
  const urls = await urlsByPath(deps, request.version.id);
  const bundle = await buildBundle(request, urls, deps);
  await writeBundle(request, bundle, urls, deps);
  return bundle;
}

/** Pages in bundle order: by code units of their paths. */
async function urlsByPath(
  { store, checkpoint }: ExportDeps,
  version: Version['id'],
): Promise<ReadonlyMap<string, PageUrl>> {
  const urls: Array<readonly [string, PageUrl]> = [];
  let after: string | null = null;
  do {
    const batch = await store.pages.list(version, after, BATCH_SIZE);
    for (const { url } of batch.pages) urls.push([chunkPath(url), url]);
    after = batch.after;
    await checkpoint();
  } while (after !== null);
  return new Map(urls.sort(([left], [right]) => compareText(left, right)));
}

async function buildBundle(
  { source, version, format }: ExportRequest,
  urls: ReadonlyMap<string, PageUrl>,
  { store, checkpoint, onProgress }: ExportDeps,
): Promise<Bundle> {
  const { label, declaredVersion } = version;
  const terms = storedTerms(await store.sources.siteProfile(version.id));
  const about = { name: source.name, version: label, declaredVersion, startUrl: webStartUrl(source), terms };
  const leftOut = await leftOutFiles(source, version, store);
  const builder = createBundleBuilder(about, { index: format === 'full', leftOut });
  let done = 0;
  for (const [path, url] of urls) {
    const document = await store.pages.get(version.id, url);
    // A page removed in the meantime is not part of the export.
    if (document !== null) builder.add(await exportedPage(document, path, store));
    done += 1;
    onProgress({ step: 'read', done, total: urls.size });
    await checkpoint();
  }
  return builder.finish();
}

const MAX_LEFT_OUT = 10_000;

/** The files that the latest run stored nothing from, by path. */
async function leftOutFiles(source: Source, version: Version, store: Store): Promise<readonly LeftOutFile[]> {
  const [run] = source.kind === 'folder' ? await store.runs.latest([source.id]) : [];
  if (run?.version !== version.id) return [];
  const files: LeftOutFile[] = [];
  for (const outcome of ['excluded', 'skipped', 'failed'] as const) {
    let after: string | null = null;
    do {
      const query = { outcome, after, limit: BATCH_SIZE };
      const found: Awaited<ReturnType<Store['frontier']['urls']>> = await store.frontier.urls(run.id, query);
      files.push(...found.urls.flatMap(({ url, reason }) => leftOutFile(url, reason ?? outcome)));
      after = found.after;
    } while (after !== null && files.length < MAX_LEFT_OUT);
  }
  return files.sort((left, right) => compareText(left.path, right.path));
}

async function writeBundle(
  { source, version, format, vectors }: ExportRequest,
  bundle: Bundle,
  urls: ReadonlyMap<string, PageUrl>,
  { store, write, checkpoint, onProgress }: ExportDeps,
): Promise<void> {
  const zip = createZipWriter();
  const changed = (): Error => pinakesError('export.changed', { source: source.name });
  let current: { readonly path: string; readonly texts: ReadonlyMap<string, string> } | null = null;
  let done = 0;
  let packed = 0;

  async function textOf(page: BundlePage, id: string): Promise<string> {
    if (current?.path !== page.path) {
      const chunks = await store.pages.chunksOf(version.id, urls.get(page.path) ?? ('' as PageUrl));
      current = { path: page.path, texts: new Map(chunks.map((chunk) => [chunk.id, chunk.text])) };
    }
    const text = current.texts.get(id);
    if (text === undefined) throw changed();
    return text;
  }

  async function bytesOf(entry: BundleEntry): Promise<readonly Uint8Array[]> {
    switch (entry.kind) {
      case 'text': {
        const written = zip.textEntry(entry.name);
        for (const part of entry.text) {
          written.add(typeof part === 'string' ? part : JSON.stringify(await textOf(part.page, part.chunk.id)));
          await checkpoint();
        }
        return written.end();
      }
      case 'chunk': {
        const text = await textOf(entry.page, entry.chunk.id);
        return zip.entry(entry.name, [chunkFile(entry.page, entry.chunk, text, entry.tables)]);
      }
      case 'image': {
        const document = await store.pages.get(version.id, urls.get(entry.page.path) ?? ('' as PageUrl));
        if (document?.body == null) throw changed();
        return zip.entry(entry.name, decompressBody(document.body));
      }
    }
  }

  for (const entry of bundleEntries(bundle, format)) {
    for (const bytes of await bytesOf(entry)) await write(bytes);
    if (entry.kind === 'chunk') done += 1;
    // Compressing an entry takes a buffer many times as large as the entry.
    packed += 1;
    if (packed % ENTRIES_PER_GC === 0) minorGc();
    onProgress({ step: 'written', done, total: bundle.chunks });
    await checkpoint();
  }
  if (vectors) {
    for await (const { name, data } of vectorEntries(store, bundle, checkpoint))
      for (const bytes of zip.entry(name, data)) await write(bytes);
  }
  await write(zip.end());
}

interface VectorEntry {
  readonly name: string;
  readonly data: Uint8Array;
}

/**
 * The vectors of a bundle's texts as archive entries, one at a time, sorted by name; none if no text has a vector. Texts
 * are sorted by content hash, so that the same vectors give the same bytes.
 */
async function* vectorEntries({ vectors }: Store, bundle: Bundle, checkpoint: Checkpoint): AsyncGenerator<VectorEntry> {
  const batches = hashBatches(bundle);
  const spaces: StoredSpace[] = [];
  for (const space of await vectors.spaces())
    if (await hasAnyVector(vectors, space, { batches, checkpoint })) spaces.push(space);
  if (spaces.length === 0) return;
  yield { name: VECTORS_JSON, data: new TextEncoder().encode(vectorsJson(spaces)) };
  for (const [nth, space] of spaces.entries()) {
    for (const [part, hashes] of batches.entries()) {
      await checkpoint();
      const found = await vectors.byContentHash(space.id, hashes);
      const rows = hashes.flatMap((contentHash) => {
        const vector = found.get(contentHash);
        return vector === undefined ? [] : [{ contentHash, vector }];
      });
      if (rows.length > 0) yield { name: vectorFileName(nth + 1, part + 1), data: vectorFile(rows) };
    }
  }
}

async function hasAnyVector(
  vectors: Store['vectors'],
  space: StoredSpace,
  { batches, checkpoint }: { readonly batches: readonly Sha256[][]; readonly checkpoint: Checkpoint },
): Promise<boolean> {
  for (const hashes of batches) {
    await checkpoint();
    if ((await vectors.byContentHash(space.id, hashes)).size > 0) return true;
  }
  return false;
}
