// An image is found by its name: one chunk with its title, description and the words of its path.

import { chunkId, estimateTokens } from '../model/chunk.ts';
import { sha256Hex } from '../model/hash.ts';
import { chunkPath } from './chunk-path.ts';
import type { Chunker } from './chunker.ts';
import { titlePlace } from './text-chunker.ts';

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
      ...titlePlace(document),
      id: chunkId(path, contentHash, 0),
      contentHash,
      kind: 'image' as const,
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
