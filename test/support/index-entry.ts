// A chunk of a page, as an index reads it.

import type { IndexEntry } from '../../src/core/lexical/segment/fields.ts';
import { chunkId, estimateTokens, type Chunk } from '../../src/core/model/chunk.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';

export function createEntry(
  path: string,
  text: string,
  overrides: Partial<Chunk> & { readonly title?: string } = {},
): IndexEntry {
  const { title = 'Guide', ...chunk } = overrides;
  const contentHash = sha256Hex(text);
  return {
    path,
    title,
    chunk: {
      id: chunkId(path, contentHash, 0),
      contentHash,
      passageKind: 'prose',
      headings: [title],
      anchor: null,
      symbol: null,
      jsonPath: null,
      text,
      lines: { first: 1, last: 1 },
      tokens: estimateTokens(text),
      ...chunk,
    },
  };
}
