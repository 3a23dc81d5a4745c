// Reads a bundle. Nothing in it is trusted: texts and names are cleaned like those of any page, hashes and ids are recomputed
// from the texts, paths are checked like any foreign path, and the index id must match.

import { cleanText } from '../../extract/decode/clean-text.ts';
import { pathOnDisk } from '../../files/file-url.ts';
import { pathVerdict } from '../../files/path-verdict.ts';
import { chunkId, estimateTokens, type Chunk, type ChunkId } from '../../model/chunk.ts';
import { pinakesError, type PinakesError } from '../../model/errors.ts';
import { sha256Hex, type Sha256 } from '../../model/hash.ts';
import { decodeUtf8 } from '../../model/decode-utf8.ts';
import { countLines, computeIndexId, type BundleMeta, type BundlePageMeta } from './bundle.ts';
import { textOfChunkFile } from './chunk-file.ts';
import { chunkFileName, imageFileName } from '../manifest/manifest-json.ts';
import type { ManifestPage } from '../manifest/manifest.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { readBundledSpaces, type BundledSpace } from './vector-files.ts';

export interface ReadBundlePage extends BundlePageMeta {
  readonly chunks: readonly Chunk[];
  /** Null if the page is not an image. */
  readonly image: Uint8Array | null;
}

export interface BundleReader {
  readonly meta: BundleMeta;
  readonly indexId: Sha256;
  /** In the order of the manifest. */
  readonly pages: readonly BundlePageMeta[];
  readonly vectors: readonly BundledSpace[];
  /** Throws `bundle.broken`; null if the bundle has no such path. */
  read(path: string): ReadBundlePage | null;
}

const MAX_CHUNK_CHARS = 1_000_000;

/** `files` by their names in the bundle. Throws `bundle.broken`. */
export function readBundle(name: string, files: ReadonlyMap<string, Uint8Array>): BundleReader {
  const broken = (why: string): PinakesError => pinakesError('bundle.broken', { name, why });
  const manifest = readManifest(files);
  if (manifest === null) throw broken('it has no valid manifest');
  const byPath = new Map(manifest.pages.map((page) => [page.meta.path, page]));
  if (byPath.size !== manifest.pages.length) throw broken('two files have the same path');
  const unsafePage = manifest.pages.find(({ meta }) => !isPagePath(meta.path));
  if (unsafePage !== undefined) throw broken('a path leads out of the bundle');
  const indexId = computeIndexId(manifest.pages.map(({ meta }) => meta));
  if (indexId !== manifest.indexId) throw broken('its index id does not match its files');

  return {
    meta: manifest.meta,
    indexId,
    pages: manifest.pages.map(({ meta }) => meta),
    vectors: readBundledSpaces(files),
    read(path) {
      const page = byPath.get(path);
      if (page === undefined) return null;
      const chunks = chunksOf(page, (ref) => {
        const file = files.get(chunkFileName(ref));
        const text = file === undefined ? null : textOfChunkFile(decodeUtf8(file), MAX_CHUNK_CHARS);
        if (text === null) throw broken(`the chunk ${ref} is missing or unreadable`);
        return text;
      });
      if (chunks === null) throw broken(`a chunk of ${path} does not match the manifest`);
      return { ...page.meta, chunks, image: imageOf(page, files) };
    },
  };
}

function chunksOf(page: ManifestPage, textOf: (ref: string) => string): readonly Chunk[] | null {
  const [declaredIdOf, idOf] = [createChunkIds(page.meta.path), createChunkIds(page.meta.path)];
  const chunks: Chunk[] = [];
  const ids = new Set(page.chunks.map(({ declared }) => declared?.id));
  for (const { ref, declared, lines, ...names } of page.chunks) {
    const written = textOf(ref);
    const writtenHash = sha256Hex(written);
    if (declared !== null && (declared.contentHash !== writtenHash || !ids.has(declaredIdOf(writtenHash)))) return null;
    const text = cleanText(written);
    const contentHash = text === written ? writtenHash : sha256Hex(text);
    chunks.push({
      ...names,
      lines: { first: lines.first, last: lines.last ?? lines.first + countLines(text) - 1 },
      id: idOf(contentHash),
      contentHash,
      text,
      tokens: estimateTokens(text),
    });
  }
  return chunks;
}

/** Texts that are equal are told apart by their order on the page. */
function createChunkIds(path: string): (contentHash: Sha256) => ChunkId {
  const times = new Map<Sha256, number>();
  return (contentHash) => {
    const nth = times.get(contentHash) ?? 0;
    times.set(contentHash, nth + 1);
    return chunkId(path, contentHash, nth);
  };
}

function imageOf({ meta, chunks }: ManifestPage, files: ReadonlyMap<string, Uint8Array>): Uint8Array | null {
  const [first] = chunks;
  if (meta.imageExtension === null || first === undefined) return null;
  return files.get(imageFileName(first.ref, meta.imageExtension)) ?? null;
}

function isPagePath(path: string): boolean {
  if (!/^https?:\/\//.test(path)) return pathVerdict(path, 'any').admit && pathOnDisk(path) !== null;
  const url = URL.parse(path);
  return url !== null && url.href === path && url.username === '' && url.password === '' && url.hash === '';
}
