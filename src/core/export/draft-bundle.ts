// Gathers a bundle page by page. Texts pass through: they are indexed, scanned and forgotten.

import { chunkRef, chunkSlug, compareChunks } from '../chunk/chunk-names.ts';
import { createIndexBuilder } from '../lexical/build-index.ts';
import { indexToJson } from '../lexical/index-json.ts';
import type { Chunk } from '../model/chunk.ts';
import { pinakesError } from '../model/errors.ts';
import { countLines } from './count-lines.ts';
import type { Bundle, BundleAbout, BundleChunk, BundlePage, ExportedPage } from './bundle.ts';
import { indexIdOf } from './index-id.ts';
import { oneLine, ownCopy } from './one-line.ts';
import { scanSecrets, type SecretFinding } from './secret-scan.ts';

export interface BundleDraft {
  /** Pages come in the order of their paths, by code units. */
  add(page: ExportedPage): void;
  finish(): Bundle;
}

const SUMMARY_CHARS = 100;
/** Beyond this the report says nothing new. */
const MOST_FINDINGS = 1000;

export function createBundleDraft(about: BundleAbout, options: { readonly index: boolean }): BundleDraft {
  const pages: BundlePage[] = [];
  const secrets: SecretFinding[] = [];
  const index = options.index ? createIndexBuilder() : null;
  let chunks = 0;
  let tokens = 0;
  let last: string | null = null;

  function named(page: ExportedPage, chunk: Chunk, ordinal: number): BundleChunk {
    const { text, ...facts } = chunk;
    index?.add({ path: page.path, title: page.title, chunk });
    if (secrets.length < MOST_FINDINGS) secrets.push(...scanSecrets(text, page.path, chunk.lines.first));
    const ref = chunkRef(chunks);
    chunks += 1;
    tokens += chunk.tokens;
    return { ...facts, ref, slug: chunkSlug(chunk), ordinal, textLines: countLines(text), summary: summaryOf(text) };
  }

  return {
    add(page) {
      if (last !== null && page.path <= last) throw pinakesError('internal', { why: 'pages of a bundle out of order' });
      last = page.path;
      const ordered = page.chunks.map((chunk, ordinal) => ({ path: page.path, chunk, ordinal })).sort(compareChunks);
      const { path, title, description, language, mediaType, hash, imageEnding } = page;
      const facts = { path, title, description, language, mediaType, hash, imageEnding };
      pages.push({ ...facts, chunks: ordered.map(({ chunk, ordinal }) => named(page, chunk, ordinal)) });
    },
    finish() {
      const indexJson = index === null ? null : indexToJson(index.finish());
      return { about, indexId: indexIdOf(pages), pages, chunks, tokens, indexJson, secrets };
    },
  };
}

/** The first words that are no heading and no fence. */
function summaryOf(text: string): string {
  const lines = text.slice(0, SUMMARY_CHARS * 8).split('\n');
  const prose = lines.filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^\s{0,3}(?:#{1,6}\s|```|~~~)/.test(line));
  return ownCopy(oneLine(prose.join(' '), SUMMARY_CHARS));
}
