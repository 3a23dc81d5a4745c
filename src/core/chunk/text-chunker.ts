// Plain text is cut between paragraphs. It is also what other formats fall back to.

import type { ChunkKind } from '../model/chunk.ts';
import type { Document } from '../model/document.ts';
import type { Chunker, ChunkLimits, ChunkResult, ChunkWarning } from './chunker.ts';
import { namePieces } from './finalize-chunks.ts';
import { piecesOfUnits } from './draft-chunks.ts';
import { lineCutWarnings, textUnits } from './text-units.ts';
import type { Place } from './unit.ts';

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
  kind: ChunkKind,
  warnings: readonly ChunkWarning[] = [],
): ChunkResult {
  const { text } = document;
  const { units, cutLines } = textUnits(text, { start: 0, end: text.length, kind }, limits);
  const pieces = piecesOfUnits(text, units, titlePlace(document), limits);
  return namePieces(document, pieces, limits, [...warnings, ...lineCutWarnings(text, cutLines)]);
}

/** Where a chunk stands that has no section of its own. */
export function titlePlace({ title }: Document): Place {
  return { headings: title === '' ? [] : [title], anchor: null, symbol: null, address: null };
}
