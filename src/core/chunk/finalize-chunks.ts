// The last step of every chunker: drafts get their text, line numbers, hash and id. `joinChunks` is the inverse.

import { cleanText } from '../extract/decode/clean-text.ts';
import { chunkId, estimateTokens, type Chunk } from '../model/chunk.ts';
import type { Document } from '../model/document.ts';
import { sha256Hex } from '../model/hash.ts';
import { chunkPath } from './chunk-names.ts';
import type { ChunkLimits, ChunkResult, ChunkWarning, RepeatedText } from './chunker.ts';
import { createLineCounter } from './text-units.ts';
import type { ChunkDraft } from './unit.ts';

const LINE_FEED = 0x0a;

/** `drafts` are in document order and do not overlap. */
export function finalizeChunks(
  document: Document,
  drafts: readonly ChunkDraft[],
  limits: ChunkLimits,
  earlierWarnings: readonly ChunkWarning[] = [],
): ChunkResult {
  const { text } = document;
  const path = chunkPath(document.url);
  const warnings = [...earlierWarnings];
  const chunks: Chunk[] = [];
  const repeats: RepeatedText[] = [];
  const seen = new Map<string, number>();
  const lineAt = createLineCounter(text);
  for (const draft of isBlank(text) ? [] : drafts) {
    const { start, end } = trimBlankLines(text, draft);
    if (start === end) continue;
    const first = lineAt(start);
    if (chunks.length === limits.maxChunks) {
      warnings.push({ kind: 'too-many-chunks', line: first, limit: limits.maxChunks });
      break;
    }
    const after = draft.after === '' ? '' : `\n${draft.after.replace(/\n$/, '')}`;
    const body = draft.before + text.slice(start, end) + after;
    const contentHash = sha256Hex(body);
    const nth = seen.get(contentHash) ?? 0;
    seen.set(contentHash, nth + 1);
    if (draft.before !== '' || after !== '') {
      repeats.push({ chunk: chunks.length, before: draft.before.length, after: after.length });
    }
    chunks.push({
      id: chunkId(path, contentHash, nth),
      contentHash,
      passageKind: draft.passageKind,
      headings: draft.headings,
      anchor: draft.anchor,
      // Keys of structured data may be escaped in the text.
      symbol: draft.symbol && cleanText(draft.symbol),
      jsonPath: draft.jsonPath && cleanText(draft.jsonPath),
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

/** Drops empty lines around a draft. A line of spaces stays: it may be significant inside code. */
function trimBlankLines(text: string, draft: ChunkDraft): { readonly start: number; readonly end: number } {
  let { start, end } = draft;
  while (start < end && text.charCodeAt(start) === LINE_FEED) start += 1;
  while (end > start && text.charCodeAt(end - 1) === LINE_FEED) end -= 1;
  return { start, end };
}

/**
 * The document's text, rebuilt from its chunks. Apart from repeated text, chunks are slices of the text without the empty
 * lines between them; their line numbers tell how many there were (none if a line was cut). Empty lines at the start and
 * the end of the document are not restored.
 */
export function joinChunks({ chunks, repeats }: Pick<ChunkResult, 'chunks' | 'repeats'>): string {
  const repeatByChunk = new Map(repeats.map((repeat) => [repeat.chunk, repeat]));
  let text = '';
  let previous: Chunk | null = null;
  chunks.forEach((chunk, index) => {
    const repeat = repeatByChunk.get(index);
    if (previous !== null) text += '\n'.repeat(Math.max(0, chunk.lines.first - previous.lines.last));
    text += chunk.text.slice(repeat?.before ?? 0, chunk.text.length - (repeat?.after ?? 0));
    previous = chunk;
  });
  return text;
}
