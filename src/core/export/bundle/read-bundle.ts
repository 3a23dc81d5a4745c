// Reads a bundle. Nothing in it is trusted: texts and names are cleaned like those of any page, hashes and ids are recomputed
// from the texts, paths are checked like any foreign path, and the index id must match.

import { cleanText } from '../../extract/decode/clean-text.ts';
import { pathOnDisk } from '../../files/file-url.ts';
import { pathVerdict } from '../../files/path-verdict.ts';
import { chunkId, estimateTokens, type Chunk, type ChunkId } from '../../model/chunk.ts';
import { pinakesError, type PinakesError } from '../../model/errors.ts';
import { sha256Hex, type Sha256 } from '../../model/hash.ts';
import { decodeUtf8 } from '../../text/decode-utf8.ts';
import { assetPath, isWebPath } from '../pages/page-path.ts';
import { chunkFileName, readManifestJson } from '../manifest/manifest-json.ts';
import { readManifestTsv, type TsvChunk, type TsvManifest } from '../manifest/manifest-tsv.ts';
import { PINAKES_JSON, readPinakesJson, type PinakesManifest } from '../manifest/pinakes-json.ts';
import { computeIndexId, type BundleMeta, type BundlePageMeta } from './bundle.ts';
import { textOfChunkFile } from './chunk-file.ts';
import { readBundledSpaces, type BundledSpace } from './vector-files.ts';

export interface ReadBundlePage extends BundlePageMeta {
  /** With lines of the text. */
  readonly chunks: readonly Chunk[];
  /** The lines of the file that each chunk was read from; absent if they are those of its text. */
  readonly sourceLines?: readonly Chunk['lines'][];
  /** Null if the page is not an image. */
  readonly image: Uint8Array | null;
}

export interface BundleReader extends Pick<PinakesManifest, 'stated'> {
  readonly meta: BundleMeta;
  readonly indexId: Sha256;
  /** Pages in the order of the manifest. */
  readonly pages: readonly BundlePageMeta[];
  readonly vectors: readonly BundledSpace[];
  /** Throws `bundle.corrupt`; null if the bundle has no such path. */
  read(path: string): ReadBundlePage | null;
}

const MAX_CHUNK_CHARS = 1_000_000;
const MANIFEST_TSV = 'manifest.llm.tsv';

/** `files` by their names in the bundle. Throws `bundle.corrupt`. */
export function readBundle(name: string, files: ReadonlyMap<string, Uint8Array>): BundleReader {
  const broken = (reason: string): PinakesError => pinakesError('bundle.corrupt', { name, reason });
  if (files.has(MANIFEST_TSV) && !files.has(PINAKES_JSON))
    throw broken('it has no pinakes.json, which an import needs');
  const manifest = readManifestTsv(textOf(files, MANIFEST_TSV));
  const own = readPinakesJson(textOf(files, PINAKES_JSON));
  if (manifest === null || own === null) throw broken('it has no valid manifest');
  const pages = joinManifests(manifest, own);
  if (pages === null) throw broken('its manifests do not match each other');
  const byPath = new Map(pages.map((page) => [page.meta.path, page]));
  if (byPath.size !== pages.length) throw broken('two files have the same path');
  if (pages.some(({ meta }) => !isPagePath(meta.path))) throw broken('a path leads out of the bundle');
  const indexId = computeIndexId(pages.map(({ meta }) => meta));
  if (indexId !== manifest.indexId || indexId !== own.indexId) throw broken('its index id does not match its files');
  const declared = declaredChunks(files);
  if (declared === null) throw broken('its manifest.json is not valid');

  return {
    meta: own.meta,
    stated: own.stated,
    indexId,
    pages: pages.map(({ meta }) => meta),
    vectors: readBundledSpaces(files),
    read(path) {
      const page = byPath.get(path);
      if (page === undefined) return null;
      const chunks = chunksOf(page, declared, (ref) => {
        const file = files.get(chunkFileName(ref));
        const text = file === undefined ? null : textOfChunkFile(decodeUtf8(file), MAX_CHUNK_CHARS);
        if (text === null) throw broken(`the chunk ${ref} is missing or unreadable`);
        return text;
      });
      if (chunks === null) throw broken(`a chunk of ${path} does not match the manifest`);
      const image = page.meta.assetPath === null ? null : (files.get(page.meta.assetPath) ?? null);
      const sourceLines = page.chunks.map((chunk) => chunk.sourceLines ?? chunk.lines);
      const isMapped = page.chunks.some((chunk) => chunk.sourceLines !== undefined);
      return { ...page.meta, chunks, ...(isMapped && { sourceLines }), image };
    },
  };
}

