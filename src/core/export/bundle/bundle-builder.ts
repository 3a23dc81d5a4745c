// Builds a bundle page by page. Texts are indexed and scanned for secrets, but not retained.

import { chunkRef, chunkSlug, compareChunks } from '../../chunk/chunk-names.ts';
import {
  countLines,
  computeIndexId,
  type Bundle,
  type BundleChunk,
  type BundleMeta,
  type BundlePage,
  type BundlePageMeta,
  type ExportedPage,
  type PageList,
} from './bundle.ts';
import { oneLine } from './markdown-files.ts';
import { scanSecrets, type SecretFinding } from '../secrets/scan-secrets.ts';
import { createIndexJsonBuilder } from './index-json.ts';
import { excerptLines } from '../../markdown/plain-lines.ts';
import type { Chunk } from '../../model/chunk.ts';
import { pinakesError } from '../../model/errors.ts';

export interface BundleBuilder {
  /** Pages must be added in the order of their paths, by code units. */
  add(page: ExportedPage): void;
  finish(): Bundle;
}

const SUMMARY_CHARS = 100;
/** More findings add nothing to the report. */
const MAX_FINDINGS = 1000;

export function createBundleBuilder(meta: BundleMeta, options: { readonly index: boolean }): BundleBuilder {
  const pages = createPageList();
  const files: Array<Pick<BundlePageMeta, 'path' | 'hash'>> = [];
  const secrets: SecretFinding[] = [];
  const index = options.index ? createIndexJsonBuilder() : null;
  let chunks = 0;
  let tokens = 0;
  let last: string | null = null;

  function toBundleChunk(page: ExportedPage, chunk: Chunk, ordinal: number): BundleChunk {
    const { text, ...fields } = chunk;
    index?.add({ path: page.path, title: page.title, chunk });
    if (secrets.length < MAX_FINDINGS) secrets.push(...scanSecrets(text, page.path, chunk.lines.first));
    const ref = chunkRef(chunks);
    chunks += 1;
    tokens += chunk.tokens;
    return { ...fields, ref, slug: chunkSlug(chunk), ordinal, textLines: countLines(text), summary: summarize(text) };
  }

  return {
    add(page) {
      if (last !== null && page.path <= last) throw pinakesError('internal', { why: 'pages of a bundle out of order' });
      last = page.path;
      const ordered = page.chunks.map((chunk, ordinal) => ({ path: page.path, chunk, ordinal })).sort(compareChunks);
      const { path, title, description, language, mediaType, hash, imageExtension } = page;
      const pageMeta = { path, title, description, language, mediaType, hash, imageExtension };
      files.push({ path, hash });
      pages.add({ ...pageMeta, chunks: ordered.map(({ chunk, ordinal }) => toBundleChunk(page, chunk, ordinal)) });
    },
    finish() {
      const indexJson = index === null ? null : () => index.parts();
      return { meta, indexId: computeIndexId(files), pages, chunks, tokens, indexJson, secrets };
    },
  };
}

function summarize(text: string): string {
  return oneLine(excerptLines(text.slice(0, SUMMARY_CHARS * 8)).join(' '), SUMMARY_CHARS);
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
