// The chunks of a document as a text that a person can compare.

import type { ChunkResult } from '../../src/core/chunk/chunker.ts';
import { chunkSlug, shortChunkId } from '../../src/core/chunk/chunk-names.ts';

export function describeChunks({ chunks, warnings, repeats }: ChunkResult): string {
  const blocks = chunks.map((chunk, at) => {
    const { kind, headings, anchor, symbol, address, lines } = chunk;
    const facts = { kind, headings, anchor, symbol, address, lines, slug: chunkSlug(chunk) };
    const repeat = repeats.find((entry) => entry.chunk === at);
    return `=== ${shortChunkId(chunk.id)} ${JSON.stringify(facts)}${repeat === undefined ? '' : ` ${JSON.stringify(repeat)}`}\n${chunk.text}\n`;
  });
  return `${blocks.join('')}=== warnings ${JSON.stringify(warnings)}\n`;
}
