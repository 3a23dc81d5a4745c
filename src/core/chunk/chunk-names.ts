// Names derived from a chunk: a slug for people, a short id for citations, a ref for bundle files, and the path that its
// id is hashed from.

import type { Chunk } from '../model/chunk.ts';
import { splitSymbols } from '../model/document.ts';
import { decodePercent } from '../text/decode-percent.ts';
import type { PageUrl } from '../model/page-url.ts';
import { compareText } from '../text/compare-text.ts';

const MAX_SLUG_CHARS = 60;
/** The rest is for what the chunk is about. */
const MAX_FILE_SLUG_CHARS = 28;
const FILE_URL_ROOT = 'file:///';

/** The first 12 hexadecimal digits of the id. */
export function shortChunkId(id: string): string {
  return id.slice(0, 12);
}

/**
 * The name of its file, then its symbol, JSON path or last heading: letters and digits of any script, joined by hyphens.
 * `path` is the URL of the page, or the path of the file.
 */
export function chunkSlug(
  chunk: Pick<Chunk, 'symbol' | 'headings' | 'jsonPath'> & Partial<Pick<Chunk, 'passageKind'>>,
  path: string,
): string {
  const file = slugOf(fileStem(path), MAX_FILE_SLUG_CHARS);
  // A class is called by its name, without those of its methods.
  const symbol = chunk.symbol !== null && chunk.passageKind === 'code' ? splitSymbols(chunk.symbol)[0] : chunk.symbol;
  const name = slugOf(symbol ?? chunk.jsonPath ?? chunk.headings.at(-1) ?? '', MAX_SLUG_CHARS);
  const parts = file === name ? [file] : [file, name];
  return slugOf(parts.join(' '), MAX_SLUG_CHARS) || 'chunk';
}

function slugOf(text: string, maxChars: number): string {
  const slug = text
    .slice(0, maxChars * 4)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return Array.from(slug).slice(0, maxChars).join('').replace(/-$/, '');
}

/** The last part of a path, without its ending; of the start page of a site its host. */
function fileStem(path: string): string {
  const bare = decodePercent(path.replace(/[?#].*$/, '').replace(/\/+$/, ''));
  return bare.slice(bare.lastIndexOf('/') + 1).replace(/(?<=.)\.[a-z0-9]{1,8}$/i, '');
}

export interface ChunkWithPath {
  readonly path: string;
  readonly chunk: Chunk;
}

/** The order of a bundle: by path, then lines, then id; independent of the order in which files were read. */
export function compareChunks(left: ChunkWithPath, right: ChunkWithPath): number {
  return (
    compareText(left.path, right.path) ||
    left.chunk.lines.first - right.chunk.lines.first ||
    left.chunk.lines.last - right.chunk.lines.last ||
    compareText(left.chunk.id, right.chunk.id)
  );
}

/** `c0001`, `c0002`, … in base 36, for chunks in the order of `compareChunks`. */
export function chunkRef(position: number): string {
  return `c${(position + 1).toString(36).padStart(4, '0')}`;
}

/**
 * The path that a chunk's id is hashed from: a page's URL, or a file's path inside its folder. Files have the URL
 * `file:///` plus that relative path, so an id does not depend on where the folder is.
 */
export function chunkPath(url: PageUrl): string {
  if (!url.startsWith(FILE_URL_ROOT)) return url;
  return decodePercent(url.slice(FILE_URL_ROOT.length));
}

/** The address of a section of a page. */
export function chunkUrl(url: string, anchor: string | null): string {
  return anchor === null ? url : `${url}#${anchor}`;
}
