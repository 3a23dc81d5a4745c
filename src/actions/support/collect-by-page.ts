// Walks the chunks of a source page by page, for lists that need no query. A source with more than `maxChunks` chunks is
// truncated, and the result says so.

import { chunkPath, compareChunks } from '../../core/chunk/chunk-names.ts';
import type { IndexEntry } from '../../core/lexical/segment/fields.ts';
import type { Store, Version } from '../../store/port.ts';

const BATCH_SIZE = 500;

/** Returns what `collect` produces for each page, sorted by path; only that is kept in memory. */
export async function collectByPage<T>(
  store: Store,
  version: Version,
  { pathPrefix, maxChunks }: { readonly pathPrefix: string; readonly maxChunks: number },
  collect: (entries: readonly IndexEntry[]) => readonly T[],
): Promise<{ readonly collected: readonly T[]; readonly truncated: boolean }> {
  const pages: Array<{ readonly path: string; readonly collected: readonly T[] }> = [];
  let chunks = 0;
  let truncated = false;
  let cursor: string | null = null;
  do {
    const batch = await store.pages.list(version.id, cursor, BATCH_SIZE);
    cursor = batch.after;
    for (const page of batch.pages) {
      const path = chunkPath(page.url);
      if (!path.startsWith(pathPrefix)) continue;
      chunks += page.chunks;
      truncated ||= chunks > maxChunks;
      if (truncated) break;
      const stored = await store.pages.chunksOf(version.id, page.url);
      const entries = stored.map((chunk) => ({ path, title: page.title, chunk }));
      pages.push({ path, collected: collect(entries.sort(compareChunks)) });
    }
  } while (cursor !== null && !truncated);
  pages.sort((left, right) => (left.path < right.path ? -1 : 1));
  return { collected: pages.flatMap(({ collected }) => collected), truncated };
}
