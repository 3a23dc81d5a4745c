// The data that a search reads: candidates of a search engine, and the chunks and headings of pages as the store has them now. A
// candidate that the store does not have any more is dropped, so an index that lags never shows a removed page.

import type { Chunk } from '../../model/chunk.ts';
import type { OutlineEntry } from '../../model/document.ts';
import type { PageUrl } from '../../model/page-url.ts';
import type { SourceId, VersionId } from '../../model/run.ts';
import type { CandidateIndex, PageRef } from './index-query.ts';

export interface ChunkRef extends PageRef {
  /** 0-based position in the page. */
  readonly ordinal: number;
}

/** A key of the chunk in maps. */
export function chunkRefKey({ version, url, ordinal }: ChunkRef): string {
  return `${version} ${ordinal} ${url}`;
}

/** The part of a chunk that a search ranks by and shows. A query reads a hundred of them, so it is kept small. */
export interface FoundPassage extends Pick<
  Chunk,
  'id' | 'contentHash' | 'headings' | 'anchor' | 'symbol' | 'text' | 'lines'
> {
  /** 0-based position in the page. */
  readonly ordinal: number;
  readonly page: {
    readonly version: VersionId;
    readonly url: PageUrl;
    readonly title: string;
    readonly chunks: number;
    /** Pages of the source whose text links to it, as counted at the end of the last run. */
    readonly inlinks: number;
    readonly checkedAt: Date;
  };
}

export interface FoundChunk {
  readonly chunk: FoundPassage;
  readonly source: SourceId;
  /** The page's classification by core/classify. */
  readonly pageKind: string | null;
}

export interface PassageRef extends ChunkRef {
  /** Whether the headings of its page are wanted as well; they are long, so with one of its passages. */
  readonly withOutline: boolean;
}

/** Each method leaves out what does not exist any more, and returns the rest in no particular order. */
export interface ChunkReader {
  chunks(refs: readonly ChunkRef[]): Promise<readonly FoundChunk[]>;
  /** Passages and headings of a page are of one revision of it. */
  passages(
    refs: readonly PassageRef[],
  ): Promise<ReadonlyArray<FoundPassage & { readonly outline: readonly OutlineEntry[] | null }>>;
  /** Stored word vectors of chunks, without their texts. A chunk without one is left out; `at` is the index of its place. */
  wordVectors(refs: readonly ChunkRef[]): Promise<ReadonlyArray<{ readonly at: number; readonly vector: Uint8Array }>>;
}

export interface IndexReader extends CandidateIndex, ChunkReader {}
