// From places in segments to chunks that live now.

import type { SourceId } from '../../../core/model/run.ts';
import type { FoundChunk, SearchPlace } from '../../port.ts';
import { jsonObject } from '../codec.ts';
import { batch, type Executor } from '../engine.ts';
import { chunkOf, CHUNK_COLUMNS, PAGE_COLUMNS, type ChunkRow, type PageRow } from '../pages.ts';

/** Chunks of pages that are indexed, for whoever adds `, {rows} r` and a `where`. */
export const PLACED_CHUNKS = `select ${PAGE_COLUMNS}, ${CHUNK_COLUMNS}, pages.facts, versions.source_id, s.segment_id, s.page
   from search_pages s
   join pages on pages.version_id = s.version_id and pages.url_key = s.url_key
   join chunks on chunks.version_id = s.version_id and chunks.url_key = s.url_key
   join versions on versions.id = s.version_id`;

const chunksAt = batch(
  { segment_id: 'int', page: 'int', ordinal: 'int' },
  `${PLACED_CHUNKS}, {rows} r
   where s.segment_id = r.segment_id and s.page = r.page and chunks.ordinal = r.ordinal`,
);

export interface PlacedRow extends PageRow, ChunkRow {
  readonly facts: string;
  readonly source_id: number;
  readonly segment_id: number;
  readonly page: number;
}

/** A place whose page is gone or was indexed again has no chunk. In no particular order. */
export async function resolvePlaces(reader: Executor, places: readonly SearchPlace[]): Promise<readonly FoundChunk[]> {
  const rows = await reader.each<PlacedRow>(
    chunksAt,
    places.map(({ segment, page, position }) => [segment, page, position]),
  );
  return rows.map(foundChunkOf);
}

export function foundChunkOf(row: PlacedRow): FoundChunk {
  const { kind } = jsonObject(row.facts);
  return {
    chunk: chunkOf(row),
    source: row.source_id as SourceId,
    pageKind: typeof kind === 'string' ? kind : null,
    place: { segment: row.segment_id, page: row.page, position: row.ordinal },
  };
}
