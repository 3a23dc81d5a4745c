// The search index of a store, loaded into memory and searched by core alone.

import { createMemoryIndex, type MemoryPage } from '../../../src/core/lexical/segment/memory-index.ts';
import type { IndexReader } from '../../../src/core/lexical/query/index-reader.ts';
import type { VersionId } from '../../../src/core/model/run.ts';
import { getWordTable } from '../../../src/compose/word-table.ts';
import type { Store } from '../../../src/store/port.ts';

export async function loadMemoryIndex(store: Store): Promise<IndexReader> {
  const sources = await store.sources.list();
  const versions = sources.flatMap(({ id: source, versions: all }) => all.map(({ id }) => ({ id, source })));
  const loaded: Array<Parameters<typeof createMemoryIndex>[0][number]> = [];
  for (const version of versions) loaded.push({ ...version, pages: await loadPages(store, version.id) });
  return createMemoryIndex(loaded, getWordTable);
}

async function loadPages(store: Store, version: VersionId): Promise<MemoryPage[]> {
  const pages: MemoryPage[] = [];
  let cursor: string | null = null;
  do {
    const batch = await store.pages.list(version, cursor, 500);
    cursor = batch.after;
    for (const { url, title, checkedAt, metadata } of batch.pages) {
      const chunks = await store.pages.chunksOf(version, url);
      const [start] = await store.chunks.chunks([{ version, url, ordinal: 0 }]);
      const pageKind = typeof metadata['pageKind'] === 'string' ? metadata['pageKind'] : null;
      pages.push({ url, title, checkedAt, pageKind, chunks, inlinks: start?.chunk.page.inlinks ?? 0 });
    }
  } while (cursor !== null);
  return pages;
}
