// Gathers a bundle page by page. Texts pass through: they are indexed, scanned and forgotten.

import { chunkRef, chunkSlug, compareChunks } from '../../chunk/chunk-names.ts';
import { createIndexDraft } from '../../lexical/standalone/index-builder.ts';
import { draftToJson } from '../../lexical/standalone/index-json.ts';
import type { Chunk } from '../../model/chunk.ts';
import { pinakesError } from '../../model/errors.ts';
import { countLines } from '../count-lines.ts';
import type { Bundle, BundleAbout, BundleChunk, ExportedPage, PageFacts } from './bundle.ts';
import { indexIdOf } from '../index-id.ts';
import { oneLine } from '../one-line.ts';
import { createPageList } from '../page-list.ts';
import { scanSecrets, type SecretFinding } from '../secrets/scan-secrets.ts';

export interface BundleDraft {
  /** Pages come in the order of their paths, by code units. */
  add(page: ExportedPage): void;
  finish(): Bundle;
}

const SUMMARY_CHARS = 100;
/** Beyond this the report says nothing new. */
const MOST_FINDINGS = 1000;

export function createBundleDraft(about: BundleAbout, options: { readonly index: boolean }): BundleDraft {
  const pages = createPageList();
  const files: Array<Pick<PageFacts, 'path' | 'hash'>> = [];
  const ids: string[] = [];
  const secrets: SecretFinding[] = [];
  const index = options.index ? createIndexDraft() : null;
  let chunks = 0;
  let tokens = 0;
  let last: string | null = null;

  function named(page: ExportedPage, chunk: Chunk, ordinal: number): BundleChunk {
    const { text, ...facts } = chunk;
    index?.add({ path: page.path, title: page.title, chunk });
    if (secrets.length < MOST_FINDINGS) secrets.push(...scanSecrets(text, page.path, chunk.lines.first));
    if (index !== null) ids.push(chunk.id);
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
      files.push({ path, hash });
      pages.add({ ...facts, chunks: ordered.map(({ chunk, ordinal }) => named(page, chunk, ordinal)) });
    },
    finish() {
      const indexJson = index === null ? null : () => draftToJson(index, ids);
      return { about, indexId: indexIdOf(files), pages, chunks, tokens, indexJson, secrets };
    },
  };
}

/** The first words that are no heading and no fence. */
function summaryOf(text: string): string {
  const lines = text.slice(0, SUMMARY_CHARS * 8).split('\n');
  const prose = lines.filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^\s{0,3}(?:#{1,6}\s|```|~~~)/.test(line));
  return oneLine(prose.join(' '), SUMMARY_CHARS);
}
