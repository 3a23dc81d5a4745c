// Builds a bundle page by page. Texts are indexed and scanned for secrets, but not retained.

import { chunkRef, chunkSlug, compareChunks, type ChunkWithPath } from '../../chunk/chunk-names.ts';
import {
  computeIndexId,
  type Bundle,
  type BundleChunk,
  type BundleMeta,
  type BundlePage,
  type BundlePageMeta,
  type ExportedPage,
  type LeftOutFile,
  type PageList,
} from './bundle.ts';
import { isWebPath } from '../pages/page-path.ts';
import { scanSecrets, type SecretFinding } from '../secrets/scan-secrets.ts';
import { createInvertedIndex } from './index-json.ts';
import { fileKind } from '../../files/file-kind.ts';
import type { Chunk } from '../../model/chunk.ts';
import { pinakesError } from '../../model/errors.ts';

export interface BundleBuilder {
  /** Pages must be added in the order of their paths, by code units. */
  add(page: ExportedPage): void;
  finish(): Bundle;
}

/** More findings add nothing to the report. */
const MAX_FINDINGS = 1000;

export function createBundleBuilder(
  meta: BundleMeta,
  options: { readonly index: boolean; readonly leftOut?: readonly LeftOutFile[] },
): BundleBuilder {
  const pages = createPageList();
  const files: Array<Pick<BundlePageMeta, 'path' | 'hash'>> = [];
  const secrets: SecretFinding[] = [];
  const index = options.index ? createInvertedIndex() : null;
  let chunks = 0;
  let chars = 0;
  let tokens = 0;
  let last: string | null = null;

  function toBundleChunk(page: ExportedPage, { chunk, textLines, ordinal }: PlacedChunk): BundleChunk {
    const { text, ...fields } = chunk;
    index?.add({ path: page.path, title: page.title, chunk });
    if (secrets.length < MAX_FINDINGS) secrets.push(...scanSecrets(text, page.path, chunk.lines.first));
    const ref = chunkRef(chunks);
    chunks += 1;
    chars += text.length;
    tokens += chunk.tokens;
    return { ...fields, ...(textLines !== null && { textLines }), ref, slug: chunkSlug(chunk, page.path), ordinal };
  }

  return {
    add(page) {
      if (last !== null && page.path <= last)
        throw pinakesError('internal', { reason: 'pages of a bundle out of order' });
      last = page.path;
      const ordered = page.chunks.map((chunk, ordinal) => addChunk(page, chunk, ordinal)).sort(compareChunks);
      const { path, title, description, language, mediaType, hash, assetPath, warnings } = page;
      const about = { title, description, language, mediaType, hash, assetPath, warnings };
      const { pageKind, inlinks, outline } = page;
      const optional = {
        ...(pageKind !== undefined && { pageKind }),
        ...(inlinks !== undefined && { inlinks }),
        ...(outline !== undefined && isWebPath(path) && { outline }),
      };
      const pageMeta = { path, ...about, ...optional, kind: fileKind(path, mediaType) };
      files.push({ path, hash });
      pages.add({ ...pageMeta, chunks: ordered.map((placed) => toBundleChunk(page, placed)) });
    },
    finish() {
      const invertedIndex = index === null ? null : () => index.parts();
      const { leftOut = [] } = options;
      return { meta, indexId: computeIndexId(files), pages, chunks, chars, tokens, invertedIndex, secrets, leftOut };
    },
  };
}

interface PlacedChunk extends ChunkWithPath {
  readonly textLines: Chunk['lines'] | null;
  readonly ordinal: number;
}

/** A chunk with the lines of its file. */
function addChunk({ path, sourceLines }: ExportedPage, chunk: Chunk, ordinal: number): PlacedChunk {
  const lines = sourceLines?.[ordinal];
  if (lines === undefined) return { path, chunk, ordinal, textLines: null };
  return { path, chunk: { ...chunk, lines }, ordinal, textLines: chunk.lines };
}

interface PageListWriter extends PageList {
  add(page: BundlePage): void;
}

/** Serialised to bytes: as objects, the metadata of tens of thousands of chunks would take several times the memory. */
function createPageList(): PageListWriter {
  const serialized: Uint8Array[] = [];
  return {
    get size() {
      return serialized.length;
    },
    add(page) {
      serialized.push(new TextEncoder().encode(JSON.stringify(page)));
    },
    *[Symbol.iterator]() {
      for (const bytes of serialized) yield JSON.parse(new TextDecoder().decode(bytes)) as BundlePage;
    },
  };
}
