// Loads the current chunks at positions in segments and at places in pages, and the headings of pages.

import type { ChunkId } from '../../../core/model/chunk.ts';
import type { OutlineEntry } from '../../../core/model/document.ts';
import { urlKey, type PageUrl } from '../../../core/model/page-url.ts';
import type { SourceId, VersionId } from '../../../core/model/run.ts';
import type {
  ChunkPlace,
  ChunkPosition,
  FoundChunk,
  FoundPassage,
  PagePlace,
} from '../../../core/lexical/segment/index-reader.ts';
import { hashBytes, hashOf, jsonObject } from '../engine/codec.ts';
import { batch, singleStatement, type Executor } from '../engine/engine.ts';
import type { ChunkRow, PageRow } from '../pages/page-row.ts';

/** Columns of a chunk and its page. Each one costs time in every row. */
const PASSAGE_COLUMNS = `pages.version_id, pages.url, pages.title, pages.n_chunks, pages.checked_at,
     chunks.pk, chunks.ordinal, chunks.chunk_id, chunks.content_hash, chunks.headings, chunks.anchor, chunks.symbol, chunks.text, chunks.first_line, chunks.last_line`;
export const POSITIONED_COLUMNS = `${PASSAGE_COLUMNS}, pages.facts, versions.source_id, s.segment_id, s.page_index`;

/** Joins the page and the version of a row of `search_pages s`. */
export const JOIN_PAGE = `{then pages where pages.version_id = s.version_id and pages.url_key = s.url_key} {then versions where versions.id = s.version_id}`;

const selectChunksAt = singleStatement(
  batch(
    { segment_id: 'int', page_index: 'int', ordinal: 'int' },
    `select ${POSITIONED_COLUMNS} from {rows} r {then search_pages s where s.segment_id = r.segment_id and s.page_index = r.page_index}
     {then chunks where chunks.version_id = s.version_id and chunks.url_key = s.url_key and chunks.ordinal = r.ordinal} ${JOIN_PAGE}`,
  ),
);

const selectPassages = singleStatement(
  batch(
    { version_id: 'int', url_key: 'bytes', ordinal: 'int' },
    `select ${PASSAGE_COLUMNS} from {rows} r {then chunks where chunks.version_id = r.version_id and chunks.url_key = r.url_key and chunks.ordinal = r.ordinal}
     {then pages where pages.version_id = chunks.version_id and pages.url_key = chunks.url_key}`,
  ),
);

const selectOutlines = singleStatement(
  batch(
    { version_id: 'int', url_key: 'bytes' },
    `select pages.version_id, pages.url, documents.outline from {rows} r {then documents where documents.version_id = r.version_id and documents.url_key = r.url_key}
     {then pages where pages.version_id = documents.version_id and pages.url_key = documents.url_key}`,
  ),
);

type PageColumns = Pick<PageRow, 'version_id' | 'url' | 'title' | 'n_chunks' | 'checked_at'>;
type ChunkColumns = Omit<ChunkRow, 'passage_kind' | 'json_path' | 'tokens'>;

type PassageRow = PageColumns & ChunkColumns;

export interface PositionedRow extends PassageRow {
  readonly facts: string;
  readonly source_id: number;
  readonly segment_id: number;
  readonly page_index: number;
}

/** A position whose page was removed or indexed again has no chunk. In no particular order. */
export async function resolvePositions(
  reader: Executor,
  positions: readonly ChunkPosition[],
): Promise<readonly FoundChunk[]> {
  const rows = await reader.each<PositionedRow>(
    selectChunksAt,
    positions.map(({ segment, pageIndex, position }) => [segment, pageIndex, position]),
  );
  return rows.map(toFoundChunk);
}

export async function loadPassages(reader: Executor, places: readonly ChunkPlace[]): Promise<readonly FoundPassage[]> {
  const rows = await reader.each<PassageRow>(
    selectPassages,
    places.map(({ version, url, ordinal }) => [version, hashBytes(urlKey(url)), ordinal]),
  );
  return rows.map(toPassage);
}

export async function loadOutlines(
  reader: Executor,
  pages: readonly PagePlace[],
): Promise<ReadonlyArray<PagePlace & { readonly outline: readonly OutlineEntry[] }>> {
  const rows = await reader.each<Pick<PageRow, 'version_id' | 'url'> & { readonly outline: string }>(
    selectOutlines,
    pages.map(({ version, url }) => [version, hashBytes(urlKey(url))]),
  );
  return rows.map((row) => ({
    version: row.version_id as VersionId,
    url: row.url as PageUrl,
    outline: JSON.parse(row.outline) as OutlineEntry[],
  }));
}

export function toFoundChunk(row: PositionedRow): FoundChunk {
  const { pageKind } = jsonObject(row.facts);
  return {
    chunk: toPassage(row),
    source: row.source_id as SourceId,
    pageKind: typeof pageKind === 'string' ? pageKind : null,
    position: { segment: row.segment_id, pageIndex: row.page_index, position: row.ordinal },
  };
}

function toPassage(row: PassageRow): FoundPassage {
  return {
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
  };
}
