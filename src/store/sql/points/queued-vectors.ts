// Vectors for an external index: a queue of texts that is written with their vectors, and what is sent of them.

import { chunkPath } from '../../../core/chunk/chunk-names.ts';
import { ALL_KEYS } from '../../../ports/index-parts.ts';
import {
  type ChunkOfText,
  type NumberedPage,
  type IndexedPageKey,
  type PointRecords,
  type QueuedText,
  type IndexedSpace,
  MAX_CHUNKS,
} from '../../../ports/point-records.ts';
import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import { hashBytes, hashOf, hex } from '../engine/codec.ts';
import type { VectorParts } from '../engine/engine-parts.ts';
import { batch, perRow, type Engine, type Executor } from '../engine/engine.ts';
import { GENERATION_STATE, POINT_STATE } from '../engine/states.ts';
import { FILTER_COLUMNS, pageKindOf, type FilterColumns } from '../vectors/matching-chunks.ts';

const queueText = batch(
  { content_hash: 'bytes' },
  `insert into point_texts (space_id, content_hash) select cast($1 as integer), r.content_hash from {rows} r
   where exists (select 1 from point_generations where state in (${GENERATION_STATE.building}, ${GENERATION_STATE.current}))
   on conflict (space_id, content_hash) do update set revision = point_texts.revision + 1`,
  ['int'],
);

/** In the transaction that stores the vectors. Does nothing unless an external index is used. */
export async function queueVectors(tx: Executor, space: number, texts: readonly Uint8Array[]): Promise<void> {
  await tx.each(
    queueText,
    texts.map((hash) => [hash]),
    [space],
  );
}

/** A space is searched until the next one has its vectors. */
const HELD_SPACES = 2;
const selectSpaces = `select id, dimensions from spaces order by id desc limit ${HELD_SPACES}`;
const selectQueued = `select space_id, content_hash, revision from point_texts where content_hash > $2 and content_hash <= $3 order by space_id desc, content_hash limit $1`;
const dequeue = batch(
  { space_id: 'int', content_hash: 'bytes', revision: 'int' },
  `delete from point_texts where (space_id, content_hash, revision) in (select r.space_id, r.content_hash, r.revision from {rows} r)`,
);
const countQueued = `select count(*) as texts from point_texts where space_id = $1`;
const selectChunks = perRow(
  batch(
    { content_hash: 'bytes', after_pk: 'int' },
    `select chunks.pk, chunks.version_id, chunks.url_key, chunks.ordinal, chunks.content_hash, p.number, ${FILTER_COLUMNS}
     from chunks join pages on pages.version_id = chunks.version_id and pages.url_key = chunks.url_key
       left join point_pages p on p.generation_id = $1 and p.version_id = chunks.version_id and p.url_key = chunks.url_key and p.state = ${POINT_STATE.current}, {rows} r
     where chunks.content_hash = r.content_hash and chunks.pk > r.after_pk and chunks.ordinal < ${MAX_CHUNKS} order by chunks.pk limit $2`,
    ['int', 'int'],
  ),
);
const selectReserved = `select number, version_id, url_key, n_chunks, position from point_pages where generation_id = $1 and state <> ${POINT_STATE.current} and state = ${POINT_STATE.reserved}`;

export interface KeyRow {
  readonly version_id: number;
  readonly url_key: Uint8Array;
}

interface ChunkRow extends KeyRow, FilterColumns {
  readonly pk: number;
  readonly ordinal: number;
  readonly content_hash: Uint8Array;
  readonly number: number | null;
}

interface NumberRow extends KeyRow {
  readonly number: number;
  readonly n_chunks: number;
  readonly position: number;
}

type VectorRecords = Pick<
  PointRecords,
  'spaces' | 'vectors' | 'queuedTexts' | 'dequeueTexts' | 'countQueuedTexts' | 'chunksOfTexts' | 'reserved'
>;

export function createVectorRecords(engine: Engine, vectors: Pick<VectorParts, 'read'>): VectorRecords {
  const { reader } = engine;
  return {
    spaces: () => reader.all<IndexedSpace>(selectSpaces),
    vectors: async (space, texts) => new Map(await vectors.read(space, texts.map(hashBytes))),
    async queuedTexts(limit, { after, end } = ALL_KEYS) {
      const rows = await reader.all<{ space_id: number; content_hash: Uint8Array; revision: number }>(selectQueued, [
        limit,
        hashBytes(after),
        hashBytes(end),
      ]);
      return rows.map(({ space_id: space, content_hash: hash, revision }): QueuedText => {
        return { space, contentHash: hashOf(hash), revision };
      });
    },
    dequeueTexts: (texts) =>
      engine.transaction(
        async (tx) =>
          void (await tx.each(
            dequeue,
            texts.map(({ space, contentHash, revision }) => [space, hashBytes(contentHash), revision]),
          )),
        'later',
      ),
    async countQueuedTexts(space) {
      const [row] = await reader.all<{ texts: number }>(countQueued, [space]);
      return row?.texts ?? 0;
    },
    async chunksOfTexts(generation, texts, limit) {
      const rows = await reader.each<ChunkRow>(
        selectChunks,
        texts.map(({ contentHash, after }) => [hashBytes(contentHash), after]),
        [generation, limit],
      );
      return rows.map(toChunkOfText);
    },
    async reserved(generation) {
      const rows = await reader.all<NumberRow>(selectReserved, [generation]);
      return rows.map(({ number, n_chunks: chunks, position, ...row }): NumberedPage => {
        return { ...toPageKey(row), number, chunks, position };
      });
    },
  };
}

function toChunkOfText({ pk, ordinal, number, content_hash: hash, ...row }: ChunkRow): ChunkOfText {
  const { passage_kind: passageKind, symbol } = row;
  return {
    ...toPageKey(row),
    contentHash: hashOf(hash),
    after: pk,
    number,
    ordinal,
    path: chunkPath(row.url as PageUrl),
    pageKind: pageKindOf(row),
    mediaType: row.media_type,
    chunks: [{ passageKind, headings: JSON.parse(row.headings) as string[], symbol }],
  };
}

export function toPageKey(row: KeyRow): IndexedPageKey {
  return { version: row.version_id as VersionId, key: hex(row.url_key) as UrlKey };
}
