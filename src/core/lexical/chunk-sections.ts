// The sections that a chunk holds. A short page is one chunk, and its headings are to be listed all the same.

import { readHeading } from '../chunk/markdown/heading-text.ts';
import { scanBlocks } from '../chunk/markdown/scan-blocks.ts';
import { estimateTokens, type Chunk } from '../model/chunk.ts';

export interface ChunkSection {
  readonly headings: readonly string[];
  readonly anchor: string | null;
  readonly line: number;
  readonly tokens: number;
}

/** In the order of the text. The first is the chunk's own; the others begin at headings inside it. */
export function chunkSections(chunk: Chunk): ChunkSection[] {
  const { headings, anchor, lines, text } = chunk;
  const starts = innerHeadings(chunk);
  const own = { headings, anchor, line: lines.first, tokens: chunk.tokens };
  if (starts.length === 0) return [own];
  const tokensUpTo = (from: number, next: number): number => estimateTokens(text.slice(from, starts[next]?.start));
  return [
    { ...own, tokens: tokensUpTo(0, 0) },
    ...starts.map(({ start, ...section }, nth) => ({ ...section, tokens: tokensUpTo(start, nth + 1) })),
  ];
}

interface Inner extends Omit<ChunkSection, 'tokens'> {
  readonly start: number;
}

function innerHeadings({ kind, headings, lines, text }: Chunk): Inner[] {
  // In code a line that begins with # is a comment.
  if ((kind !== 'prose' && kind !== 'table') || !text.includes('\n#')) return [];
  const above: Array<{ readonly level: number; readonly text: string }> = [];
  const inner: Inner[] = [];
  let base = headings;
  scanBlocks(text).forEach(({ kind: block, level, start, end }, nth) => {
    if (block !== 'heading') return;
    const read = readHeading(text.slice(start, end));
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    above.push({ level, text: read.text });
    // The heading that the chunk begins with is the last of its path.
    if (nth === 0 && read.text === headings.at(-1)) base = headings.slice(0, -1);
    else if (nth > 0) {
      const path = [...base, ...above.map((heading) => heading.text)];
      inner.push({ headings: path, anchor: read.anchor, line: lines.first + lineBreaks(text, start), start });
    }
  });
  return inner;
}

function lineBreaks(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
