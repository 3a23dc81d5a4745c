// The chunks of a loaded page as payloads of a vector store: the fields of the page, and those of the chunk, in one flat object.

import { bundleLimits } from '../../core/chunk/chunker.ts';
import { markdownChunker } from '../../core/chunk/markdown/markdown-chunker.ts';
import { uuidOf } from '../../core/export/records/page-records.ts';
import { extractMarkdown } from '../../core/extract/markdown/markdown.ts';
import { pageUrl } from '../../core/model/page-url.ts';
import type { LoadedPage, PageMetadata } from './loaded-page.ts';

/**
 * Text and numbers, never null.
 *
 * @example
 * const pointOf = ({ id, ...payload }: LoadedChunk) => ({ id, payload });
 */
export interface LoadedChunk extends PageMetadata {
  /** Id of the chunk on its page, written as a UUID: the same text on the same page has the same id. */
  readonly id: string;
  /** From 0, in the order of the page. */
  readonly chunk_index: number;
  readonly chunk_text: string;
  /** Headings down to the chunk, joined by ` > `. */
  readonly section_path: string;
  /** Level of its last heading; 0 without one. */
  readonly heading_level: number;
  /** SHA-256 of `chunk_text`. */
  readonly content_hash: string;
}

/**
 * Chunks at headings, in linear time. `targetChars` is the size that chunks of a longer text have, about.
 *
 * @example
 * const [page] = await loadPages(['https://docs.example.dev/guide']);
 * const texts = page ? chunkPage(page).map(({ chunk_text }) => chunk_text) : [];
 */
export function chunkPage(
  { text, metadata }: Pick<LoadedPage, 'text' | 'metadata'>,
  { targetChars = WEB_TARGET_CHARS }: { readonly targetChars?: number } = {},
): LoadedChunk[] {
  const { document } = extractMarkdown({ url: pageUrl(metadata.source_url), text, isMdx: false });
  const title = metadata.title === '' ? document.title : metadata.title;
  const limits = { ...bundleLimits, targetChars, capChars: 2 * targetChars, cutsAtHeadings: false };
  const { chunks } = markdownChunker.chunk({ ...document, title }, limits);
  return chunks.map(({ id, headings, text: chunkText, contentHash }, at) => ({
    ...metadata,
    id: uuidOf(`${metadata.source_url}\n${id}`),
    chunk_index: at,
    chunk_text: chunkText,
    section_path: headings.join(' > '),
    heading_level: headings.length,
    content_hash: contentHash,
  }));
}

/** Chunk sizes that search finds best in web pages. */
const WEB_TARGET_CHARS = 1200;
