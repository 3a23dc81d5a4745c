// The search index of a store, loaded into memory and searched by core alone.

import { chunkPath } from '../../../src/core/chunk/chunk-names.ts';
import { createSegmentBuilder } from '../../../src/core/lexical/segment/segment-builder.ts';
import { memorySegment, type MemorySegment, type SegmentPostings } from '../../../src/core/lexical/segment/segment.ts';
import type { VersionId } from '../../../src/core/model/run.ts';
import type { FoundChunk, SearchIndex, Source, Store, StoredChunk } from '../../../src/store/port.ts';

interface LoadedVersion {
  readonly segment: MemorySegment;
  readonly id: number;
  readonly pages: ReadonlyArray<{ readonly chunks: readonly StoredChunk[]; readonly kind: string | null }>;
  readonly source: Source;
}

async function load(store: Store, source: Source, version: VersionId): Promise<LoadedVersion> {
  const builder = createSegmentBuilder();
  const pages: Array<LoadedVersion['pages'][number]> = [];
  let cursor: string | null = null;
  do {
    const batch = await store.pages.list(version, cursor, 500);
    cursor = batch.after;
    for (const page of batch.pages) {
      const chunks = await store.pages.chunksOf(version, page.url);
      const kind = (await store.pages.get(version, page.url))?.facts['pageKind'];
      builder.addPage(chunks.map((chunk) => ({ path: chunkPath(page.url), title: page.title, chunk })));
      pages.push({ chunks, kind: typeof kind === 'string' ? kind : null });
    }
  } while (cursor !== null);
  return { segment: memorySegment(builder), id: version, pages, source };
}

type SearchReads = Pick<SearchIndex, 'postings' | 'resolve' | 'areSearched' | 'termsWithPrefix' | 'positionsMatching'>;

export async function createMemoryIndex(store: Store): Promise<SearchReads> {
  const loaded = new Map<VersionId, LoadedVersion>();
  for (const source of await store.sources.list()) {
    for (const { id } of source.versions) loaded.set(id, await load(store, source, id));
  }
  const loadedOf = (versions: readonly VersionId[]): LoadedVersion[] =>
    versions.flatMap((version) => loaded.get(version) ?? []);
  return {
    postings: async (versions, terms) => {
      const searched = loadedOf(versions);
      return {
        chunks: searched.reduce((total, { segment }) => total + segment.chunks, 0),
        docFrequencies: terms.map((term) =>
          searched.reduce((total, one) => total + (one.segment.terms.get(term)?.count ?? 0), 0),
        ),
        segmentIds: searched.map(({ id }) => id),
        segments: searched.map(({ segment, id }): SegmentPostings => {
          const postings = terms.flatMap((term, at) => {
            const found = segment.terms.get(term);
            return found === undefined ? [] : [[at, found.bytes] as const];
          });
          return { id, chunks: segment.chunks, pageStarts: segment.pageStarts, postings: new Map(postings) };
        }),
      };
    },
    resolve: async (positions) =>
      positions.flatMap((position): FoundChunk[] => {
        const version = loaded.get(position.segment as VersionId);
        const page = version?.pages[position.pageIndex];
        const chunk = page?.chunks[position.position];
        if (version === undefined || page === undefined || chunk === undefined) return [];
        return [{ position, chunk, source: version.source.id, pageKind: page.kind }];
      }),
    termsWithPrefix: async (versions, prefix, { min, max }) =>
      loadedOf(versions).flatMap(({ segment }) =>
        [...segment.terms]
          .filter(([term]) => term.startsWith(prefix) && term.length >= min && term.length <= max)
          .map(([term, { count }]) => ({ term, docFrequency: count })),
      ),
    areSearched: async () => true,
    positionsMatching: () => Promise.reject(new Error('evaluations use no filters')),
  };
}
