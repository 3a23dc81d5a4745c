// From places in segments to chunks that live now.

import type { ChunkId } from '../../../core/model/chunk.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { SourceId, VersionId } from '../../../core/model/run.ts';
import type { FoundChunk, SearchPlace } from '../../port.ts';
import { hashOf, jsonObject } from '../engine/codec.ts';
import { batch, together, type Executor } from '../engine/engine.ts';
import type { ChunkRow, PageRow } from '../pages/pages.ts';

/** What is read of a chunk and its page. Each column costs time in every row. */
export const PLACED_COLUMNS = `pages.version_id, pages.url, pages.title, pages.n_chunks, pages.checked_at, pages.facts,
     chunks.pk, chunks.ordinal, chunks.chunk_id, chunks.content_hash, chunks.headings, chunks.anchor, chunks.symbol, chunks.text, chunks.first_line, chunks.last_line,
     versions.source_id, s.segment_id, s.page`;

/** Of a row of `search_pages s`. */
export const ITS_PAGE = `{then pages where pages.version_id = s.version_id and pages.url_key = s.url_key} {then versions where versions.id = s.version_id}`;

const chunksAt = together(
  batch(
    { segment_id: 'int', page: 'int', ordinal: 'int' },
    `select ${PLACED_COLUMNS} from {rows} r {then search_pages s where s.segment_id = r.segment_id and s.page = r.page}
     {then chunks where chunks.version_id = s.version_id and chunks.url_key = s.url_key and chunks.ordinal = r.ordinal} ${ITS_PAGE}`,
  ),
);

type OfPage = Pick<PageRow, 'version_id' | 'url' | 'title' | 'n_chunks' | 'checked_at'>;
type OfChunk = Omit<ChunkRow, 'kind' | 'address' | 'tokens'>;

export interface PlacedRow extends OfPage, OfChunk {
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
    chunk: {
      id: hashOf(row.chunk_id) as ChunkId,
      contentHash: hashOf(row.content_hash),
      headings: JSON.parse(row.headings) as string[],
      anchor: row.anchor,
      symbol: row.symbol,
      text: row.text,
      lines: { first: row.first_line, last: row.last_line },
      ordinal: row.ordinal,
      page: {
        version: row.version_id as VersionId,
        url: row.url as PageUrl,
        title: row.title,
        chunks: row.n_chunks,
        checkedAt: new Date(row.checked_at),
      },
    },
    source: row.source_id as SourceId,
    pageKind: typeof kind === 'string' ? kind : null,
    place: { segment: row.segment_id, page: row.page, position: row.ordinal },
  };
}
