// An index held in memory: one segment per version, searched by the same code as the segments of the stores.

import { chunkPath } from '../../chunk/chunk-names.ts';
import type { Chunk } from '../../model/chunk.ts';
import type { OutlineEntry } from '../../model/document.ts';
import { fileKindOf } from '../../files/file-kind.ts';
import { createLruCache } from '../../lru-cache.ts';
import type { PageUrl } from '../../model/page-url.ts';
import type { SourceId, VersionId } from '../../model/run.ts';
import { chunkVector, type WordTable } from '../../vector/word-vectors.ts';
import { chunkMatches, matchesFilter } from '../query/search-filter.ts';
import { chunkRefKey, type ChunkRef, type FoundChunk, type IndexReader } from '../query/index-reader.ts';
import { createSegmentCandidates } from '../query/segment-candidates.ts';
import { createSegmentBuilder, type SegmentTerm } from './segment-builder.ts';
import type { ChunkPosition, PagePosition, PostingRow, SegmentReader } from './segment-reader.ts';
import { pageStartsOf, type SegmentShape } from './segment.ts';
import { firstTermFrom } from './first-term-from.ts';

export interface MemoryPage {
  readonly url: PageUrl;
  readonly title: string;
  /** As classified by core/classify; null if unknown. */
  readonly pageKind: string | null;
  /** Decides on the kind of the file, which is unknown without it. */
  readonly mediaType?: string;
  readonly checkedAt: Date;
  /** Pages that link to it; 0 if unknown. */
  readonly inlinks?: number;
  /** Chunks in page order. */
  readonly chunks: readonly Chunk[];
  /** Its headings, by which passages are cut; without them a passage may span the sections of a chunk. */
  readonly outline?: readonly OutlineEntry[];
}

export interface MemoryVersion {
  readonly id: VersionId;
  readonly source: SourceId;
  readonly pages: readonly MemoryPage[];
  /** The segment of these pages in this order; built from them if absent. */
  readonly segment?: MemorySegment;
}

