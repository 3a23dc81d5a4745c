// JSON: a chunk for each key of the top level, elements of arrays by fifty.

import type { Chunker } from '../chunker.ts';
import { jsonRoot, jsonStructure } from '../json-structure.ts';
import { namePieces } from '../finalize-chunks.ts';
import { piecesOfStructure } from './structured-chunks.ts';
import { chunkAsText, titlePlace } from '../text-chunker.ts';
import { lineCutWarnings } from '../text-units.ts';

export const jsonChunker: Chunker = {
  name: 'json',
  version: 1,
  formats: ['json'],

  chunk(document, limits) {
    const { text } = document;
    const { headings } = titlePlace(document);
    const plan = {
      structure: jsonStructure,
      headings,
      eachOf: (keys: readonly unknown[]) => keys.length === 0,
      kindOf: () => 'data' as const,
      symbolOf: () => null,
    };
    const found = piecesOfStructure(text, jsonRoot(text), plan, limits);
    if (found !== null) return namePieces(document, found.pieces, limits, lineCutWarnings(text, found.cutLines));
    return chunkAsText(document, limits, 'data', [
      { kind: 'cut-as-text', format: 'json', because: 'neither an object nor an array with members' },
    ]);
  },
};
