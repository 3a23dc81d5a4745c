// Chunkers of formats without structure: plain text, cut between paragraphs and the fallback of every other format, and
// images, found by their names.

import { chunkId, estimateTokens, type PassageKind } from '../model/chunk.ts';
import type { Document } from '../model/document.ts';
import { sha256Hex } from '../model/hash.ts';
import { chunkPath } from './chunk-names.ts';
import type { ChunkLimits, ChunkResult, ChunkWarning, Chunker } from './chunker.ts';
import { draftChunks } from './draft-chunks.ts';
import { finalizeChunks } from './finalize-chunks.ts';
import { lineCutWarnings, splitIntoUnits } from './text-units.ts';
import type { ChunkContext } from './unit.ts';

export const textChunker: Chunker = {
  name: 'text',
  version: 1,
  formats: ['text'],

  chunk(document, limits) {
    return chunkAsText(document, limits, 'prose');
  },
};

export function chunkAsText(
  document: Document,
  limits: ChunkLimits,
  passageKind: PassageKind,
  warnings: readonly ChunkWarning[] = [],
): ChunkResult {
  const { text } = document;
  const { units, cutLines } = splitIntoUnits(text, { start: 0, end: text.length, passageKind }, limits);
  const drafts = draftChunks(text, units, titleContext(document), limits);
  return finalizeChunks(document, drafts, limits, [...warnings, ...lineCutWarnings(text, cutLines)]);
}

/** The context of a chunk that is in no section: the document's title. */
export function titleContext({ title }: Document): ChunkContext {
  return { headings: title === '' ? [] : [title], anchor: null, symbol: null, jsonPath: null };
}

/** One chunk with the image's title, description and the words of its path. */
export const imageChunker: Chunker = {
  name: 'image',
  version: 1,
  formats: ['image'],

  chunk(document, limits) {
    const path = chunkPath(document.url);
    const lines = [document.title, document.description ?? '', document.text.trim(), lastSegment(path)];
    const text = [...new Set(lines.filter((line) => line !== ''))].join('\n').slice(0, limits.capChars);
    const contentHash = sha256Hex(text);
    const chunk = {
      ...titleContext(document),
      id: chunkId(path, contentHash, 0),
      contentHash,
      passageKind: 'image' as const,
      text,
      lines: { first: 1, last: 1 },
      tokens: estimateTokens(text),
    };
    return { chunks: [chunk], warnings: [], repeats: [] };
  },
};

function lastSegment(path: string): string {
  return (
    path
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? path
  );
}
