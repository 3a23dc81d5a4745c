// The chunks of a document as readable text for the golden files, whose records keep the former keys `kind` and
// `address` for `passageKind` and `jsonPath`.

import { chunkSlug, shortChunkId } from '../../src/core/chunk/chunk-names.ts';
import type { ChunkResult } from '../../src/core/chunk/chunker.ts';

export function describeChunks({ chunks, warnings, repeats }: ChunkResult): string {
  const blocks = chunks.map((chunk, at) => {
    const { passageKind, headings, anchor, symbol, jsonPath, lines } = chunk;
    const fields = {
      kind: passageKind,
      headings,
      anchor,
      symbol,
      address: jsonPath,
      lines,
      slug: chunkSlug(chunk, ''),
    };
    const repeat = repeats.find((entry) => entry.chunk === at);
    return `=== ${shortChunkId(chunk.id)} ${JSON.stringify(fields)}${repeat === undefined ? '' : ` ${JSON.stringify(repeat)}`}\n${chunk.text}\n`;
  });
  return `${blocks.join('')}=== warnings ${JSON.stringify(warnings)}\n`;
}
