// The lines of the file that each chunk was read from, where the text has other lines: an HTML file.

import type { Chunk } from '../model/chunk.ts';
import type { SourceLineEntry } from '../model/document.ts';

export type LineRange = Chunk['lines'];

/**
 * One range a chunk. They never go back, so that chunks have the order of the text; a part of the page that the text moved up has
 * the lines of what it follows.
 */
export function sourceLines(chunks: readonly Pick<Chunk, 'lines'>[], origins: readonly SourceLineEntry[]): LineRange[] {
  let at = 0;
  let from = 1;
  return chunks.map(({ lines }) => {
    while ((origins[at + 1]?.line ?? Infinity) <= lines.first) at += 1;
    let [first, last] = [Infinity, 0];
    for (let next = at; next < origins.length; next += 1) {
      const origin = origins[next];
      if (origin === undefined || (next > at && origin.line > lines.last)) break;
      first = Math.min(first, origin.first);
      last = Math.max(last, origin.last);
    }
    from = Math.max(from, Number.isFinite(first) ? first : from);
    return { first: from, last: Math.max(from, last) };
  });
}

/** As the metadata of a page have them. */
export function linePairs(ranges: readonly LineRange[]): Array<[first: number, last: number]> {
  return ranges.map(({ first, last }) => [first, last]);
}

/** The inverse, for as many chunks; undefined if the metadata have none. */
export function readLinePairs(stored: unknown, chunks: number): readonly LineRange[] | undefined {
  if (!Array.isArray(stored) || stored.length !== chunks) return undefined;
  return stored.map((pair: unknown) => {
    const [first, last] = Array.isArray(pair) ? (pair as unknown[]) : [];
    return { first: Number(first), last: Number(last) };
  });
}