/** Flat arrays: an object per term would take more memory than its postings. */
export interface MemorySegment extends SegmentShape {
  /** Sorted by code units. */
  readonly terms: readonly string[];
  /** Number of chunks that contain each term. */
  readonly counts: Uint32Array;
  /** The postings of term `t` are the bytes from `offsets[t]` to `offsets[t + 1]`. */
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Chunks whose word vectors are kept: those of the last queries. */
const CACHED_VECTORS = 4096;

/** Word vectors are computed when they are read, with the table that `words` returns; without one there are none. */
export function createMemoryIndex(
  versions: readonly MemoryVersion[],
  words: () => WordTable | null = () => null,
): IndexReader {
  const all = versions.map(({ segment, ...version }) => ({ ...version, segment: segment ?? buildSegment(version) }));
  const byId = new Map(all.map((version) => [version.id, version]));
  let indexes: ReadonlyMap<VersionId, ReadonlyMap<PageUrl, number>> | null = null;
  const pagesByUrl = (): NonNullable<typeof indexes> =>
    (indexes ??= new Map(all.map(({ id, pages }) => [id, new Map(pages.map(({ url }, at) => [url, at]))])));
  const chunksAt = (refs: readonly ChunkRef[]): FoundChunk[] =>
    refs.flatMap(({ version, url, ordinal }) => {
      const found = byId.get(version);
      const pageIndex = pagesByUrl().get(version)?.get(url);
      return found === undefined || pageIndex === undefined ? [] : chunkAt(found, pageIndex, ordinal);
    });
  const vectors = createLruCache<string, Uint8Array | null>(CACHED_VECTORS);
  const vectorAt = (table: WordTable, ref: ChunkRef): Uint8Array | null => {
    const key = chunkRefKey(ref);
    let vector = vectors.get(key);
    if (vector === undefined) {
      const [found] = chunksAt([ref]);
      vector = found === undefined ? null : chunkVector(table, found.chunk);
      vectors.set(key, vector);
    }
    return vector;
  };
  return {
    ...createSegmentCandidates(createMemorySegments(all)),
    chunks: async (refs) => chunksAt(refs),
    passages: async (refs) =>
      refs.flatMap((ref) => {
        const page = byId.get(ref.version)?.pages[pagesByUrl().get(ref.version)?.get(ref.url) ?? -1];
        const outline = ref.withOutline ? (page?.outline ?? []) : null;
        return chunksAt([ref]).map(({ chunk }) => ({ ...chunk, outline }));
      }),
    async wordVectors(refs) {
      const table = words();
      return refs.flatMap((ref, at) => {
        const vector = table === null ? null : vectorAt(table, ref);
        return vector === null ? [] : [{ at, vector }];
      });
    },
  };
}

type IndexedVersion = MemoryVersion & { readonly segment: MemorySegment };

/** The id of a segment is that of its version. */
function createMemorySegments(versions: readonly IndexedVersion[]): SegmentReader {
  const byId = new Map<number, IndexedVersion>(versions.map((version) => [version.id, version]));
  const selected = (ids: readonly VersionId[]): readonly IndexedVersion[] =>
    versions.filter(({ id }) => ids.includes(id));
  return {
    segments: async (ids) =>
      selected(ids).map(({ id, segment: { chunks, pageStarts } }) => ({ id, chunks, pageStarts })),
    postings: async (pairs) =>
      pairs.flatMap(({ segment, term }) => readTerm(byId.get(segment)?.segment, segment, term)),
    pagesAt: async (positions) =>
      positions.flatMap(({ segment, pageIndex }: PagePosition) => {
        const version = byId.get(segment);
        const url = version?.pages[pageIndex]?.url;
        return version === undefined || url === undefined ? [] : [{ segment, pageIndex, version: version.id, url }];
      }),
    countSearched: async (segmentIds) => segmentIds.length,
    filterColumns: async () => [],
    positionsMatching: async (segmentIds, filter) =>
      versions.flatMap(({ id, pages }) =>
        (segmentIds.includes(id) ? pages : []).flatMap(({ url, pageKind, mediaType = '', chunks }, pageIndex) => {
          const page = { path: chunkPath(url), pageKind, fileKind: fileKindOf(mediaType) };
          return chunks.flatMap((chunk, ordinal): ChunkPosition[] =>
            matchesFilter(filter, { ...page, chunk }) ? [{ segment: id, pageIndex, ordinal }] : [],
          );
        }),
      ),
    chunksMatching: async (positions, filter) =>
      positions.flatMap(({ segment, pageIndex }) =>
        (byId.get(segment)?.pages[pageIndex]?.chunks ?? []).flatMap((chunk, ordinal): ChunkPosition[] =>
          chunkMatches(filter, chunk) ? [{ segment, pageIndex, ordinal }] : [],
        ),
      ),
    async termsWithPrefix(ids, prefix, { min, max }) {
      const docFrequencies = new Map<string, number>();
      for (const { segment } of selected(ids)) {
        for (let at = firstTermFrom(segment.terms, prefix); segment.terms[at]?.startsWith(prefix) === true; at += 1) {
          const term = segment.terms[at] ?? '';
          if (term.length < min || term.length > max) continue;
          docFrequencies.set(term, (docFrequencies.get(term) ?? 0) + (segment.counts[at] ?? 0));
        }
      }
      return Array.from(docFrequencies, ([term, docFrequency]) => ({ term, docFrequency }));
    },
  };
}

function readTerm(found: MemorySegment | undefined, segment: number, term: string): PostingRow[] {
  const at = found === undefined ? -1 : firstTermFrom(found.terms, term);
  if (found?.terms[at] !== term) return [];
  const bytes = found.bytes.subarray(found.offsets[at], found.offsets[at + 1]);
  return [{ segment, term, bytes }];
}

function chunkAt({ id, source, pages }: MemoryVersion, pageIndex: number, ordinal: number): FoundChunk[] {
  const found = pages[pageIndex];
  const chunk = found?.chunks[ordinal];
  if (found === undefined || chunk === undefined) return [];
  const { url, title, checkedAt, pageKind, chunks, inlinks = 0 } = found;
  const page = { version: id, url, title, chunks: chunks.length, inlinks, checkedAt };
  return [{ chunk: { ...chunk, ordinal, page }, source, pageKind }];
}

function buildSegment({ pages }: Pick<MemoryVersion, 'pages'>): MemorySegment {
  const packer = createSegmentPacker();
  for (const page of pages) packer.addPage(page);
  return packer.pack();
}

export interface SegmentPacker {
  addPage(page: Pick<MemoryPage, 'url' | 'title' | 'chunks'>): void;
  pack(): MemorySegment;
}

/** For pages that come one after the other. */
export function createSegmentPacker(): SegmentPacker {
  const builder = createSegmentBuilder();
  return {
    addPage({ url, title, chunks }) {
      const path = chunkPath(url);
      builder.addPage(chunks.map((chunk) => ({ path, title, chunk })));
    },
    pack: () => packSegment(builder.pageSizes, builder.terms()),
  };
}

/** From the number of chunks of each page, and the terms in order. */
export function packSegment(pageSizes: readonly number[], sortedTerms: Iterable<SegmentTerm>): MemorySegment {
  const terms: string[] = [];
  const counts: number[] = [];
  const offsets = [0];
  let bytes = new Uint8Array(65_536);
  let size = 0;
  for (const { term, count, bytes: postings } of sortedTerms) {
    if (size + postings.length > bytes.length) {
      const larger = new Uint8Array(Math.ceil((size + postings.length) * 1.5));
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(postings, size);
    size += postings.length;
    terms.push(term);
    counts.push(count);
    offsets.push(size);
  }
  const pageStarts = pageStartsOf(pageSizes);
  return {
    chunks: pageStarts.at(-1) ?? 0,
    pageStarts,
    terms,
    counts: Uint32Array.from(counts),
    offsets: Uint32Array.from(offsets),
    bytes: bytes.slice(0, size),
  };
}
