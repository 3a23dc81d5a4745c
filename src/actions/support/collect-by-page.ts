// The chunks of a source, page by page, for lists that need no query. A source that is larger than `maxChunks` is cut, and
// the answer says so.

import { chunkPath } from '../../core/chunk/chunk-path.ts';
import { compareChunks } from '../../core/chunk/chunk-names.ts';
import type { IndexEntry } from '../../core/lexical/standalone/lexical-index.ts';
import type { Store, Version } from '../../store/port.ts';

const PIECE = 500;

/** What `list` makes of each page, in the order of the paths; only that is held. */
export async function listByPage<T>(
  store: Store,
  version: Version,
  { pathPrefix, maxChunks }: { readonly pathPrefix: string; readonly maxChunks: number },
  list: (entries: readonly IndexEntry[]) => readonly T[],
): Promise<{ readonly listed: readonly T[]; readonly cut: boolean }> {
  const pages: Array<{ readonly path: string; readonly listed: readonly T[] }> = [];
  let chunks = 0;
  let cut = false;
  let after: string | null = null;
  do {
    const piece = await store.pages.list(version.id, after, PIECE);
    after = piece.after;
    for (const page of piece.pages) {
      const path = chunkPath(page.url);
      if (!path.startsWith(pathPrefix)) continue;
      chunks += page.chunks;
      cut ||= chunks > maxChunks;
      if (cut) break;
      const stored = await store.pages.chunksOf(version.id, page.url);
      const entries = stored.map((chunk) => ({ path, title: page.title, chunk }));
      pages.push({ path, listed: list(entries.sort(compareChunks)) });
    }
  } while (after !== null && !cut);
  pages.sort((left, right) => (left.path < right.path ? -1 : 1));
  return { listed: pages.flatMap(({ listed }) => listed), cut };
}
