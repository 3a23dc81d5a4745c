// Rows of pages and chunks, as several statements read them.

import type { ChunkId, PassageKind } from '../../../core/model/chunk.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import type { OutlinedDocument, StoredChunk, StoredPage } from '../../port/pages.ts';
import { hashOf } from '../engine/codec.ts';

export interface PageRow {
  readonly version_id: number;
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly language: string | null;
  readonly page_hash: Uint8Array;
  readonly media_type: string;
  readonly n_chunks: number;
  readonly changed_at: number;
  readonly checked_at: number;
}

export interface ChunkRow {
  readonly pk: number;
  readonly ordinal: number;
  readonly chunk_id: Uint8Array;
  readonly content_hash: Uint8Array;
  readonly passage_kind: PassageKind;
  readonly headings: string;
  readonly anchor: string | null;
  readonly symbol: string | null;
  readonly json_path: string | null;
  readonly text: string;
  readonly first_line: number;
  readonly last_line: number;
  readonly tokens: number;
}

export type OutlinedChunkRow = Pick<PageRow, 'url_key'> & Omit<ChunkRow, 'pk' | 'content_hash' | 'json_path' | 'text'>;

export const OUTLINED_COLUMNS = `chunks.url_key, chunks.ordinal, chunks.chunk_id, chunks.passage_kind, chunks.headings, chunks.anchor, chunks.symbol, chunks.first_line, chunks.last_line, chunks.tokens`;

export const PAGE_COLUMNS = `pages.version_id, pages.url_key, pages.url, pages.title, pages.description, pages.language, pages.content_hash as page_hash, pages.media_type, pages.n_chunks, pages.changed_at, pages.checked_at`;

const CHUNK_COLUMNS = `chunks.pk, chunks.ordinal, chunks.chunk_id, chunks.content_hash, chunks.passage_kind, chunks.headings, chunks.anchor, chunks.symbol, chunks.json_path, chunks.text, chunks.first_line, chunks.last_line, chunks.tokens`;

/** A chunk with its page, to be completed by a `where`. */
export const CHUNKS_WITH_PAGES = `select ${PAGE_COLUMNS}, ${CHUNK_COLUMNS} from chunks join pages on pages.version_id = chunks.version_id and pages.url_key = chunks.url_key`;

export function toPage(row: PageRow): StoredPage {
  return {
    version: row.version_id as VersionId,
    url: row.url as PageUrl,
    title: row.title,
    description: row.description,
    language: row.language,
    contentHash: hashOf(row.page_hash),
    mediaType: row.media_type,
    chunks: row.n_chunks,
    changedAt: new Date(row.changed_at),
    checkedAt: new Date(row.checked_at),
  };
}

export function toOutlinedChunk(row: OutlinedChunkRow): OutlinedDocument['chunks'][number] {
  return {
    id: hashOf(row.chunk_id) as ChunkId,
    passageKind: row.passage_kind,
    headings: JSON.parse(row.headings) as string[],
    anchor: row.anchor,
    symbol: row.symbol,
    lines: { first: row.first_line, last: row.last_line },
    tokens: row.tokens,
  };
}

export function toChunk(row: PageRow & ChunkRow): StoredChunk {
  return {
    id: hashOf(row.chunk_id) as ChunkId,
    contentHash: hashOf(row.content_hash),
    passageKind: row.passage_kind,
    headings: JSON.parse(row.headings) as string[],
    anchor: row.anchor,
    symbol: row.symbol,
    jsonPath: row.json_path,
    text: row.text,
    lines: { first: row.first_line, last: row.last_line },
    tokens: row.tokens,
    page: toPage(row),
    ordinal: row.ordinal,
  };
}
