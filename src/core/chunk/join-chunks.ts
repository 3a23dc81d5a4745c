// The inverse of chunking: proves that nothing was lost, and gives a page back when only its chunks are at hand.

import type { Chunk } from '../model/chunk.ts';
import type { ChunkResult } from './chunker.ts';

/**
 * Without what was repeated, chunks are stretches of the text with the empty lines between them left out. Their line
 * numbers tell how many: none when both ends are on one line (a cut line). Empty lines around the text are not given back.
 */
export function joinChunks({ chunks, repeats }: Pick<ChunkResult, 'chunks' | 'repeats'>): string {
  const repeated = new Map(repeats.map((repeat) => [repeat.chunk, repeat]));
  let joined = '';
  let previous: Chunk | null = null;
  chunks.forEach((chunk, index) => {
    const repeat = repeated.get(index);
    if (previous !== null) joined += '\n'.repeat(Math.max(0, chunk.lines.first - previous.lines.last));
    joined += chunk.text.slice(repeat?.before ?? 0, chunk.text.length - (repeat?.after ?? 0));
    previous = chunk;
  });
  return joined;
}
