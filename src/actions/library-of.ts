// The chunks of a source as entries of an index, for lists that need no query. A source that is larger than `maxChunks`
// is cut, and the answer says so.

import { chunkPath } from '../core/chunk/chunk-path.ts';
import type { IndexEntry, LexicalIndex } from '../core/lexical/lexical-index.ts';
import { compareChunks } from '../core/chunk/chunk-names.ts';
import type { Store, Version } from '../store/port.ts';

const PIECE = 500;

/** Lists read entries only; nothing here can be searched. */
export async function listableOf(
  store: Store,
  version: Version,
  { pathPrefix, maxChunks }: { readonly pathPrefix: string; readonly maxChunks: number },
): Promise<{ readonly index: LexicalIndex; readonly cut: boolean }> {
  const entries: IndexEntry[] = [];
  let cut = false;
  let after: string | null = null;
  do {
    const piece = await store.pages.list(version.id, after, PIECE);
    after = piece.after;
    for (const page of piece.pages) {
      const path = chunkPath(page.url);
      if (!path.startsWith(pathPrefix)) continue;
      cut ||= entries.length + page.chunks > maxChunks;
      if (cut) break;
      const chunks = await store.pages.chunksOf(version.id, page.url);
      for (const chunk of chunks) entries.push({ path, title: page.title, chunk: { ...chunk, text: '' } });
    }
  } while (after !== null && !cut);
  const none = new Uint32Array();
  const index = { terms: new Map(), offsets: none, postings: none, counts: none, lengths: none };
  return { index: { ...index, entries: entries.sort(compareChunks) }, cut };
}
