// Exports a version of a source as a zip archive. Two passes over its pages: the first learns what there is, builds the
// index and looks for secrets; the second writes the texts. Neither holds more than one page.

import { chunkPath } from '../core/chunk/chunk-path.ts';
import type { Bundle, BundleForm, BundlePage, ExportedPage } from '../core/export/bundle/bundle.ts';
import { bundleEntries, type BundleEntry } from '../core/export/bundle-entries.ts';
import { chunkFile } from '../core/export/bundle/chunk-file.ts';
import { createBundleDraft } from '../core/export/bundle/bundle-builder.ts';
import { createZipWriter } from '../core/export/zip/zip-writer.ts';
import { imageEndingOf } from '../core/local/file-media-type.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { Sha256 } from '../core/model/hash.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import { collectYoung } from '../platform/collect-young.ts';
import { vectorEntries } from '../operate/export-vectors.ts';
import type { Source, Store, StoredDocument, Version } from '../store/port.ts';
import { bytesOfBody } from '../crawl/page/stored-page.ts';

export interface ExportRequest {
  readonly source: Source;
  readonly version: Version;
  readonly form: BundleForm;
  /** Whether vectors go along: then the bytes depend on the model, and on the machine that ran it. */
  readonly vectors: boolean;
}

export interface ExportDeps {
  readonly store: Store;
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Told as the work goes on. */
  readonly tell: (progress: { readonly step: 'read' | 'written'; readonly done: number; readonly of: number }) => void;
}

const PIECE = 1000;
const PACKED_AT_ONCE = 32;

export async function exportSource(request: ExportRequest, deps: ExportDeps): Promise<Bundle> {
  const urls = await urlsByPath(deps.store, request.version.id);
  const bundle = await draftBundle(request, urls, deps);
  await writeBundle(request, bundle, urls, deps);
  return bundle;
}

/** Pages in the order of a bundle, by code units of their paths. */
async function urlsByPath(store: Store, version: Version['id']): Promise<ReadonlyMap<string, PageUrl>> {
  const urls: Array<readonly [string, PageUrl]> = [];
  let after: string | null = null;
  do {
    const piece = await store.pages.list(version, after, PIECE);
    for (const { url } of piece.pages) urls.push([chunkPath(url), url]);
    after = piece.after;
  } while (after !== null);
  return new Map(urls.sort(([left], [right]) => (left < right ? -1 : Number(left > right))));
}

async function draftBundle(
  { source, version, form }: ExportRequest,
  urls: ReadonlyMap<string, PageUrl>,
  { store, tell }: ExportDeps,
): Promise<Bundle> {
  const origin = source.kind === 'web' ? source.start : null;
  const about = { name: source.name, version: version.label, origin };
  const draft = createBundleDraft(about, { index: form === 'full' });
  let done = 0;
  for (const [path, url] of urls) {
    const document = await store.pages.get(version.id, url);
    // A page that went meanwhile is not part of the export.
    if (document !== null) draft.add(await exportedPage(document, path, store));
    done += 1;
    tell({ step: 'read', done, of: urls.size });
  }
  return draft.finish();
}

async function exportedPage(document: StoredDocument, path: string, { pages }: Store): Promise<ExportedPage> {
  const { title, description, language, mediaType, contentHash, facts, body } = document;
  const fileHash = facts['fileHash'];
  const hash = typeof fileHash === 'string' ? (fileHash as Sha256) : contentHash;
  const chunks = await pages.chunksOf(document.version, document.url);
  const imageEnding = body !== null && chunks[0]?.kind === 'image' ? imageEndingOf(path) : null;
  return { path, title, description, language, mediaType, hash, imageEnding, chunks: chunks.map(bare) };
}

/** Only what a chunk is, without its page. */
function bare({ page: _page, ordinal: _ordinal, ...chunk }: ExportedChunk): ExportedPage['chunks'][number] {
  return chunk;
}
type ExportedChunk = Awaited<ReturnType<Store['pages']['chunksOf']>>[number];

async function writeBundle(
  { source, version, form, vectors }: ExportRequest,
  bundle: Bundle,
  urls: ReadonlyMap<string, PageUrl>,
  { store, write, tell }: ExportDeps,
): Promise<void> {
  const zip = createZipWriter();
  const changed = (): Error => pinakesError('export.changed', { source: source.name });
  let open: { readonly path: string; readonly texts: ReadonlyMap<string, string> } | null = null;
  let done = 0;
  let packed = 0;

  async function textOf(page: BundlePage, id: string): Promise<string> {
    if (open?.path !== page.path) {
      const chunks = await store.pages.chunksOf(version.id, urls.get(page.path) ?? ('' as PageUrl));
      open = { path: page.path, texts: new Map(chunks.map((chunk) => [chunk.id, chunk.text])) };
    }
    const text = open.texts.get(id);
    if (text === undefined) throw changed();
    return text;
  }

  async function dataOf(entry: BundleEntry): Promise<Uint8Array | Iterable<string>> {
    switch (entry.kind) {
      case 'text':
        return entry.text;
      case 'chunk':
        return [chunkFile(entry.page, entry.chunk, await textOf(entry.page, entry.chunk.id), form)];
      case 'image': {
        const document = await store.pages.get(version.id, urls.get(entry.page.path) ?? ('' as PageUrl));
        if (document?.body == null) throw changed();
        return bytesOfBody(document.body);
      }
    }
  }

  for (const entry of bundleEntries(bundle, form)) {
    for (const piece of zip.entry(entry.name, await dataOf(entry))) await write(piece);
    if (entry.kind === 'chunk') done += 1;
    // Packing an entry takes a buffer that is many times as large as the entry.
    packed += 1;
    if (packed % PACKED_AT_ONCE === 0) collectYoung();
    tell({ step: 'written', done, of: bundle.chunks });
  }
  if (vectors) {
    for await (const { name, data } of vectorEntries(store, bundle))
      for (const piece of zip.entry(name, data)) await write(piece);
  }
  await write(zip.end());
}