function textOf(files: ReadonlyMap<string, Uint8Array>, name: string): string {
  const file = files.get(name);
  return file === undefined ? '' : decodeUtf8(file);
}

type ListedChunk = Pick<TsvChunk, 'ref' | 'lines'> &
  PinakesManifest['chunks'][number] & { readonly sourceLines?: Chunk['lines'] };

interface ListedPage {
  readonly meta: BundlePageMeta;
  /** Chunks in the order of the document. */
  readonly chunks: readonly ListedChunk[];
}

/** Null if one lists what the other does not. */
function joinManifests(tsv: TsvManifest, own: PinakesManifest): readonly ListedPage[] | null {
  if (tsv.paths.length !== own.files.length || tsv.chunks.length !== own.chunks.length) return null;
  const chunksByPath = Map.groupBy(
    tsv.chunks.flatMap(({ ref, lines, path }, nth) => {
      const chunk = own.chunks[nth];
      return chunk === undefined ? [] : [{ path, chunk: { ref, lines, ...chunk } }];
    }),
    ({ path }) => path,
  );
  const pages: ListedPage[] = [];
  for (const [nth, { hash, ...file }] of own.files.entries()) {
    const path = tsv.paths[nth] ?? '';
    if (file.assetPath !== null && file.assetPath !== assetPath(path)) return null;
    const listed = (chunksByPath.get(path) ?? []).map(({ chunk }) => chunk);
    const chunks = withTextLines(listed, own.textLines.get(nth));
    if (chunks === null) return null;
    pages.push({
      meta: { ...file, path, hash: hash as Sha256 },
      chunks: chunks.sort((left, right) => left.ordinal - right.ordinal),
    });
  }
  return pages;
}

/** Null if there are not as many lines as chunks, or if they go back. */
function withTextLines(
  chunks: readonly ListedChunk[],
  textLines: ReadonlyArray<Chunk['lines']> | undefined,
): ListedChunk[] | null {
  if (textLines === undefined) return [...chunks];
  if (textLines.length !== chunks.length || textLines.some(({ first, last }) => last < first)) return null;
  return chunks.map((chunk, nth) => ({ ...chunk, sourceLines: chunk.lines, lines: textLines[nth] ?? chunk.lines }));
}

interface DeclaredChunk {
  readonly id: string;
  readonly contentHash: string;
}

/** Ids and hashes by ref, as the full form declares them; empty in the compact form, null if the file is invalid. */
function declaredChunks(files: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, DeclaredChunk> | null {
  const declared = new Map<string, DeclaredChunk>();
  if (!files.has('manifest.json')) return declared;
  const manifest = readManifestJson(textOf(files, 'manifest.json'));
  for (const { ref, id, content_hash: contentHash } of manifest?.chunks ?? []) {
    if (typeof ref === 'string' && typeof id === 'string' && typeof contentHash === 'string')
      declared.set(ref, { id, contentHash });
  }
  return manifest === null ? null : declared;
}

function chunksOf(
  { meta: { path }, chunks: listed }: ListedPage,
  declared: ReadonlyMap<string, DeclaredChunk>,
  textOfRef: (ref: string) => string,
): readonly Chunk[] | null {
  const [declaredIdOf, idOf] = [createChunkIds(path), createChunkIds(path)];
  const chunks: Chunk[] = [];
  const ids = new Set(listed.map(({ ref }) => declared.get(ref)?.id));
  for (const { ref, ordinal: _ordinal, sourceLines: _sourceLines, ...fields } of listed) {
    const written = textOfRef(ref);
    const writtenHash = sha256Hex(written);
    const expected = declared.get(ref);
    const isAsDeclared = expected?.contentHash === writtenHash && ids.has(declaredIdOf(writtenHash));
    if (declared.size > 0 && !isAsDeclared) return null;
    const text = cleanText(written);
    const contentHash = text === written ? writtenHash : sha256Hex(text);
    chunks.push({ ...fields, id: idOf(contentHash), contentHash, text, tokens: estimateTokens(text) });
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

function isPagePath(path: string): boolean {
  if (!isWebPath(path)) return pathVerdict(path, 'any').admit && pathOnDisk(path) !== null;
  const url = URL.parse(path);
  return url !== null && url.href === path && url.username === '' && url.password === '' && url.hash === '';
}
