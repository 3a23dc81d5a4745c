// The search rows of a store, read into memory and indexed by core alone: the engine that a browser has.

import { chunkPath } from '../../../src/core/chunk/chunk-path.ts';
import { createSegmentDraft } from '../../../src/core/lexical/segment/segment-builder.ts';
import { memorySegment, type MemorySegment, type SegmentPostings } from '../../../src/core/lexical/segment/segment.ts';
import type { VersionId } from '../../../src/core/model/run.ts';
import type { FoundChunk, SearchRows, Source, Store, StoredChunk } from '../../../src/store/port.ts';

interface LoadedVersion {
  readonly segment: MemorySegment;
  readonly id: number;
  readonly pages: ReadonlyArray<{ readonly chunks: readonly StoredChunk[]; readonly kind: string | null }>;
  readonly source: Source;
}

async function load(store: Store, source: Source, version: VersionId): Promise<LoadedVersion> {
  const draft = createSegmentDraft();
  const pages: Array<LoadedVersion['pages'][number]> = [];
  let after: string | null = null;
  do {
    const piece = await store.pages.list(version, after, 500);
    after = piece.after;
    for (const page of piece.pages) {
      const chunks = await store.pages.chunksOf(version, page.url);
      const kind = (await store.pages.get(version, page.url))?.facts['kind'];
      draft.addPage(chunks.map((chunk) => ({ path: chunkPath(page.url), title: page.title, chunk })));
      pages.push({ chunks, kind: typeof kind === 'string' ? kind : null });
    }
  } while (after !== null);
  return { segment: memorySegment(draft), id: version, pages, source };
}

type Searching = Pick<SearchRows, 'postings' | 'resolve' | 'nearTerms' | 'placesOf'>;

export async function memoryRows(store: Store): Promise<Searching> {
  const loaded = new Map<VersionId, LoadedVersion>();
  for (const source of await store.sources.list()) {
    for (const { id } of source.versions) loaded.set(id, await load(store, source, id));
  }
  const among = (versions: readonly VersionId[]): LoadedVersion[] =>
    versions.flatMap((version) => loaded.get(version) ?? []);
  return {
    postings: async (versions, terms) => {
      const own = among(versions);
      return {
        chunks: own.reduce((total, { segment }) => total + segment.chunks, 0),
        having: terms.map((term) => own.reduce((total, one) => total + (one.segment.terms.get(term)?.count ?? 0), 0)),
        segments: own.map(({ segment, id }): SegmentPostings => {
          const postings = terms.flatMap((term, at) => {
            const found = segment.terms.get(term);
            return found === undefined ? [] : [[at, found.bytes] as const];
          });
          return { id, chunks: segment.chunks, pageStarts: segment.pageStarts, postings: new Map(postings) };
        }),
      };
    },
    resolve: async (places) =>
      places.flatMap((place): FoundChunk[] => {
        const version = loaded.get(place.segment as VersionId);
        const page = version?.pages[place.page];
        const chunk = page?.chunks[place.position];
        if (version === undefined || page === undefined || chunk === undefined) return [];
        return [{ place, chunk, source: version.source.id, pageKind: page.kind }];
      }),
    nearTerms: async (versions, prefix, { least, most }) =>
      among(versions).flatMap(({ segment }) =>
        [...segment.terms]
          .filter(([term]) => term.startsWith(prefix) && term.length >= least && term.length <= most)
          .map(([term, { count }]) => ({ term, having: count })),
      ),
    placesOf: () => Promise.reject(new Error('evaluations use no filters')),
  };
}
