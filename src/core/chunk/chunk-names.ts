// The short names of a chunk: for people (slug), for a citation (short id), for the files of a bundle (ref).

import type { Chunk, ChunkId } from '../model/chunk.ts';

const MAX_SLUG_CHARS = 60;

/** The first 12 hexadecimal digits of the id. */
export function shortChunkId(id: ChunkId): string {
  return id.slice(0, 12);
}

/** From the symbol, else the last heading, else the address: letters and digits of any script, joined by hyphens. */
export function chunkSlug(chunk: Pick<Chunk, 'symbol' | 'headings' | 'address'>): string {
  const name = chunk.symbol ?? chunk.address ?? chunk.headings.at(-1) ?? '';
  const slug = name
    .slice(0, MAX_SLUG_CHARS * 4)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return Array.from(slug).slice(0, MAX_SLUG_CHARS).join('').replace(/-$/, '') || 'chunk';
}

export interface PathedChunk {
  readonly path: string;
  readonly chunk: Chunk;
}

/** Order of a bundle: by path, then lines, then id; the same whatever order the files came in. */
export function compareChunks(left: PathedChunk, right: PathedChunk): number {
  return (
    compareText(left.path, right.path) ||
    left.chunk.lines.first - right.chunk.lines.first ||
    left.chunk.lines.last - right.chunk.lines.last ||
    compareText(left.chunk.id, right.chunk.id)
  );
}

/** `c0001` and on, in base 36, for chunks in the order of `compareChunks`. */
export function chunkRef(position: number): string {
  return `c${(position + 1).toString(36).padStart(4, '0')}`;
}

/** By code units: `localeCompare` differs between machines. */
function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
