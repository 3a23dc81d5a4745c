// Gives pieces their text, lines, hash and id: the last step of every chunker.

import { chunkId, estimateTokens, type Chunk } from '../model/chunk.ts';
import type { Document } from '../model/document.ts';
import { sha256Hex } from '../model/hash.ts';
import { chunkPath } from './chunk-path.ts';
import type { ChunkLimits, ChunkResult, ChunkWarning, Repeat } from './chunker.ts';
import { createLineCounter } from './text-units.ts';
import type { Piece } from './unit.ts';

const LINE_FEED = 0x0a;

/** `pieces` are in document order and do not overlap. */
export function namePieces(
  document: Document,
  pieces: readonly Piece[],
  limits: ChunkLimits,
  found: readonly ChunkWarning[] = [],
): ChunkResult {
  const { text } = document;
  const path = chunkPath(document.url);
  const warnings = [...found];
  const chunks: Chunk[] = [];
  const repeats: Repeat[] = [];
  const seen = new Map<string, number>();
  const lineAt = createLineCounter(text);
  for (const piece of isBlank(text) ? [] : pieces) {
    const { start, end } = withoutBlankEdges(text, piece);
    if (start === end) continue;
    const first = lineAt(start);
    if (chunks.length === limits.maxChunks) {
      warnings.push({ kind: 'too-many-chunks', line: first, limit: limits.maxChunks });
      break;
    }
    const after = piece.after === '' ? '' : `\n${piece.after.replace(/\n$/, '')}`;
    const body = piece.before + text.slice(start, end) + after;
    const contentHash = sha256Hex(body);
    const nth = seen.get(contentHash) ?? 0;
    seen.set(contentHash, nth + 1);
    if (piece.before !== '' || after !== '') {
      repeats.push({ chunk: chunks.length, before: piece.before.length, after: after.length });
    }
    chunks.push({
      id: chunkId(path, contentHash, nth),
      contentHash,
      kind: piece.kind,
      headings: piece.headings,
      anchor: piece.anchor,
      symbol: piece.symbol,
      address: piece.address,
      text: body,
      lines: { first, last: lineAt(end) },
      tokens: estimateTokens(body),
    });
  }
  return { chunks, warnings, repeats };
}

function isBlank(text: string): boolean {
  return text.trimStart() === '';
}

/** Drops empty lines around a piece. A line of spaces stays: inside code it may matter. */
function withoutBlankEdges(text: string, piece: Piece): { readonly start: number; readonly end: number } {
  let { start, end } = piece;
  while (start < end && text.charCodeAt(start) === LINE_FEED) start += 1;
  while (end > start && text.charCodeAt(end - 1) === LINE_FEED) end -= 1;
  return { start, end };
}
