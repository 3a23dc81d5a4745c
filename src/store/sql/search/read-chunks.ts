// Loads the current chunks at places in pages, with the headings of the pages.

import type { ChunkId } from '../../../core/model/chunk.ts';
import type { OutlineEntry } from '../../../core/model/document.ts';
import { urlKey, type PageUrl } from '../../../core/model/page-url.ts';
import type { SourceId, VersionId } from '../../../core/model/run.ts';
import type { ChunkRef, ChunkReader, FoundChunk, FoundPassage } from '../../../core/lexical/query/index-reader.ts';
import { hashBytes, hashOf } from '../engine/codec.ts';
import { batch, singleStatement, type Executor, type Value } from '../engine/engine.ts';
import type { ChunkRow, PageRow } from '../pages/page-row.ts';
import { pageKindOf } from '../vectors/matching-chunks.ts';

/** Columns of a chunk and its page. Each one costs time in every row. */
const PASSAGE_COLUMNS = `pages.version_id, pages.url, pages.title, pages.n_chunks, pages.inlinks, pages.checked_at,
     chunks.pk, chunks.ordinal, chunks.chunk_id, chunks.content_hash, chunks.headings, chunks.anchor, chunks.symbol, chunks.text, chunks.first_line, chunks.last_line`;
export const FOUND_COLUMNS = `${PASSAGE_COLUMNS}, pages.metadata, versions.source_id`;

/** Joins the page and the version of a chunk. */
export const JOIN_PAGE = `{then pages where pages.version_id = chunks.version_id and pages.url_key = chunks.url_key} {then versions where versions.id = chunks.version_id}`;

const REF = { version_id: 'int', url_key: 'bytes', ordinal: 'int' } as const;
const JOIN_CHUNK = `{then chunks where chunks.version_id = r.version_id and chunks.url_key = r.url_key and chunks.ordinal = r.ordinal}`;

const selectChunks = singleStatement(batch(REF, `select ${FOUND_COLUMNS} from {rows} r ${JOIN_CHUNK} ${JOIN_PAGE}`));

const selectWordVectors = singleStatement(
  batch(
    { ...REF, nth: 'int' },
    `select r.nth, chunks.word_vector from {rows} r ${JOIN_CHUNK} where chunks.word_vector is not null`,
  ),
);

/** One statement sees one revision of each page. */
const selectPassages = singleStatement(
  batch(
    { ...REF, with_outline: 'int' },
    `select ${PASSAGE_COLUMNS},
       case when r.with_outline = 1 then (select outline from documents where documents.version_id = r.version_id and documents.url_key = r.url_key) end as outline
     from {rows} r ${JOIN_CHUNK} {then pages where pages.version_id = chunks.version_id and pages.url_key = chunks.url_key}`,
  ),
);

type PageColumns = Pick<PageRow, 'version_id' | 'url' | 'title' | 'n_chunks' | 'checked_at'> & {
  readonly inlinks: number;
};
type ChunkColumns = Omit<ChunkRow, 'passage_kind' | 'json_path' | 'tokens'>;

type PassageRow = PageColumns & ChunkColumns;

export interface FoundRow extends PassageRow {
  readonly metadata: string;
  readonly source_id: number;
}

export function createChunkReader(reader: Executor): ChunkReader {
  return {
    chunks: async (refs) => (await reader.each<FoundRow>(selectChunks, refRows(refs))).map(toFoundChunk),
    async passages(refs) {
      const wanted = refRows(refs).map((row, at) => [...row, Number(refs[at]?.withOutline)]);
      const rows = await reader.each<PassageRow & { readonly outline: string | null }>(selectPassages, wanted);
      return rows.map((row) => ({
        ...toPassage(row),
        outline: row.outline === null ? null : (JSON.parse(row.outline) as OutlineEntry[]),
      }));
    },
    async wordVectors(refs) {
      const wanted = refRows(refs).map((row, at) => [...row, at]);
      const rows = await reader.each<{ nth: number; word_vector: Uint8Array }>(selectWordVectors, wanted);
      return rows.map(({ nth, word_vector }) => ({ at: nth, vector: word_vector }));
    },
  };
}

/** The key of a page is a hash, computed once for all of its places. */
function refRows(refs: readonly ChunkRef[]): Value[][] {
  const keys = new Map<PageUrl, Uint8Array>();
  return refs.map(({ version, url, ordinal }) => {
    const key = keys.get(url) ?? hashBytes(urlKey(url));
    keys.set(url, key);
    return [version, key, ordinal];
  });
}

export function toFoundChunk(row: FoundRow): FoundChunk {
  return { chunk: toPassage(row), source: row.source_id as SourceId, pageKind: pageKindOf(row) };
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
      inlinks: row.inlinks,
      checkedAt: new Date(row.checked_at),
    },
  };
}
